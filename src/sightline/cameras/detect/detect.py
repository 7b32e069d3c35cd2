"""The job `detect`: finds people and objects in a video and follows them; with a camera, its events are fed.

An attempt changes nothing until its end: pictures are stored under names that a repeated run uses again, sightings carry ids that
make a repeated report harmless, and the tracks of the video are replaced in the transaction that ends the job.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

import structlog

from sightline.cameras.detect.detection_run import DetectionRun, Picture, frame_file, numbered_ids, thumbnail_file
from sightline.cameras.detect.found_tracks import FoundTrack
from sightline.cameras.detect.sightings import VideoSighting, by_episode, sightings_of
from sightline.cameras.detect.tracks_store import replace_tracks
from sightline.cameras.shapes import Shapes
from sightline.contracts.jobs import Detect
from sightline.db import Database
from sightline.errors import PermanentFailure
from sightline.geometry import foot_of
from sightline.jobs import Job, JobContext, JobLimits, Scratch
from sightline.objects import ObjectStore, original_key, track_thumbnail_key, tracks_prefix
from sightline.videos import Video, need_video
from sightline.vision import Detector

SCRATCH_BYTES = 256 * 1024 * 1024
NOT_INSTALLED = "Object detection is not installed; run `sightline vision install` and try again"
LOOKING_SHARE = 0.95
"""Of the progress; the rest is storing."""

log = structlog.get_logger(__name__)


class DecodedLook(Protocol):
    @property
    def at_ms(self) -> int: ...
    @property
    def gray(self) -> Picture: ...


class DecodedLooks(Protocol):
    """Looks at a video, one after another, and the whole picture of the present one."""

    def __aiter__(self) -> AsyncIterator[DecodedLook]: ...

    async def picture(self) -> Picture: ...


OpenLooks = Callable[[str, float], AbstractAsyncContextManager[DecodedLooks]]
"""Opens what can be read at a path or URL, with so many looks per second."""


@dataclass(frozen=True, slots=True)
class CameraOfVideo:
    """A camera as whose recording a video is treated."""

    camera_key: UUID
    camera_id: str
    shapes: Shapes


LoadCamera = Callable[[UUID], Awaitable[CameraOfVideo | None]]
ReportEpisode = Callable[[CameraOfVideo, Sequence[VideoSighting], Sequence[bytes | None]], Awaitable[None]]
"""Takes the sightings of one episode, with the picture of each that has one. Repeated ones change nothing."""


@dataclass(frozen=True, slots=True)
class EpisodeLimits:
    """When a live camera's batch ends."""

    idle_s: float
    age_s: float


class DetectJob(Job[Detect]):
    payload = Detect
    limits = JobLimits(concurrency=1, time_limit=timedelta(hours=12))

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        scratch: Scratch,
        detector: Detector | None,
        open_looks: OpenLooks,
        load_camera: LoadCamera,
        report: ReportEpisode,
        episodes: EpisodeLimits,
    ) -> None:
        self._database = database
        self._objects = objects
        self._scratch = scratch
        self._detector = detector
        self._open_looks = open_looks
        self._load_camera = load_camera
        self._report = report
        self._episodes = episodes

    async def run(self, payload: Detect, context: JobContext) -> None:
        detector = self._detector
        if detector is None:
            raise PermanentFailure(NOT_INSTALLED)
        async with self._database.transaction() as tx:
            video = await need_video(tx, payload.video_id)
        video.need_original()
        camera = await self._camera(payload)
        async with self._scratch.directory(needs_bytes=SCRATCH_BYTES) as directory:
            run = DetectionRun(
                video.id,
                detector,
                Shapes() if camera is None else camera.shapes,
                directory,
                new_id=numbered_ids(video.id, "" if camera is None else str(camera.camera_key)),
                keeps_frames=camera is not None,
            )
            found = await self._look(payload, video, run, context)
            context.progress(LOOKING_SHARE, f"{len(found)} found")
            thumbnails = await self._store_thumbnails(video.id, found, directory)
            if camera is not None:
                await self._report_to(camera, payload, video, found, directory, detector)
        result = {"tracks": len(found), "looks": run.looks, "detected": run.detected}
        async with context.finishing(result=result) as tx:
            await replace_tracks(
                tx,
                video.id,
                found,
                camera_key=None if camera is None else camera.camera_key,
                thumbnails=thumbnails,
            )
        await self._remove_stale(video.id, set(thumbnails.values()))
        log.info("detect.finished", **result)

    async def _camera(self, payload: Detect) -> CameraOfVideo | None:
        if payload.camera_key is None:
            return None
        camera = await self._load_camera(payload.camera_key)
        if camera is None:
            raise PermanentFailure("the camera as whose recording the video was to be treated has been deleted")
        return camera

    async def _look(self, payload: Detect, video: Video, run: DetectionRun, context: JobContext) -> list[FoundTrack]:
        readable = await self._objects.readable(original_key(video.id))
        duration_ms, at_ms = max(video.duration_ms or 0, 1), 0
        async with self._open_looks(readable, payload.looks_per_s) as looks:
            async for look in looks:
                at_ms = look.at_ms
                if run.wants_picture(at_ms, look.gray):
                    await run.see(at_ms, await looks.picture())
                run.pass_time(at_ms)
                context.progress(LOOKING_SHARE * min(at_ms / duration_ms, 1.0))
        return run.finish(at_ms)

    async def _store_thumbnails(self, video_id: UUID, found: Sequence[FoundTrack], directory: Path) -> dict[str, str]:
        keys = {}
        for one in found:
            track_id = one.track.track_id
            key = track_thumbnail_key(video_id, UUID(track_id))
            await self._objects.put(key, thumbnail_file(directory, track_id).read_bytes())
            keys[track_id] = key
        return keys

    async def _report_to(
        self,
        camera: CameraOfVideo,
        payload: Detect,
        video: Video,
        found: Sequence[FoundTrack],
        directory: Path,
        detector: Detector,
    ) -> None:
        sightings = sightings_of(
            [one for one in found if any(camera.shapes.is_watched(foot_of(box)) for _, box in one.boxes)],
            video_id=video.id,
            started_at=payload.started_at or video.created_at,
            models=[card.name for card in detector.models],
        )
        for episode in by_episode(sightings, idle_s=self._episodes.idle_s, age_s=self._episodes.age_s):
            pictures: list[Any] = [
                frame_file(directory, one.track_id).read_bytes() if one.has_picture else None for one in episode
            ]
            await self._report(camera, episode, pictures)

    async def _remove_stale(self, video_id: UUID, kept: set[str]) -> None:
        """Pictures of an earlier run."""
        stale = [one.key async for one in self._objects.find(tracks_prefix(video_id)) if one.key not in kept]
        if stale:
            await self._objects.delete(stale)
