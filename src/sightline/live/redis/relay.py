"""Copies the streams to Redis, in order. Any number of relays may run: Redis refuses a number that it has."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from sightline.db import Database, Listener
from sightline.live import store
from sightline.live.metrics import LiveMetrics
from sightline.live.redis.entries import entry_id, key_of, sequence_of, to_fields
from sightline.live.store import News
from sightline.live.streams import STREAMS
from sightline.supervisor import Every, NextRun
from sightline.timing import Backoff

READ_AT_ONCE = 500
POLL_S = 1.0
# Readers that fall further behind read the database.
KEPT = 1000
FORGOTTEN_AFTER_S = 7 * 24 * 3600
BACKOFF = Backoff(first_s=0.5, max_s=10.0)
_HAD_BEFORE = "equal or smaller"


class RedisRelay:
    def __init__(self, database: Database, listener: Listener, redis: Redis, metrics: LiveMetrics) -> None:
        self._database = database
        self._listener = listener
        self._redis = redis
        self._metrics = metrics
        self._places: dict[str, tuple[str, int]] = {}
        """Epoch and last number in Redis, by stream; empty while that is not known."""

    def service(self) -> Every:
        return Every("live-relay", POLL_S, self.copy_or_reset, backoff=BACKOFF, wake_on=self._wake_on)

    def _wake_on(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        return self._listener.subscribe(store.CHANNEL, lambda _: wake())

    async def copy_or_reset(self) -> NextRun:
        """Copies one batch. After an error, what Redis has is looked up again."""
        try:
            count = await self.copy()
        except Exception:
            self._places.clear()
            raise
        return NextRun(0 if count == READ_AT_ONCE else POLL_S)

    async def copy(self) -> int:
        """Brings Redis what it lacks; how many messages that were."""
        if not self._places:
            await self._look()
        async with self._database.transaction() as tx:
            cursors = {stream: last for stream, (_, last) in self._places.items()}
            found = await store.read_new(tx, cursors, most=READ_AT_ONCE)
        copied = 0
        for news in found:
            epoch, last = self._places[news.stream]
            if news.epoch != epoch or news.top < last:
                self._places.clear()  # an older state of the database was restored
                break
            if news.messages:
                await self._write(news)
                self._places[news.stream] = (epoch, news.messages[-1].sequence)
                copied += len(news.messages)
        return copied

    async def _look(self) -> None:
        """Where Redis stands. One that has nothing is given what a reader may ask for."""
        found: dict[str, tuple[str, int]] = {}
        for stream in STREAMS:
            async with self._database.transaction() as tx:
                standing = await store.standing(tx, stream.name)
            newest: Any = await self._redis.xrevrange(key_of(stream.name, standing.epoch), count=1)
            last = sequence_of(newest[0][0]) if newest else max(standing.oldest - 1, standing.top - KEPT)
            found[stream.name] = (standing.epoch, min(last, standing.top))
        self._places = found

    async def _write(self, news: News) -> None:
        key = key_of(news.stream, news.epoch)
        async with self._redis.pipeline(transaction=False) as pipe:
            for message in news.messages:
                pipe.xadd(key, to_fields(message), id=entry_id(message.sequence), maxlen=KEPT, approximate=True)  # type: ignore[arg-type]
            pipe.expire(key, FORGOTTEN_AFTER_S)
            answers = await pipe.execute(raise_on_error=False)
        self._metrics.relayed.labels(news.stream).inc(_accepted(answers[:-1]))


def _accepted(answers: Sequence[object]) -> int:
    """How many were new to Redis; another relay may have been faster with some."""
    accepted = 0
    for answer in answers:
        if isinstance(answer, Exception):
            if not (isinstance(answer, ResponseError) and _HAD_BEFORE in str(answer)):
                raise answer
        else:
            accepted += 1
    return accepted
