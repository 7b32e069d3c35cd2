"""Removal of messages after ninety days, and the count of dead letters."""

from collections.abc import Collection

import structlog

from sightline.bus import Queues
from sightline.messages.metrics import MessageMetrics
from sightline.messages.store import MessageStore
from sightline.supervisor import Every

SWEEP_EVERY_S = 3600.0
COUNT_EVERY_S = 15.0

log = structlog.get_logger(__name__)


class MessageRetention:
    def __init__(self, store: MessageStore) -> None:
        self._store = store

    def service(self) -> Every:
        return Every("message-retention", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> int:
        if removed := await self._store.sweep():
            log.info("messages.swept", messages=removed)
        return removed


class DeadLetterCount:
    def __init__(self, queues: Queues, names: Collection[str], metrics: MessageMetrics) -> None:
        self._queues = queues
        self._names = {queue.dead_letter_queue for queue in queues.topology.queues if queue.name in names}
        self._metrics = metrics

    def service(self) -> Every:
        return Every("message-dead-letters", COUNT_EVERY_S, self.count)

    async def count(self) -> None:
        counts = [one for one in await self._queues.counts() if one.queue in self._names]
        self._metrics.dead_letters.set(sum(one.visible + one.in_flight + one.delayed for one in counts))
