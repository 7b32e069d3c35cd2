"""The Redis transport: one API process reads new messages from Redis Streams instead of from the database."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from sightline.live.message import FeedRecord
from sightline.live.metrics import LiveMetrics
from sightline.live.redis.entries import entry_id, from_fields, key_of
from sightline.live.transport import StreamPositions
from sightline.timing import Backoff

BLOCK_MS = 1000
MAX_MESSAGES_PER_READ = 500
# If more than this waits, the hub does not take messages; they are then read from the database.
MAX_WAITING = 5000
BACKOFF = Backoff(first_s=0.2, max_s=5.0)

log = structlog.get_logger(__name__)


class RedisTransport:
    def __init__(self, redis: Redis, metrics: LiveMetrics) -> None:
        self._redis = redis
        self._metrics = metrics
        self._waiting: defaultdict[tuple[str, str], list[FeedRecord]] = defaultdict(list)

    async def run(self, positions: StreamPositions, on_messages: Callable[[], None]) -> None:
        failures = 0
        while True:
            try:
                if await self._read(positions):
                    on_messages()
                failures = 0
            except (
                RedisError,
                OSError,
                ValueError,
                KeyError,
            ) as error:  # Redis is unavailable, or an entry is not one of our messages
                failures += 1
                log.warning("live.transport_lost", error=str(error) or type(error).__name__, failures=failures)
                await asyncio.sleep(BACKOFF.delay_s(failures))

    def take(self, stream: str, epoch: str, *, after: int) -> list[FeedRecord]:
        found: list[FeedRecord] = []
        for message in self._waiting.pop((stream, epoch), ()):
            if message.sequence == after + 1:
                found.append(message)
                after += 1
        self._metrics.carried.labels(stream).inc(len(found))
        return found

    async def _read(self, positions: StreamPositions) -> bool:
        now = {(stream, epoch): top for stream, (epoch, top) in positions().items()}
        for stream_epoch in set(self._waiting) - set(now):
            del self._waiting[stream_epoch]  # belongs to an old epoch
        stream_ids: dict[Any, Any] = {
            key_of(*stream_epoch): entry_id(self._last(stream_epoch, top)) for stream_epoch, top in now.items()
        }
        response: Any = await self._redis.xread(stream_ids, count=MAX_MESSAGES_PER_READ, block=BLOCK_MS)
        by_key = {key_of(*stream_epoch): stream_epoch for stream_epoch in now}
        for key, entries in response or ():
            waiting = self._waiting[by_key[key]]
            if len(waiting) > MAX_WAITING:
                waiting.clear()
            waiting += [from_fields(found, fields) for found, fields in entries]
        return bool(response)

    def _last(self, stream_epoch: tuple[str, str], top: int) -> int:
        waiting = self._waiting.get(stream_epoch)
        return max(top, waiting[-1].sequence) if waiting else top
