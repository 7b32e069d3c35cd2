"""Watching one camera: connects, looks, reports, and connects again, until it is stopped."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from sightline.bus import Sealing
from sightline.cameras.latest_pictures import STORE_EVERY_S, LatestPictures
from sightline.cameras.learned_motion import LearnedMotion
from sightline.cameras.problems import SourceProblem
from sightline.cameras.recording import Recorder, RecorderParts, open_recorder
from sightline.cameras.secrets import open_secrets
from sightline.cameras.settings import CamerasSettings
from sightline.cameras.shapes import Shapes
from sightline.cameras.source import SourceState
from sightline.cameras.sources import (
    Alive,
    CameraLook,
    CameraProcess,
    GateLearned,
    HostAddresses,
    JpegPicture,
    LookOptions,
    NotRecorded,
    Opened,
    Resized,
    SegmentWritten,
    SourceRequest,
    look_options,
    open_source,
)
from sightline.cameras.sources.reach import system_resolver
from sightline.cameras.sources_store import revision_of
from sightline.cameras.watch.eyes import DetectingEyes, Eyes, MotionEyes, Seen, jpeg_encoder, moment
from sightline.cameras.watch.leases_store import WatchedCamera
from sightline.cameras.watch.main_stream import MainStream
from sightline.cameras.watch.metrics import WatchMetrics
from sightline.cameras.watch.outbox import SightingOutbox
from sightline.cameras.watch.sighting import CameraSighting, Report
from sightline.cameras.watch.state import CameraStates
from sightline.db import Database
from sightline.errors import PermanentFailure, PlatformError
from sightline.supervisor import OUTAGE_ERRORS
from sightline.timing import Backoff, is_set_within
from sightline.vision import Detector

TICK_S = 1.0
STEADY_S = 30.0
"""A camera that was live for so long is connected again at once when it is lost."""
VIEWED_EVERY_S = 0.2
GRACE_S = 5.0
"""So much longer than the camera may be silent, its process may be; then it hangs, and is replaced."""
RECONNECT = Backoff(first_s=0.5, max_s=30.0)
WITH_PERSON = Backoff(first_s=30.0, max_s=300.0)
"""For what a person has to change: many wrong passwords in a row lock a camera."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WatchParts:
    """What all watched cameras of a process share."""

    settings: CamerasSettings
    sealing: Sealing
    states: CameraStates
    pictures: LatestPictures
    learned: LearnedMotion
    recorders: RecorderParts
    report: Report
    load_shapes: Callable[[WatchedCamera], Awaitable[Shapes]]
    detector: Detector | None
    metrics: WatchMetrics
    database: Database
    folders: Path
    """Where cameras have folders of their own."""
    may_be_unconfined: bool = False
    resolve: HostAddresses = system_resolver


def needs_person(problem: SourceProblem, failures: int) -> bool:
    """libav also finds no video where a camera hangs up before its first picture, so that is believed the second time. Pure."""
    return problem.needs_person and (problem.code != "not_video" or failures > 1)


