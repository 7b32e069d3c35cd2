"""The job `detect_recording`: finds people and objects in what a camera recorded, and feeds its events.

What is found is reported as the job goes on, with the time at which it was filmed. A killed attempt goes on where the last one
came to; ids by the moment, and what is known of the camera by then, make sure that nothing is reported twice.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import structlog

from sightline.cameras.detect.detect import (
    NOT_INSTALLED,
    CameraOfVideo,
    EpisodeLimits,
    LoadCamera,
    OpenLooks,
    ReportEpisode,
)
from sightline.cameras.detect.found_tracks import FoundTrack
from sightline.cameras.detect.recordings.footage import MAX_BYTES, Footage, footage_of
from sightline.cameras.detect.recordings.known import TOLERANCE, KnownSighting, is_known
from sightline.cameras.detect.recordings.runs_store import RunProgress, begin_run, is_cancelled, save_run
from sightline.cameras.detect.recordings.span_look import SpanLook
from sightline.cameras.detect.sightings import VideoSighting
from sightline.cameras.recording import RecordingSettings, hold_recordings, playable, recordings_between
from sightline.contracts.jobs import DetectRecording
from sightline.db import Database
from sightline.errors import NotFound, PermanentFailure
from sightline.jobs import Job, JobContext, JobLimits, LimitExceeded, ProcessCrashed, Scratch
from sightline.objects import ObjectStore
from sightline.vision import Detector

MAX_SEGMENTS = 100_000
WARM_UP = timedelta(seconds=10)
"""An attempt that goes on begins so much earlier, so that the motion gate knows the scene again."""
CHECK_EVERY_S = 2.0
SCRATCH_BYTES = 4 * MAX_BYTES

KnownBetween = Callable[[UUID, datetime, datetime], Awaitable[Sequence[KnownSighting]]]
"""What was reported of a camera between two moments."""

log = structlog.get_logger(__name__)


class FootageUnreadable(PermanentFailure):
    """Stored segments cannot be decoded; raised by what opens them. Others may be whole."""


class DetectRecordingJob(Job[DetectRecording]):
    payload = DetectRecording
    limits = JobLimits(concurrency=1, time_limit=timedelta(hours=24))
    keeps_progress = True

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        scratch: Scratch,
        detector: Detector | None,
        open_looks: OpenLooks,
        load_camera: LoadCamera,
        known_between: KnownBetween,
        report: ReportEpisode,
        episodes: EpisodeLimits,
        labels: Collection[str],
        recording: RecordingSettings,
    ) -> None:
        self._database = database
        self._objects = objects
        self._scratch = scratch
        self._detector = detector
        self._open_looks = open_looks
        self._load_camera = load_camera
        self._known_between = known_between
        self._report = report
        self._episodes = episodes
        self._labels = labels
        self._recording = recording

    async def run(self, payload: DetectRecording, context: JobContext) -> None:
        if self._detector is None:
            raise PermanentFailure(NOT_INSTALLED)
        camera = await self._load_camera(payload.camera_key)
        if camera is None:
            raise PermanentFailure("the camera whose recording was to be looked through has been deleted")
        async with self._database.transaction() as tx:
            progress = await begin_run(tx, context.job_id, payload)
            since = max(payload.since, progress.reached_at - WARM_UP)
            found = await recordings_between(tx, payload.camera_key, since, payload.until, limit=MAX_SEGMENTS)
        async with self._scratch.directory(needs_bytes=SCRATCH_BYTES) as directory:
            look = SpanLook(
                camera.camera_key,
                self._detector,
                camera.shapes,
                directory,
                base=since,
                labels=self._labels,
                episodes=self._episodes,
            )
            for footage in footage_of(playable(found)):
                await self._see(footage, look, directory, payload, context, progress)
                await self._settle(camera, look, since, progress)
                progress.reached_at = max(progress.reached_at, min(look.safe_until, payload.until))
                async with self._database.transaction() as tx:
                    await save_run(tx, context.job_id, progress)
            look.break_off()
            await self._settle(camera, look, since, progress, is_end=True)
        progress.reached_at = payload.until
        result = {
            "reported": progress.reported,
            "known": progress.known,
            "left_out": progress.left_out,
        }
        async with context.finishing(result=result) as tx:
            await save_run(tx, context.job_id, progress)
        log.info("detect_recording.finished", camera_id=camera.camera_id, **result)

    async def _see(
        self,
        footage: Footage,
        look: SpanLook,
        directory: Path,
        payload: DetectRecording,
        context: JobContext,
        progress: RunProgress,
    ) -> None:
        file = directory / "footage.mp4"
        try:
            segments = [(one, await self._objects.get(one.key)) for one in footage.recordings]
        except NotFound:
            progress.left_out += len(footage.recordings)  # removed by its retention meanwhile
            return
        await asyncio.to_thread(file.write_bytes, Footage.joined(segments))
        span, checked = payload.until - payload.since, float("-inf")

        async def passing(moment: datetime) -> None:
            nonlocal checked
            context.progress(min(max((moment - payload.since) / span, 0.0), 1.0), f"{progress.reported} found")
            if time.monotonic() - checked >= CHECK_EVERY_S:
                checked = time.monotonic()
                await self._check_cancelled(context)

        try:
            await look.see(footage, file, self._open_looks, payload.looks_per_s, passing)
        except (FootageUnreadable, LimitExceeded, ProcessCrashed) as error:
            if isinstance(error, ProcessCrashed) and context.attempt == 1:
                raise  # it may have been the machine; the second time it is the recording
            progress.left_out += len(footage.recordings)
            log.warning("detect_recording.unreadable", key=footage.recordings[0].key, error=error.message)
        finally:
            file.unlink(missing_ok=True)

    async def _settle(
        self, camera: CameraOfVideo, look: SpanLook, base: datetime, progress: RunProgress, *, is_end: bool = False
    ) -> None:
        """Reports what is over and was not known before."""
        found = look.take_ended()
        fresh = await self._not_known(camera, found, base)
        look.add(fresh)
        progress.known += len(found) - len(fresh)
        fresh_ids = {one.track.track_id for one in fresh}
        look.forget([one.track.track_id for one in found if one.track.track_id not in fresh_ids])
        for episode in look.take_over(is_end=is_end):
            await self._report(camera, episode, [look.picture(one) for one in episode])
            await self._hold(camera, episode)
            seen = [one.track_id for one in episode if one.has_picture]
            progress.reported += len(seen)
            look.forget(seen)

    async def _not_known(self, camera: CameraOfVideo, found: Sequence[FoundTrack], base: datetime) -> list[FoundTrack]:
        if not found:
            return []
        first = base + timedelta(milliseconds=min(one.boxes[0][0] for one in found))
        last = base + timedelta(milliseconds=max(one.boxes[-1][0] for one in found))
        known = await self._known_between(camera.camera_key, first - TOLERANCE, last + TOLERANCE)
        return [one for one in found if not is_known(one, known, base=base)]

    async def _hold(self, camera: CameraOfVideo, episode: Sequence[VideoSighting]) -> None:
        """What shows an event is kept as long as that of a watched camera."""
        settings = self._recording
        since = episode[0].at - timedelta(seconds=settings.pre_roll_s)
        until = episode[-1].at + timedelta(seconds=settings.post_roll_s)
        async with self._database.transaction() as tx:
            await hold_recordings(tx, camera.camera_key, since, until, hold=timedelta(days=settings.event_days))

    async def _check_cancelled(self, context: JobContext) -> None:
        async with self._database.transaction() as tx:
            if await is_cancelled(tx, context.job_id):
                raise PermanentFailure("Cancelled. What was found before stays.")
