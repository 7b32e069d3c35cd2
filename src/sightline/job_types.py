"""The types of jobs: what builds the job of each, and its worker. A feature adds its job here, a line."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from sightline.access import access_key_secret
from sightline.bootstrap import Platform
from sightline.contracts.jobs import CaptionKind
from sightline.db import Transaction
from sightline.jobs import ClaimedJob, Job, OnJobFailed, Worker, call_on_failed
from sightline.media.clips import MAX_CUES, ClipCue, ClipGenerateJob
from sightline.media.sampling import SampleJob
from sightline.media.stream import TranscodeJob
from sightline.objects import job_log_key
from sightline.personal_data import PersonErasureJob, PersonExportJob, PersonParts
from sightline.security import EnrichEventJob, RetentionJob
from sightline.techniques import AnalyzeJob, AnalyzerParts, build_analyzer
from sightline.text import OcrJob, PictureReader, SegmentIndexJob, models_directory
from sightline.text.exports import caption_text, pages_of_segments
from sightline.worker_services import (
    detect,
    detect_recording,
    embed,
    embed_when_indexed,
    is_transcribed,
    open_video_looks,
    recording_clip,
    transcribe,
)


def transcode(platform: Platform) -> TranscodeJob:
    return TranscodeJob(
        database=platform.database,
        objects=platform.objects,
        jobs=platform.jobs,
        videos=platform.videos,
        scratch=platform.scratch,
        settings=platform.settings.media,
        is_transcribed=partial(is_transcribed, platform),
    )


def sample(platform: Platform) -> SampleJob:
    return SampleJob(
        database=platform.database,
        objects=platform.objects,
        jobs=platform.jobs,
        videos=platform.videos,
        scratch=platform.scratch,
        settings=platform.settings.media,
        languages=lambda: platform.settings.text.languages,
    )


def ocr(platform: Platform) -> OcrJob:
    return OcrJob(
        database=platform.database,
        objects=platform.objects,
        jobs=platform.jobs,
        videos=platform.videos,
        scratch=platform.scratch,
        settings=platform.settings.text,
        models=models_directory(platform.settings.state_dir),
        may_be_unconfined=platform.settings.media.allow_unconfined,
    )


def segment_index(platform: Platform) -> SegmentIndexJob:
    return SegmentIndexJob(platform.videos, platform.settings.text, embed_when_indexed(platform))


def clip_generate(platform: Platform) -> ClipGenerateJob:
    return ClipGenerateJob(
        database=platform.database,
        objects=platform.objects,
        scratch=platform.scratch,
        settings=platform.settings.media,
        read_captions=partial(_read_captions, platform),
    )


async def _read_captions(
    platform: Platform, video_id: UUID, kind: CaptionKind, start_ms: int, end_ms: int
) -> list[ClipCue]:
    """Text and speech for the captions of a clip. The features do not know each other."""
    wanted = None if kind == "both" else kind
    pages = pages_of_segments(platform.database.transaction, video_id, kind=wanted, from_ms=start_ms, until_ms=end_ms)
    cues: list[ClipCue] = []
    async for page in pages:
        cues += [ClipCue(one.t_start, one.t_end, caption_text(one, kind)) for one in page]
        if len(cues) >= MAX_CUES:
            break
    return cues[:MAX_CUES]


def analyze(platform: Platform) -> AnalyzeJob:
    settings = platform.settings
    parts = AnalyzerParts(
        settings.techniques,
        platform.objects,
        platform.registry,
        open_looks=partial(open_video_looks, platform),
        vision=settings.vision,
        state_dir=settings.state_dir,
        may_be_unconfined=settings.media.allow_unconfined,
    )
    return AnalyzeJob(
        platform.database, platform.objects, platform.bus, choose=lambda name: build_analyzer(name, parts)
    )


def enrich_event(platform: Platform) -> EnrichEventJob:
    """The reader of text on screen also reads pictures of events; the features do not know each other."""
    settings, read = platform.settings, None
    if settings.security.read_picture_text:
        models, unconfined = models_directory(settings.state_dir), settings.media.allow_unconfined
        read = PictureReader(platform.scratch, settings.text, models=models, may_be_unconfined=unconfined).read
    return EnrichEventJob(platform.database, platform.live, platform.objects, read)


def retention(platform: Platform) -> RetentionJob:
    return RetentionJob(platform.security.cleaner)


def person_export(platform: Platform) -> PersonExportJob:
    return PersonExportJob(
        platform.database,
        platform.objects,
        platform.open_messages.store,
        platform.scratch,
        keep=timedelta(hours=platform.settings.people.export_keep_hours),
    )


def person_parts(platform: Platform) -> PersonParts:
    settings = platform.settings
    return PersonParts(
        platform.database,
        platform.objects,
        platform.audit,
        platform.removals,
        platform.recording_sweep.sweep,
        platform.open_bus.registry,
        platform.camera_folders,
        access_key_secret(settings.auth.access_key_secret, settings.state_dir.absolute()),
    )


JOBS: dict[str, Callable[[Platform], Job[Any]]] = {
    "transcode": transcode,
    "sample": sample,
    "ocr": ocr,
    "segment_index": segment_index,
    "clip_generate": clip_generate,
    "analyze": analyze,
    "assess_risk": lambda platform: platform.security.assess_risk,
    "refine_risk": lambda platform: platform.security.refine_risk,
    "enrich_event": enrich_event,
    "retention": retention,
    "recording_clip": recording_clip,
    "detect": detect,
    "detect_recording": detect_recording,
    "transcribe": transcribe,
    "embed": embed,
    "person_export": person_export,
    "person_erasure": lambda platform: PersonErasureJob(person_parts(platform)),
}
"""What builds the job of each type."""


def failed_job_handler(platform: Platform) -> OnJobFailed:
    """Calls `on_failed` of a job that is failed by hand, in a process that runs no workers. Builds that job alone."""

    async def on_failed(tx: Transaction, job: ClaimedJob, error: dict[str, Any]) -> None:
        if (build := JOBS.get(job.job_type)) is not None:
            await call_on_failed(build(platform), tx, job, error)

    return on_failed


def worker_for(handler: Job[Any], platform: Platform) -> Worker:
    async def store_log(job_id: UUID, content: bytes) -> None:
        await platform.objects.put(job_log_key(job_id), content)

    async def publish_progress(job: ClaimedJob, progress: float, message: str | None) -> None:
        if job.video_id is not None:
            await platform.progress.job_progressed(job.id, job.job_type, job.video_id, progress, message)

    return Worker(
        handler,
        database=platform.database,
        listener=platform.listener,
        settings=platform.settings.jobs,
        metrics=platform.job_metrics,
        store_log=store_log if platform.settings.jobs.store_logs else None,
        publish_progress=publish_progress,
    )