class CameraWatch:
    """One revision of one camera: what is changed of a camera is watched by a new one."""

    def __init__(self, parts: WatchParts, camera: WatchedCamera) -> None:
        self._parts = parts
        self._camera = camera
        self._settings = parts.settings
        self._key = camera.camera_key
        self._log = log.bind(camera_id=camera.camera_id, camera_key=str(camera.camera_key))
        self._outbox = SightingOutbox(self._key, parts.report, parts.metrics)
        self._shapes: Shapes | None = None
        self._other_way: SourceRequest | None = None
        self._is_viewed = False
        self._opened: Opened | None = None
        self._has_main = False
        self._live_since: float | None = None
        self._last_saved = self._last_picture = float("-inf")
        self._looking: asyncio.Task[None] | None = None

    @property
    def revision(self) -> int:
        return self._camera.source.revision

    def set_viewed(self, is_viewed: bool) -> None:
        self._is_viewed = is_viewed

    async def is_redrawn(self) -> bool:
        """Whether zones, lines or masks are others now."""
        return self._shapes is not None and await self._parts.load_shapes(self._camera) != self._shapes

    async def run(self, stop: asyncio.Event) -> None:
        reporting = asyncio.create_task(self._outbox.run())
        failures = 0
        try:
            while not stop.is_set():
                had_other_way = self._other_way is not None
                problem = await self._connect_once(stop)
                if stop.is_set():
                    return
                if self._other_way is not None and not had_other_way:
                    continue  # that one is tried at once, and only once
                lived_s = 0.0 if self._live_since is None else time.monotonic() - self._live_since
                failures = 1 if lived_s > STEADY_S else failures + 1
                self._live_since = None
                await self._note(problem, failures)
                pauses = WITH_PERSON if needs_person(problem, failures) else RECONNECT
                await is_set_within(stop, pauses.delay_s(failures))
        finally:
            self._parts.pictures.forget(self._key)
            await self._outbox.finish(reporting)

    async def _connect_once(self, stop: asyncio.Event) -> SourceProblem:
        """Watches until the camera is lost, and says why it was."""
        connections = self._parts.metrics.connections
        try:
            secrets = open_secrets(self._parts.sealing, self._camera.source, self._camera.sealed)
        except PermanentFailure:
            return SourceProblem("secret_lost")
        source = self._camera.source
        main = SourceRequest(
            source.kind,
            secrets,
            reach=source.reach,
            transport=source.transport,
            verifies_certificate=source.verifies_certificate,
        )
        looked_at = main.of_sub_stream()
        request = self._other_way or looked_at or main
        try:
            self._shapes = await self._parts.load_shapes(self._camera)
            await self._watch(request, self._shapes, stop, recorded=None if looked_at is None else main)
        except SourceProblem as problem:
            connections.labels(problem.code).inc()
            if problem.code == "transport_refused":
                self._other_way = request.after(problem)  # None if this was it: then the first way is tried again
            return problem
        except PlatformError as error:
            self._log.warning("camera.watch_failed", error=error.message)
            connections.labels("watcher_failed").inc()
            return SourceProblem("watcher_failed")
        except Exception as error:  # one camera must not end the others
            self._log.error("camera.watch_failed", error=type(error).__name__, exc_info=error)
            connections.labels("watcher_failed").inc()
            return SourceProblem("watcher_failed")
        return SourceProblem("ended")

    async def _watch(
        self, request: SourceRequest, shapes: Shapes, stop: asyncio.Event, *, recorded: SourceRequest | None
    ) -> None:
        """`recorded` is the main stream, where another one is looked at."""
        parts, options = self._parts, self._options(shapes)
        self._has_main = False
        async with AsyncExitStack() as stack:
            directory = await stack.enter_async_context(parts.recorders.scratch.directory())
            process = await stack.enter_async_context(
                open_source(request, options, directory=directory, resolve=parts.resolve)
            )
            recorder = await stack.enter_async_context(
                open_recorder(parts.recorders, self._key, mode=self._camera.source.record_mode, directory=directory)
            )
            if (learned := await parts.learned.load(self._key)) is not None:
                await process.restore_gate(learned)
            eyes = self._eyes(shapes)
            preparing = asyncio.create_task(eyes.prepare())
            recording: asyncio.Task[None] | None = None
            if recorded is not None:
                main = MainStream(
                    recorded,
                    options,
                    recorder,
                    directory,
                    resolve=parts.resolve,
                    on_opened=self._see_main,
                    log=self._log,
                )
                recording = asyncio.create_task(main.run())
            ticking = asyncio.create_task(self._tick(process, recorder, eyes, records=recorded is None))
            stopping = asyncio.create_task(stop.wait())
            try:
                await self._receive_all(process, recorder, eyes, ticking, stopping)
            finally:
                tasks = [task for task in (preparing, ticking, stopping, recording, self._looking) if task is not None]
                self._looking = None
                for task in tasks:
                    task.cancel()
                try:
                    await asyncio.gather(*tasks, return_exceptions=True)
                finally:  # also of a watch that is cancelled while it waits here
                    self._take(eyes.finish(time.time()), recorder)
                    if self._live_since is not None:
                        parts.metrics.live.dec()

    async def _receive_all(
        self,
        process: CameraProcess,
        recorder: Recorder,
        eyes: Eyes,
        ticking: asyncio.Task[None],
        stopping: asyncio.Task[object],
    ) -> None:
        patience_s = self._settings.connect_timeout_s * 2 + GRACE_S
        while True:
            receiving = asyncio.create_task(process.receive())
            try:
                await asyncio.wait(
                    (receiving, ticking, stopping), timeout=patience_s, return_when=asyncio.FIRST_COMPLETED
                )
                if stopping.done():
                    return
                if not receiving.done():
                    if ticking.done():
                        ticking.result()
                    # The process itself gives up before; one that hangs is killed with its context.
                    raise SourceProblem("stalled" if self._live_since is not None else "timed_out")
                message = receiving.result()
            finally:
                if not receiving.done():
                    receiving.cancel()
                    with suppress(asyncio.CancelledError, SourceProblem):
                        await receiving
            patience_s = self._settings.stall_timeout_s + GRACE_S
            match message:
                case Opened() if not self._has_main:
                    self._opened = message
                case Resized(width=width, height=height) if self._opened is not None and not self._has_main:
                    if (width, height) != (self._opened.width, self._opened.height):
                        self._log.info("camera.resized", width=width, height=height)
                        self._opened = Opened(width, height, self._opened.codec, self._opened.fps)
                        self._last_saved = float("-inf")
                case Alive():
                    await self._alive(message)
                case JpegPicture():
                    await self._newest_picture(message)
                case CameraLook():
                    self._looking = asyncio.create_task(self._look(message, process, recorder, eyes))
                case SegmentWritten(segment=segment):
                    await recorder.keep(segment)
                case GateLearned(state=state):
                    await self._keep_learned(state)
                case NotRecorded(reason=reason):
                    self._log.warning("camera.not_recorded", reason=reason)

    async def _keep_learned(self, state: bytes) -> None:
        """Unless the camera was changed meanwhile: what was learned may have been forgotten with that."""
        try:
            async with self._parts.database.transaction() as tx:
                is_current = await revision_of(tx, self._key) == self.revision
        except OUTAGE_ERRORS:
            return  # it is learned on, and sent again; the camera goes on
        if is_current:
            await self._parts.learned.save(self._key, state)

    def _see_main(self, opened: Opened) -> None:
        """What people see of a camera is its main stream."""
        self._opened, self._has_main = opened, True
        self._last_saved = float("-inf")

    async def _tick(self, process: CameraProcess, recorder: Recorder, eyes: Eyes, *, records: bool) -> None:
        """What is due by time: pictures, recording, behaviours."""
        is_recording = is_following = False
        while True:
            if records and recorder.wants_segments != is_recording:
                is_recording = not is_recording
                await process.record(is_on=is_recording)
            if eyes.is_following != is_following:
                is_following = not is_following
                await process.follow(is_on=is_following)
            every_s = VIEWED_EVERY_S if self._is_viewed else self._settings.picture_every_s
            if time.monotonic() - self._last_picture >= every_s:
                await process.request_picture()
            self._take(eyes.pass_time(time.time()), recorder)
            await asyncio.sleep(VIEWED_EVERY_S if self._is_viewed else TICK_S)

    async def _alive(self, message: Alive) -> None:
        now = time.monotonic()
        if self._live_since is None:
            self._live_since = now
            self._parts.metrics.live.inc()
            self._parts.metrics.connections.labels("live").inc()
            await self._set_state("live")
        if now - self._last_saved >= self._settings.picture_every_s and self._opened is not None:
            self._last_saved = now
            await self._parts.states.save_picture(self._key, moment(message.at), self._opened)

    async def _newest_picture(self, message: JpegPicture) -> None:
        self._last_picture = time.monotonic()
        # Other processes see it once a second at most: this one has it in memory.
        store_every_s = min(STORE_EVERY_S, self._settings.picture_every_s)
        await self._parts.pictures.offer(self._key, message.content, store_every_s=store_every_s)

    async def _look(self, look: CameraLook, process: CameraProcess, recorder: Recorder, eyes: Eyes) -> None:
        started = time.time()
        seen = Seen([], [])
        try:
            seen = await eyes.look(look)
            self._parts.metrics.looks.labels(self._camera.camera_id).inc()
            self._parts.metrics.look_seconds.observe(max(0.0, time.time() - min(started, look.at)))
            self._take(seen.sightings, recorder)
            if seen.boxes:
                await process.explain(seen.boxes)
        except PlatformError as error:
            self._log.warning("camera.look_failed", error=error.message)
            await asyncio.sleep(TICK_S)  # a detector that cannot start is not asked five times a second
        finally:
            await process.ready(seen.rest, is_known=seen.is_known)

    def _take(self, sightings: list[CameraSighting], recorder: Recorder) -> None:
        if not sightings:
            return
        self._outbox.add(sightings)
        recorder.hold(min(one.at for one in sightings), max(one.at for one in sightings))

    async def _note(self, problem: SourceProblem, failures: int) -> None:
        """The first failure of a camera that was live is passed over: most cameras hang up now and then."""
        self._log.info("camera.disconnected", reason=problem.code, failures=failures)
        if needs_person(problem, failures):
            await self._set_state("refused", problem)
        elif failures > 1:
            await self._set_state("lost", problem)
        else:
            await self._set_state("connecting", problem)

    async def _set_state(self, state: SourceState, problem: SourceProblem | None = None) -> None:
        await self._parts.states.save(self._camera, state, problem)

    def _options(self, shapes: Shapes) -> LookOptions:
        recording = self._parts.recorders.settings
        options = look_options(
            self._settings,
            looks_per_s=self._camera.source.looks_per_s,
            may_be_unconfined=self._parts.may_be_unconfined,
        )
        return replace(
            options,
            segment_s=recording.segment_s,
            picture_fps=recording.picture_fps,
            masks=shapes.masks,
            only_in=shapes.watched_areas,
        )

    def _eyes(self, shapes: Shapes) -> Eyes:
        encode = jpeg_encoder(self._settings.jpeg_quality)
        source, detector = self._camera.source, self._parts.detector
        if detector is not None and source.detects:
            return DetectingEyes(self._camera, detector, shapes, labels=self._settings.labels, encode=encode)
        return MotionEyes(self._camera, reports=source.reports_motion and detector is None, encode=encode)
