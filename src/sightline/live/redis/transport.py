"""Follows the streams in Redis for one API process, in place of a look at the database for every message."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from sightline.live.message import StoredMessage
from sightline.live.metrics import LiveMetrics
from sightline.live.redis.entries import entry_id, from_fields, key_of
from sightline.live.transport import Places
from sightline.timing import Backoff

BLOCK_MS = 1000
READ_AT_ONCE = 500
# More than this waits only where nobody takes it; then the database is asked.
MOST_WAITING = 5000
BACKOFF = Backoff(first_s=0.2, max_s=5.0)

log = structlog.get_logger(__name__)


class RedisCarrier:
    def __init__(self, redis: Redis, metrics: LiveMetrics) -> None:
        self._redis = redis
        self._metrics = metrics
        self._waiting: defaultdict[tuple[str, str], list[StoredMessage]] = defaultdict(list)

    async def run(self, places: Places, brought: Callable[[], None]) -> None:
        failures = 0
        while True:
            try:
                if await self._read(places):
                    brought()
                failures = 0
            except (
                RedisError,
                OSError,
                ValueError,
                KeyError,
            ) as error:  # away, or something that is no message of ours
                failures += 1
                log.warning("live.carrier_lost", error=str(error) or type(error).__name__, failures=failures)
                await asyncio.sleep(BACKOFF.delay_s(failures))

    def take(self, stream: str, epoch: str, *, after: int) -> list[StoredMessage]:
        found: list[StoredMessage] = []
        for message in self._waiting.pop((stream, epoch), ()):
            if message.sequence == after + 1:
                found.append(message)
                after += 1
        self._metrics.carried.labels(stream).inc(len(found))
        return found

    async def _read(self, places: Places) -> bool:
        now = {(stream, epoch): top for stream, (epoch, top) in places().items()}
        for place in set(self._waiting) - set(now):
            del self._waiting[place]  # of an epoch that is over
        wanted: dict[Any, Any] = {key_of(*place): entry_id(self._last(place, top)) for place, top in now.items()}
        answer: Any = await self._redis.xread(wanted, count=READ_AT_ONCE, block=BLOCK_MS)
        by_key = {key_of(*place): place for place in now}
        for key, entries in answer or ():
            waiting = self._waiting[by_key[key]]
            if len(waiting) > MOST_WAITING:
                waiting.clear()
            waiting += [from_fields(found, fields) for found, fields in entries]
        return bool(answer)

    def _last(self, place: tuple[str, str], top: int) -> int:
        waiting = self._waiting.get(place)
        return max(top, waiting[-1].sequence) if waiting else top
