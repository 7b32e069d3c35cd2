"""Housekeeping of the bus: queue metrics on any backend, and the retention sweep of PostgreSQL."""

from collections.abc import Awaitable, Callable

import structlog

from sightline.bus.bus import Queues
from sightline.bus.metrics import BusMetrics
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
        for counts in await self._queues.counts():
            for state in ("visible", "in_flight", "delayed"):
                self._metrics.depth.labels(counts.queue, state).set(getattr(counts, state))
            self._metrics.oldest_age.labels(counts.queue).set(counts.oldest_age_s or 0.0)
            if counts.queue in dead:
                total = counts.visible + counts.in_flight + counts.delayed
                self._metrics.dead_letter_alarm.labels(counts.queue).set(total > 0)


class RetentionSweep:
    """Deletes messages older than the retention of their queue."""

    def __init__(self, sweep: Callable[[], Awaitable[int]]) -> None:
        self._sweep = sweep

    def service(self) -> Every:
        return Every("retention-sweep", SWEEP_EVERY_S, self._sweep_once)

    async def _sweep_once(self) -> None:
        if removed := await self._sweep():
            log.info("bus.retention_swept", messages=removed)
