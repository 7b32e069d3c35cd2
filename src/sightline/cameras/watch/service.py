"""The service that watches cameras: claims those that nobody watches, and runs one watch for each."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

import structlog

from sightline.cameras.recording import LAST_STORE_S
from sightline.cameras.settings import CamerasSettings
from sightline.cameras.sources_store import CHANGED_CHANNEL
from sightline.cameras.watch.camera_watch import CameraWatch, WatchParts
from sightline.cameras.watch.folder_watch import FolderWatch
from sightline.cameras.watch.leases_store import (
    WatchedCamera,
    claim_sources,
    count_by_state,
    release_sources,
    renew_leases,
    watched_camera,
)
from sightline.cameras.watch.mqtt_watch import MqttWatch
from sightline.cameras.watch.outbox import LAST_REPORT_S
from sightline.db import Database, Listener
from sightline.supervisor import OUTAGE_ERRORS
from sightline.timing import is_set_within

CLAIM_AT_ONCE = 4
"""So that processes that start together share the cameras."""
STOP_S = LAST_STORE_S + LAST_REPORT_S + 5.0
"""A watch that is stopped stores its last segments and reports its last sightings; one that takes longer hangs."""
END_S = 3.0
"""The same where the whole process ends, which the supervisor lets take little longer."""

log = structlog.get_logger(__name__)

Watch = CameraWatch | FolderWatch | MqttWatch

OpenParts = Callable[[UUID], AbstractAsyncContextManager[WatchParts]]
"""Opens what the watches share, among it the detector, for the watcher of this id."""


@dataclass(slots=True)
class _RunningWatch:
    watch: Watch
    task: asyncio.Task[None]
    stop: asyncio.Event
    stopped_at: float | None = None

    def end(self, now: float) -> None:
        """Asks the watch to stop, and cancels one that hangs."""
        self.stop.set()
        self.stopped_at = now if self.stopped_at is None else self.stopped_at
        if now - self.stopped_at > STOP_S:
            self.task.cancel()


class CameraWatchService:
    name = "cameras"

    def __init__(
        self, database: Database, listener: Listener, settings: CamerasSettings, open_parts: OpenParts
    ) -> None:
        self._database = database
        self._listener = listener
        self._settings = settings
        self._open_parts = open_parts
        self._watcher = uuid4()
        self._lease = timedelta(seconds=settings.lease_s)
        self._running: dict[UUID, _RunningWatch] = {}
        self._changed: set[UUID] = set()
        self._renewed_at = float("-inf")
        self._wake = asyncio.Event()

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        def notice(camera_key: str) -> None:
            with suppress(ValueError):
                self._changed.add(UUID(camera_key))
            self._wake.set()

        async with self._open_parts(self._watcher) as parts:
            with self._listener.subscribe(CHANGED_CHANNEL, notice):
                ready()
                try:
                    await self._keep_watching(parts, stop)
                finally:
                    await self._end()

    async def check(self) -> str:
        """For the health of the process: how many cameras are in which state."""
        async with self._database.transaction() as tx:
            counts = await count_by_state(tx)
        words = ", ".join(f"{cameras} {state}" for state, (cameras, _) in counts.items()) or "no cameras"
        unwatched = sum(count for _, count in counts.values())
        return words + (f"; {unwatched} wait for a process that watches them" if unwatched else "")

    async def _keep_watching(self, parts: WatchParts, stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        every_s = self._settings.lease_s / 3
        has_failed = False
        while not stop.is_set():
            self._wake.clear()
            pause_s = every_s
            try:
                has_more = await self._renew_and_claim(parts)
                self._renewed_at = loop.time()
                await parts.states.save_again()
                pause_s = min(every_s, 1.0) if has_more else every_s
                if has_failed:
                    log.info("cameras.resumed")
                has_failed = False
            except OUTAGE_ERRORS as error:
                if not has_failed:
                    log.warning("cameras.failed", error=str(error) or type(error).__name__)
                has_failed = True
                # Another process may watch them by now, and two that report the same would be two events.
                if loop.time() - self._renewed_at > self._settings.lease_s:
                    for one in self._running.values():
                        one.end(loop.time())
            await _first_of(pause_s, stop, self._wake)

    async def _renew_and_claim(self, parts: WatchParts) -> bool:
        """Whether there may be more to claim."""
        now = asyncio.get_running_loop().time()
        changed, self._changed = self._changed, set()
        async with self._database.transaction() as tx:
            renewed = await renew_leases(tx, self._watcher, list(self._running), lease=self._lease)
        for key, one in self._running.items():
            lease = renewed.get(key)
            is_same = lease is not None and lease.revision == one.watch.revision and not one.stop.is_set()
            if not is_same or (key in changed and await one.watch.is_redrawn()):
                one.end(now)
            elif lease is not None:
                one.watch.set_viewed(lease.is_viewed)
        # One that still stops keeps its lease and its place; the others go on in the meantime.
        ended = [key for key, one in self._running.items() if one.task.done()]
        for key in ended:
            del self._running[key]
        again = [key for key in ended if key in renewed]
        if let_go := [key for key in ended if key not in renewed]:
            # A camera that was switched off is free, so that it is watched at once when it is switched on again.
            async with self._database.transaction() as tx:
                await release_sources(tx, self._watcher, let_go)
        limit = self._settings.max_watched or 10_000
        room = min(CLAIM_AT_ONCE, limit - len(self._running) - len(again))
        claimed: list[UUID] = []
        if room > 0:
            async with self._database.transaction() as tx:
                claimed = await claim_sources(tx, self._watcher, lease=self._lease, limit=room)
        for key in (*again, *claimed):
            if key not in self._running:
                await self._start(parts, key)
        parts.metrics.watched.set(len(self._running))
        return len(claimed) == CLAIM_AT_ONCE

    async def _start(self, parts: WatchParts, camera_key: UUID) -> None:
        async with self._database.transaction() as tx:
            camera = await watched_camera(tx, self._watcher, camera_key)
        if camera is None:
            return
        watch, stop = _watch_of(parts, camera), asyncio.Event()
        task = asyncio.create_task(watch.run(stop), name=f"camera:{camera.camera_id}")
        # Only of a watch that was stopped: one that fails at once is not started again at once.
        task.add_done_callback(lambda _: self._wake.set() if stop.is_set() else None)
        self._running[camera_key] = _RunningWatch(watch, task, stop)
        log.info("camera.watched", camera_id=camera.camera_id, kind=camera.source.kind, revision=watch.revision)

    async def _end(self) -> None:
        keys = list(self._running)
        tasks = [one.task for one in self._running.values()]
        for one in self._running.values():
            one.stop.set()
        self._running.clear()
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=END_S)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            # Also where the process may not wait for them: another one need not wait for the leases to end.
            with suppress(*OUTAGE_ERRORS):
                async with self._database.transaction() as tx:
                    await release_sources(tx, self._watcher, keys)


def _watch_of(parts: WatchParts, camera: WatchedCamera) -> Watch:
    match camera.source.kind:
        case "folder":
            return FolderWatch(parts, camera)
        case "mqtt":
            return MqttWatch(parts, camera)
    return CameraWatch(parts, camera)


async def _first_of(timeout_s: float, stop: asyncio.Event, wake: asyncio.Event) -> None:
    waking = asyncio.create_task(_set_with(stop, wake))
    try:
        await is_set_within(wake, timeout_s)
    finally:
        waking.cancel()


async def _set_with(stop: asyncio.Event, wake: asyncio.Event) -> None:
    await stop.wait()
    wake.set()
