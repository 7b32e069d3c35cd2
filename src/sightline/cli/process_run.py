"""Runs one local file through the pipeline, on a platform that is running or on one started for it, and watches its stages."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psutil

from sightline.bootstrap import Platform, addresses, embedded_postgres, open_platform
from sightline.cli.connect import open_running
from sightline.config import Settings
from sightline.contracts.identity import LOCAL_OWNER
from sightline.db import migrate
from sightline.errors import InvalidInput, PermanentFailure
from sightline.jobs import JobRecord, list_jobs
from sightline.objects import frames_prefix, original_key
from sightline.observability import create_registry
from sightline.roles import services_of
from sightline.state_directory import StateDirectory
from sightline.supervisor import Supervisor
from sightline.text import EntityOccurrence, SegmentFilter, TextSegment, list_entities, list_segments
from sightline.videos import PIPELINE_STAGES, NewVideo, Video, VideoStatus, need_video

LOOK_EVERY_S = 0.25
"""Looking costs some milliseconds: every process of the machine is asked for."""
PAGE = 10_000


@dataclass
class Stage:
    name: str
    wall_s: float = 0.0
    cpu_s: float = 0.0
    progress: float = 0.0
    doing: str = ""
    status: str = "waiting"


@dataclass
class Processed:
    """What came of a file."""

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


async def process(settings: Settings, file: Path, tell: Callable[[list[Stage]], None]) -> Processed:
    """Takes the file in, has it worked on, and reads what was found."""
    if not await asyncio.to_thread(_is_file_with_content, file):
        raise InvalidInput(f"{file} is no file, or holds nothing")
    async with _platform(settings) as (platform, worker_pid):
        video_id = await _take_in(platform, file)
        stages = await _watch(platform, video_id, worker_pid, tell)
        async with platform.database.transaction() as tx:
            video = await need_video(tx, video_id)
            if video.status is VideoStatus.FAILED:
                raise PermanentFailure(f"{file}: {video.error_reason}")
            segments, _ = await list_segments(tx, video_id, SegmentFilter(), skip=0, most=PAGE)
            entities, _ = await list_entities(tx, video_id, entity_type=None, value=None, skip=0, most=PAGE)
        frames = len([one async for one in platform.objects.find(frames_prefix(video_id))])
        return Processed(video, stages, segments, entities, frames)


def _is_file_with_content(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0


@asynccontextmanager
async def _platform(settings: Settings) -> AsyncIterator[tuple[Platform, int]]:
    """The platform on the state directory, and the process that works for it: somebody's who runs it, or else ours."""
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
                    await supervisor.start(platform.listener)
                    for service in (*services_of("work", platform), *services_of("consume", platform)):
                        await supervisor.start(service)
                    yield platform, psutil.Process().pid
                finally:
                    await supervisor.stop(after=postgres)
        finally:
            await supervisor.stop()


async def _take_in(platform: Platform, file: Path) -> UUID:
    video_id = uuid4()
    stored = await platform.objects.put_file(original_key(video_id), file)
    new = NewVideo(video_id, LOCAL_OWNER.user_id, file.name, owner_email=LOCAL_OWNER.email, size_bytes=stored.size)
    await platform.completion.adopt(stored, new)
    return video_id


async def _watch(
    platform: Platform, video_id: UUID, worker_pid: int, tell: Callable[[list[Stage]], None]
) -> list[Stage]:
    """Looks at the jobs until the video is ready or has failed. CPU time goes to the stage that runs while it is used."""
    stages = {stage.job_type: Stage(stage.job_type) for stage in PIPELINE_STAGES}
    used = _cpu_s(worker_pid)
    while True:
        async with platform.database.transaction() as tx:
            video = await need_video(tx, video_id)
            jobs = await list_jobs(tx, video_id=video_id)
        running = [_follow(stages[job.job_type], job) for job in jobs if job.job_type in stages]
        now = _cpu_s(worker_pid)
        for stage in [stage for stage in running if stage.status == "processing"][:1]:
            stage.cpu_s += now - used
        used = now
        tell(list(stages.values()))
        if video.status.is_final:
            return list(stages.values())
        await asyncio.sleep(LOOK_EVERY_S)


def _follow(stage: Stage, job: JobRecord) -> Stage:
    stage.status, stage.progress, stage.doing = job.status, job.progress, job.progress_message or ""
    if job.started_at is not None:
        end = job.finished_at.timestamp() if job.finished_at else time.time()
        stage.wall_s = max(0.0, end - job.started_at.timestamp())
    return stage


def _cpu_s(pid: int) -> float:
    """CPU time of a process and all that came of it, the database aside."""
    total = 0.0
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(pid)
        for process in (parent, *parent.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                if not process.name().startswith("postgres"):
                    times = process.cpu_times()
                    total += times.user + times.system + times.children_user + times.children_system
    return total
