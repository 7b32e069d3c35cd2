"""Housekeeping of the bus: queue metrics on any backend, and the retention sweep of PostgreSQL."""

from collections.abc import Awaitable, Callable, Sequence

import structlog

from sightline.bus.bus import Queues
from sightline.bus.message import QueueCounts
from sightline.bus.metrics import CLIENT_LABEL, BusMetrics
from sightline.supervisor import Every

MEASURE_EVERY_S = 15.0
SWEEP_EVERY_S = 60.0

log = structlog.get_logger(__name__)


class QueueWatch:
    """Reports queue depths, message ages and the dead-letter alarm as metrics, on any backend."""

    def __init__(self, queues: Queues, metrics: BusMetrics) -> None:
        self._queues = queues
        self._metrics = metrics

    def service(self) -> Every:
        return Every("queue-watch", MEASURE_EVERY_S, self.measure)

    async def measure(self) -> None:
        dead = {queue.name for queue in self._queues.topology.all_queues if queue.is_dead_letter}
        for counts in _grouped(await self._queues.counts()):
            for state in ("visible", "in_flight", "delayed"):
                self._metrics.depth.labels(counts.queue, state).set(getattr(counts, state))
            self._metrics.oldest_age.labels(counts.queue).set(counts.oldest_age_s or 0.0)
            if counts.queue in dead:
                total = counts.visible + counts.in_flight + counts.delayed
                self._metrics.dead_letter_alarm.labels(counts.queue).set(total > 0)


def _grouped(counts: Sequence[QueueCounts]) -> list[QueueCounts]:
    """All queues of clients as one, if there are any."""
    declared = [one for one in counts if one.is_declared]
    clients = [one for one in counts if not one.is_declared]
    if not clients:
        return declared
    visible, in_flight, delayed = (
        sum(getattr(one, state) for one in clients) for state in ("visible", "in_flight", "delayed")
    )
    oldest_age_s = max((one.oldest_age_s or 0.0 for one in clients), default=0.0)
    return [*declared, QueueCounts(CLIENT_LABEL, visible, in_flight, delayed, oldest_age_s, is_declared=False)]


class RetentionSweep:
    """Deletes messages older than the retention of their queue."""

    def __init__(self, sweep: Callable[[], Awaitable[int]]) -> None:
        self._sweep = sweep

    def service(self) -> Every:
        return Every("retention-sweep", SWEEP_EVERY_S, self._sweep_once)

    async def _sweep_once(self) -> None:
        if removed := await self._sweep():
            log.info("bus.retention_swept", messages=removed)
