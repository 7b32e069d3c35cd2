"""One local file through the pipeline, on the running platform or on one that is started for it, with progress by stage."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psutil

from sightline.bootstrap import Platform, addresses, embedded_postgres, open_platform
from sightline.cli.connect import open_running
from sightline.cli.video_file import check_video_file
from sightline.config import Settings
from sightline.contracts.identity import LOCAL_OWNER
from sightline.db import migrate
from sightline.errors import PermanentFailure
from sightline.jobs import JobRecord, list_jobs
from sightline.objects import frames_prefix, original_key
from sightline.observability import create_registry
from sightline.roles import services_of, services_of_every_process
from sightline.state_directory import StateDirectory
from sightline.supervisor import Supervisor
from sightline.text import EntityOccurrence, SegmentFilter, TextSegment, list_entities, list_segments
from sightline.videos import PIPELINE_STAGES, NewVideo, Video, VideoStatus, need_video

SPEECH = "transcribe"
"""Runs beside the pipeline, if speech recognition is installed and the file has sound."""
POLL_EVERY_S = 0.25  # each poll takes some milliseconds, because it goes through all processes of the machine
MAX_RESULTS = 10_000


@dataclass
class Stage:
    """Progress of one pipeline stage."""

    name: str
    wall_s: float = 0.0
    cpu_s: float = 0.0
    progress: float = 0.0
    doing: str = ""
    status: str = "waiting"


@dataclass
class Processed:
    """The result of one file."""

    video: Video
    stages: list[Stage]
    segments: list[TextSegment] = field(default_factory=list)
    entities: list[EntityOccurrence] = field(default_factory=list)
    frames: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "video_id": str(self.video.id),
            "duration_ms": self.video.duration_ms,
            "stages": [
                {"name": stage.name, "wall_s": round(stage.wall_s, 3), "cpu_s": round(stage.cpu_s, 3)}
                for stage in self.stages
            ],
            "segments": [
                {
                    "kind": segment.kind,
                    "text": segment.text,
                    "t_start": segment.t_start,
                    "t_end": segment.t_end,
                    "confidence": round(segment.confidence, 4),
                    "bounding_box": segment.box.to_json(),
                }
                for segment in self.segments
            ],
            "entities": [
                {
                    "entity_type": entity.entity_type,
                    "value": entity.value,
                    "normalized_value": entity.normalized_value,
                    "t_start": entity.t_start,
                    "t_end": entity.t_end,
                }
                for entity in self.entities
            ],
            "frames": self.frames,
        }


Export = Callable[[Platform, Video], Awaitable[None]]


async def process(
    settings: Settings, file: Path, report: Callable[[list[Stage]], None], export: Export | None = None
) -> Processed:
    """Stores the file, waits until it is processed and its speech is transcribed, exports it, and reads the results."""
    await asyncio.to_thread(check_video_file, file)
    async with _platform(settings) as (platform, worker_pid):
        video_id = await _store(platform, file)
        stages = await _wait_until_processed(platform, video_id, worker_pid, report)
        async with platform.database.transaction() as tx:
            video = await need_video(tx, video_id)
            if video.status is VideoStatus.FAILED:
                raise PermanentFailure(f"{file}: {video.error_reason}")
        if export is not None:
            await export(platform, video)
        async with platform.database.transaction() as tx:
            segments, _ = await list_segments(tx, video_id, SegmentFilter(), offset=0, limit=MAX_RESULTS)
            entities, _ = await list_entities(tx, video_id, entity_type=None, value=None, offset=0, limit=MAX_RESULTS)
        frames = len([one async for one in platform.objects.find(frames_prefix(video_id))])
        return Processed(video, stages, segments, entities, frames)


@asynccontextmanager
async def _platform(settings: Settings) -> AsyncIterator[tuple[Platform, int]]:
    """The platform on the state directory, with the process id of its workers: the running platform, or else one in here."""
    holder = StateDirectory(settings.state_dir).holder()
    if settings.database.url is None and holder is not None:
        async with open_running(settings) as platform:
            yield platform, holder.pid
        return
    registry = create_registry()
    supervisor = Supervisor(registry=registry)
    with StateDirectory(settings.state_dir).held():
        try:
            if (postgres := embedded_postgres(settings)) is not None:
                await supervisor.start(postgres)
            await migrate(addresses(settings).admin)
            async with open_platform(settings, registry=registry) as platform:
                try:
                    for service in (
                        *services_of_every_process(platform),
                        *services_of("work", platform),
                        *services_of("consume", platform),
                    ):
                        await supervisor.start(service)
                    yield platform, psutil.Process().pid
                finally:
                    await supervisor.stop(after=postgres)
        finally:
            await supervisor.stop()


async def _store(platform: Platform, file: Path) -> UUID:
    video_id = uuid4()
    stored = await platform.objects.put_file(original_key(video_id), file)
    new = NewVideo(video_id, LOCAL_OWNER.user_id, file.name, owner_email=LOCAL_OWNER.email, size_bytes=stored.size)
    await platform.completion.adopt(stored, new)
    return video_id


async def _wait_until_processed(
    platform: Platform, video_id: UUID, worker_pid: int, report: Callable[[list[Stage]], None]
) -> list[Stage]:
    """Polls the jobs until the video is ready or has failed. CPU time is counted for the running stage."""
    stages = {stage.job_type: Stage(stage.job_type) for stage in PIPELINE_STAGES}
    used = _cpu_s(worker_pid)
    while True:
        async with platform.database.transaction() as tx:
            video = await need_video(tx, video_id)
            jobs = await list_jobs(tx, video_id=video_id)
        for job in jobs:
            if job.job_type == SPEECH:
                stages.setdefault(SPEECH, Stage(SPEECH))
        running = [_update(stages[job.job_type], job) for job in jobs if job.job_type in stages]
        now = _cpu_s(worker_pid)
        for stage in [stage for stage in running if stage.status == "processing"][:1]:
            stage.cpu_s += now - used
        used = now
        report(list(stages.values()))
        is_speech_over = SPEECH not in stages or stages[SPEECH].status not in ("queued", "processing")
        if video.status.is_final and (is_speech_over or video.status is VideoStatus.FAILED):
            return list(stages.values())
        await asyncio.sleep(POLL_EVERY_S)


def _update(stage: Stage, job: JobRecord) -> Stage:
    stage.status, stage.progress, stage.doing = job.status, job.progress, job.progress_message or ""
    if job.started_at is not None:
        end = job.finished_at.timestamp() if job.finished_at else time.time()
        stage.wall_s = max(0.0, end - job.started_at.timestamp())
    return stage


def _cpu_s(pid: int) -> float:
    """CPU time of a process and its descendants, without the database."""
    total = 0.0
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(pid)
        for process in (parent, *parent.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                if not process.name().startswith("postgres"):
                    times = process.cpu_times()
                    total += times.user + times.system + times.children_user + times.children_system
    return total
