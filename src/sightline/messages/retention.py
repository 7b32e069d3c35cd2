"""Removes messages that were kept for ninety days, and counts those among the dead letters."""

import asyncio
from collections.abc import Callable, Collection

import structlog

from sightline.bus import Queues
from sightline.messages.metrics import MessageMetrics
from sightline.messages.store import MessageStore
from sightline.timing import repeat

SWEEP_EVERY_S = 3600.0
COUNT_EVERY_S = 15.0

log = structlog.get_logger(__name__)


class MessageRetention:
    name = "message-retention"

    def __init__(self, store: MessageStore, *, every_s: float = SWEEP_EVERY_S) -> None:
        self._store = store
        self._every_s = every_s

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await repeat(stop, self._every_s, self.sweep)

    async def sweep(self) -> int:
        if removed := await self._store.sweep():
            log.info("messages.swept", messages=removed)
        return removed


class DeadLetterCount:
    name = "message-dead-letters"

    def __init__(
        self, queues: Queues, names: Collection[str], metrics: MessageMetrics, *, every_s: float = COUNT_EVERY_S
    ) -> None:
        self._queues = queues
        self._names = {queue.dead_letter_queue for queue in queues.topology.queues if queue.name in names}
        self._metrics = metrics
        self._every_s = every_s

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await repeat(stop, self._every_s, self.count)

    async def count(self) -> None:
        counts = [one for one in await self._queues.counts() if one.queue in self._names]
        self._metrics.dead_letters.set(sum(one.visible + one.in_flight + one.delayed for one in counts))
