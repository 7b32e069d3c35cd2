"""Sightings on their way: kept until the platform has them, so that a database that is away for a while loses none."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import UUID

import structlog

from sightline.cameras.watch.metrics import WatchMetrics
from sightline.cameras.watch.sighting import CameraSighting, Report
from sightline.errors import is_retryable
from sightline.timing import Backoff, is_set_within

MAX_WAITING = 500
MAX_WAITING_PICTURE_BYTES = 64 * 1024**2
"""The oldest sightings beyond it wait without their pictures."""
MAX_PER_REPORT = 20
LAST_REPORT_S = 5.0
"""How long an outbox that is closed goes on reporting what waits."""

log = structlog.get_logger(__name__)


class SightingOutbox:
    """Of one camera. In order; a report that fails is repeated, which changes nothing if it had arrived."""

    def __init__(self, camera_key: UUID, report: Report, metrics: WatchMetrics) -> None:
        self._camera_key = camera_key
        self._report = report
        self._metrics = metrics
        self._waiting: deque[CameraSighting] = deque()
        self._added = self._removed = 0
        self._callbacks: deque[tuple[int, Callable[[], None]]] = deque()
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()

    def add(self, sightings: Sequence[CameraSighting]) -> None:
        self._waiting.extend(sightings)
        self._added += len(sightings)
        dropped = max(0, len(self._waiting) - MAX_WAITING)
        for _ in range(dropped):
            self._waiting.popleft()
        self._drop_pictures()
        if dropped:
            self._count_removed(dropped)
            log.error("camera.sightings_dropped", camera_key=str(self._camera_key), sightings=dropped)
            self._metrics.dropped.inc(dropped)
        self._wake.set()

    def after_all(self, callback: Callable[[], None]) -> None:
        """Calls back, in order, when nothing that was added before waits any more."""
        self._callbacks.append((self._added, callback))
        self._count_removed(0)

    def _drop_pictures(self) -> None:
        excess = sum(len(one.picture or b"") for one in self._waiting) - MAX_WAITING_PICTURE_BYTES
        for index, one in enumerate(self._waiting):
            if excess <= 0:
                return
            if one.picture is not None:
                excess -= len(one.picture)
                self._waiting[index] = replace(one, picture=None)

    def _count_removed(self, count: int) -> None:
        self._removed += count
        while self._callbacks and self._callbacks[0][0] <= self._removed:
            self._callbacks.popleft()[1]()

    def close(self) -> None:
        """Reports what waits, once more, and ends."""
        self._closing.set()
        self._wake.set()

    async def finish(self, running: "asyncio.Task[None]") -> None:
        """Closes, and waits for the task of `run`, but not for ever."""
        self.close()
        try:
            await asyncio.wait((running,), timeout=LAST_REPORT_S)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def run(self) -> None:
        failures = 0
        while True:
            await self._wake.wait()
            while self._waiting:
                batch = [self._waiting[index] for index in range(min(MAX_PER_REPORT, len(self._waiting)))]
                try:
                    await self._report(batch)
                except Exception as error:  # whatever it is, the camera goes on
                    if not is_retryable(error):
                        log.warning("camera.sightings_refused", camera_key=str(self._camera_key), error=str(error))
                        self._remove(batch)
                        continue
                    failures += 1
                    if failures == 1:
                        log.warning("camera.report_failed", camera_key=str(self._camera_key), error=str(error))
                    if self._closing.is_set():
                        return
                    await is_set_within(self._closing, Backoff(max_s=10.0).delay_s(failures))
                    continue
                failures = 0
                self._remove(batch)
                self._metrics.sightings.inc(len(batch))
            self._wake.clear()
            if self._closing.is_set():
                return

    def _remove(self, batch: Sequence[CameraSighting]) -> None:
        removed = 0
        for one in batch:
            if self._waiting and self._waiting[0].source_id == one.source_id:  # the limit may have removed it already
                self._waiting.popleft()
                removed += 1
        self._count_removed(removed)
