"""Workers of this process and of others: which job types it runs, the services that follow workers of other programs, and those
of recordings; and how the parts of the jobs `detect`, `transcribe` and `embed` meet."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from sightline.bootstrap import Platform
from sightline.cameras import shapes_of, source_of
from sightline.cameras.detect import CameraOfVideo, DetectJob, EpisodeLimits, VideoSighting
from sightline.cameras.detect.recordings import DetectRecordingJob, FootageUnreadable, KnownSighting
from sightline.cameras.recording.clips import EventClipSweep, RecordingClipJob
from sightline.jobs import ExternalJobs, Job
from sightline.media.input import MediaUnreadable
from sightline.media.looks import VideoLooks, open_looks
from sightline.security import camera_by_key, zones_of
from sightline.security.detections import DetectionImage, NewDetection, seen_between
from sightline.security.events import known_event_ids
from sightline.speech import TranscribeJob, speech_status
from sightline.supervisor import Service
from sightline.text import OnIndexed
from sightline.text.meaning import EmbedJob, enqueue_embedding, meaning_status
from sightline.timing import utc_now
from sightline.videos import CompleteVideo, ReportedStatuses

JobBuilders = Mapping[str, Callable[[Platform], Job[Any]]]


@dataclass(frozen=True, slots=True)
class WorkerChoice:
    """The job types that a process runs, and how many jobs of a type in parallel where that differs from its default."""

    types: tuple[str, ...] | None = None
    """None: all."""
    concurrency: Mapping[str, int] = field(default_factory=dict)


def chosen_jobs(platform: Platform, builders: JobBuilders, choice: WorkerChoice | None) -> list[Job[Any]]:
    chosen = choice or WorkerChoice()
    types = chosen.types or [job_type for job_type in builders if _can_run(platform, job_type)]
    handlers = [builders[job_type](platform) for job_type in types]
    for handler in handlers:
        if (concurrency := chosen.concurrency.get(handler.job_type)) is not None:
            handler.limits = replace(handler.limits, concurrency=concurrency)
    return handlers


def _can_run(platform: Platform, job_type: str) -> bool:
    """A process without the model of a job leaves it to others, unless it is told to do it."""
    settings = platform.settings
    match job_type:
        case "transcribe":
            return speech_status(settings.speech, state_dir=settings.state_dir).is_installed
        case "embed":
            return meaning_status(settings.meaning, state_dir=settings.state_dir).is_installed
    return True


def external_worker_services(platform: Platform, builders: JobBuilders, complete: CompleteVideo) -> list[Service]:
    """Follow workers of other programs. The handler of a type is built when a job of that type is met."""
    built: dict[str, Job[Any]] = {}

    def handler_of(job_type: str) -> Job[Any] | None:
        if job_type not in built and job_type in builders:
            built[job_type] = builders[job_type](platform)
        return built.get(job_type)

    jobs = ExternalJobs(
        platform.database,
        platform.listener,
        handler_of,
        metrics=platform.job_metrics,
        successor_wait=timedelta(seconds=platform.settings.jobs.successor_wait_s),
    )
    reported = ReportedStatuses(platform.database, platform.listener, platform.videos, complete)
    return [jobs.service(), reported.service()]


def recording_clip(platform: Platform) -> RecordingClipJob:
    return RecordingClipJob(
        database=platform.database,
        objects=platform.objects,
        scratch=platform.scratch,
        settings=platform.settings.recording,
        may_be_unconfined=platform.settings.media.allow_unconfined,
    )


def recording_services(platform: Platform) -> list[Service]:
    """Remove what was recorded and is no longer kept."""
    clips = EventClipSweep(platform.database, platform.objects, known_event_ids)
    return [platform.recording_sweep.service(), platform.recording_limits.service(), clips.service()]


def transcribe(platform: Platform) -> TranscribeJob:
    settings = platform.settings
    return TranscribeJob(
        database=platform.database,
        objects=platform.objects,
        settings=settings.speech,
        media=settings.media,
        state_dir=settings.state_dir,
        on_indexed=embed_when_indexed(platform),
    )


def embed(platform: Platform) -> EmbedJob:
    settings = platform.settings
    return EmbedJob(
        database=platform.database,
        settings=settings.meaning,
        state_dir=settings.state_dir,
        may_be_unconfined=settings.media.allow_unconfined,
    )


def embed_when_indexed(platform: Platform) -> OnIndexed:
    """The job `embed` of a video follows its text, where a model is installed or workers elsewhere have one."""
    settings = platform.settings
    is_embedded = settings.meaning.embed == "always" or (
        settings.meaning.embed == "auto" and meaning_status(settings.meaning, state_dir=settings.state_dir).is_installed
    )
    return enqueue_embedding(platform.jobs, is_embedded=is_embedded)


def is_transcribed(platform: Platform) -> bool:
    """Whether new videos are transcribed."""
    settings = platform.settings
    if settings.speech.transcribe == "auto":
        return speech_status(settings.speech, state_dir=settings.state_dir).is_installed
    return settings.speech.transcribe == "always"


def open_video_looks(platform: Platform, readable: str, looks_per_s: float) -> AbstractAsyncContextManager[VideoLooks]:
    return open_looks(readable, settings=platform.settings.media, looks_per_s=looks_per_s)


def detect(platform: Platform) -> DetectJob:
    security = platform.settings.security
    return DetectJob(
        database=platform.database,
        objects=platform.objects,
        scratch=platform.scratch,
        detector=platform.detector,
        open_looks=partial(open_video_looks, platform),
        load_camera=partial(_camera_of_video, platform),
        report=partial(_report_episode, platform),
        episodes=EpisodeLimits(idle_s=security.batch_idle_s, age_s=security.batch_age_s),
    )


def detect_recording(platform: Platform) -> DetectRecordingJob:
    settings = platform.settings

    @asynccontextmanager
    async def open_footage(file: str, looks_per_s: float) -> AsyncIterator[VideoLooks]:
        try:
            async with open_looks(file, settings=settings.media, looks_per_s=looks_per_s) as looks:
                yield looks
        except MediaUnreadable as error:
            raise FootageUnreadable(error.message) from error

    return DetectRecordingJob(
        database=platform.database,
        objects=platform.objects,
        scratch=platform.scratch,
        detector=platform.detector,
        open_looks=open_footage,
        load_camera=partial(_camera_of_video, platform),
        known_between=partial(_known_between, platform),
        report=partial(_report_episode, platform),
        episodes=EpisodeLimits(idle_s=settings.security.batch_idle_s, age_s=settings.security.batch_age_s),
        labels=settings.cameras.labels,
        recording=settings.recording,
    )


async def _known_between(
    platform: Platform, camera_key: UUID, since: datetime, until: datetime
) -> Sequence[KnownSighting]:
    async with platform.database.transaction() as tx:
        seen = await seen_between(tx, camera_key, since, until)
    return [KnownSighting(one.object_type, one.since, one.until, one.box, one.track_id) for one in seen]


async def _camera_of_video(platform: Platform, camera_key: UUID) -> CameraOfVideo | None:
    async with platform.database.transaction() as tx:
        camera = await camera_by_key(tx, camera_key)
        if camera is None:
            return None
        drawn = await zones_of(tx, camera.camera_id, owner_id=camera.owner_id)
        source = await source_of(tx, camera_key)
    only_in_zones = source is not None and source.detect_only_in_zones
    return CameraOfVideo(camera_key, camera.camera_id, shapes_of(drawn, only_in_zones=only_in_zones))


async def _report_episode(
    platform: Platform, camera: CameraOfVideo, sightings: Sequence[VideoSighting], pictures: Sequence[bytes | None]
) -> None:
    """An episode of a recording is a batch of its own, as it would have been when it happened."""
    detections = [
        NewDetection(
            camera_key=camera.camera_key,
            camera_id=camera.camera_id,
            object_type=one.label,
            confidence=one.score,
            detected_at=one.at,
            box=one.box,
            attributes=one.attributes,
            source_id=one.source_id,
        )
        for one in sightings
    ]
    images = [None if picture is None else DetectionImage(picture, "jpg") for picture in pictures]
    await platform.security.incoming.receive_with_images(detections, images, now=utc_now(), is_episode=True)
