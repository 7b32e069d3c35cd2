"""The relay that copies the streams to Redis, in order. Any number may run: Redis refuses a sequence that it has."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from sightline.db import Database, Listener
from sightline.live import store
from sightline.live.metrics import LiveMetrics
from sightline.live.redis.entries import entry_id, key_of, sequence_of, to_fields
from sightline.live.store import StreamUpdate
from sightline.live.streams import STREAMS
from sightline.supervisor import Every, NextRun
from sightline.timing import Backoff

MAX_MESSAGES_PER_READ = 500
POLL_S = 1.0
# Readers that are further behind read from the database.
MAX_STREAM_LENGTH = 1000
STREAM_EXPIRY_S = 7 * 24 * 3600
BACKOFF = Backoff(first_s=0.5, max_s=10.0)
_DUPLICATE_ID_ERROR = "equal or smaller"


class RedisRelay:
    def __init__(self, database: Database, listener: Listener, redis: Redis, metrics: LiveMetrics) -> None:
        self._database = database
        self._listener = listener
        self._redis = redis
        self._metrics = metrics
        self._positions: dict[str, tuple[str, int]] = {}
        """Epoch and last sequence in Redis, by stream; empty until it has been read."""

    def service(self) -> Every:
        return Every("live-relay", POLL_S, self.copy_or_reset, backoff=BACKOFF, wake_on=self._wake_on)

    def _wake_on(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        return self._listener.subscribe(store.CHANNEL, lambda _: wake())

    async def copy_or_reset(self) -> NextRun:
        """Copies one batch. After an error, what Redis has is looked up again."""
        try:
            count = await self.copy()
        except Exception:
            self._positions.clear()
            raise
        return NextRun(0 if count == MAX_MESSAGES_PER_READ else POLL_S)

    async def copy(self) -> int:
        """Copies what Redis lacks. Returns the number of messages."""
        if not self._positions:
            await self._read_positions()
        async with self._database.transaction() as tx:
            cursors = {stream: last for stream, (_, last) in self._positions.items()}
            found = await store.read_new(tx, cursors, limit=MAX_MESSAGES_PER_READ)
        copied = 0
        for news in found:
            epoch, last = self._positions[news.stream]
            if news.epoch != epoch or news.top < last:
                self._positions.clear()  # an older state of the database was restored
                break
            if news.messages:
                await self._write(news)
                self._positions[news.stream] = (epoch, news.messages[-1].sequence)
                copied += len(news.messages)
        return copied

    async def _read_positions(self) -> None:
        """Reads the last sequences in Redis. An empty Redis is given the messages that a reader may need."""
        found: dict[str, tuple[str, int]] = {}
        for stream in STREAMS:
            async with self._database.transaction() as tx:
                state = await store.stream_state(tx, stream.name)
            newest: Any = await self._redis.xrevrange(key_of(stream.name, state.epoch), count=1)
            last = sequence_of(newest[0][0]) if newest else max(state.oldest - 1, state.top - MAX_STREAM_LENGTH)
            found[stream.name] = (state.epoch, min(last, state.top))
        self._positions = found

    async def _write(self, news: StreamUpdate) -> None:
        key = key_of(news.stream, news.epoch)
        async with self._redis.pipeline(transaction=False) as pipe:
            for message in news.messages:
                fields: dict[Any, Any] = {**to_fields(message)}
                pipe.xadd(key, fields, id=entry_id(message.sequence), maxlen=MAX_STREAM_LENGTH, approximate=True)
            pipe.expire(key, STREAM_EXPIRY_S)
            responses = await pipe.execute(raise_on_error=False)
        self._metrics.relayed.labels(news.stream).inc(_accepted(responses[:-1]))


def _accepted(responses: Sequence[object]) -> int:
    """How many were new to Redis; another relay may have copied some before."""
    accepted = 0
    for response in responses:
        if isinstance(response, Exception):
            if not (isinstance(response, ResponseError) and _DUPLICATE_ID_ERROR in str(response)):
                raise response
        else:
            accepted += 1
    return accepted
