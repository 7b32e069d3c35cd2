"""The job `recording_clip`: the clip of a security event, from what its camera recorded around it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import structlog

from sightline.cameras.recording.clips.clip import CLIP_FILE, POSTER_FILE, PREVIEW_FILE
from sightline.cameras.recording.clips.store import begin_clip, fail_clip, finish_clip
from sightline.cameras.recording.playlist import playable
from sightline.cameras.recording.recording import Recording
from sightline.cameras.recording.settings import RecordingSettings
from sightline.cameras.recording.store import hold_recordings, recordings_between
from sightline.contracts.jobs import RecordingClip
from sightline.db import Database, Transaction
from sightline.errors import PermanentFailure
from sightline.jobs import Job, JobContext, JobLimits, ProcessLimits, Sandbox, Scratch, run_in_process
from sightline.objects import (
    ObjectStore,
    StoredObject,
    event_clip_key,
    event_clip_poster_key,
    event_clip_preview_key,
)

MAX_SEGMENTS = 2000
LIMITS = ProcessLimits(cpu_s=300, memory_bytes=4 * 1024**3, file_bytes=8 * 1024**3, wall_s=600, nice=5)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _CutClip:
    stored: StoredObject
    started_at: datetime
    ended_at: datetime
    left_out: int


class RecordingClipJob(Job[RecordingClip]):
    payload = RecordingClip
    limits = JobLimits(concurrency=1, time_limit=timedelta(minutes=15))

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        scratch: Scratch,
        settings: RecordingSettings,
        may_be_unconfined: bool,
    ) -> None:
        self._database = database
        self._objects = objects
        self._scratch = scratch
        self._hold = timedelta(days=settings.event_days)
        self._limits = ProcessLimits(
            cpu_s=LIMITS.cpu_s,
            memory_bytes=LIMITS.memory_bytes,
            file_bytes=LIMITS.file_bytes,
            wall_s=LIMITS.wall_s,
            nice=LIMITS.nice,
            may_be_unconfined=may_be_unconfined,
        )

    async def run(self, payload: RecordingClip, context: JobContext) -> None:
        async with self._database.transaction() as tx:
            if not await begin_clip(tx, payload):
                return  # removed, or requested anew with another end
            # What the clip is cut from stays until it is cut, and longer.
            await hold_recordings(tx, payload.camera_key, payload.since, payload.until, hold=self._hold)
            found = await recordings_between(
                tx, payload.camera_key, payload.since, payload.until, limit=MAX_SEGMENTS, with_live=True
            )
        recordings = playable(found)
        if not recordings:
            raise PermanentFailure("Nothing was recorded around this event")
        made = await self._cut(payload, recordings, context)
        async with context.finishing() as tx:
            await finish_clip(
                tx,
                payload,
                started_at=made.started_at,
                ended_at=made.ended_at,
                size_bytes=made.stored.size,
                left_out=made.left_out,
            )
        log.info(
            "event_clip.made",
            event_id=payload.event_id,
            segments=len(recordings) - made.left_out,
            bytes=made.stored.size,
        )

    async def on_failed(self, tx: Transaction, payload: RecordingClip, error: dict[str, Any]) -> None:
        await fail_clip(tx, payload, error["message"])

    async def _cut(self, payload: RecordingClip, recordings: list[Recording], context: JobContext) -> _CutClip:
        # Loaded here, so that processes that cut no clips never load a decoder.
        from sightline.cameras.recording.clips.clip_work import cut_event_clip

        base = recordings[0].started_at
        # Segments, the clip of the same size, and once more while its index moves to the front.
        needed = 3 * sum(one.bytes for one in recordings)
        async with self._scratch.directory(needs_bytes=needed) as directory:
            files = []
            for number, one in enumerate(recordings):
                await self._fetch(one.key, directory / f"{number}.mp4")
                files.append({"name": f"{number}.mp4", "starts_s": (one.started_at - base).total_seconds()})
            argument = {
                "files": files,
                "since_s": (payload.since - base).total_seconds(),
                "until_s": (payload.until - base).total_seconds(),
                "event_s": (payload.event_at - base).total_seconds(),
            }
            result = await run_in_process(
                cut_event_clip,
                argument,
                context.progress,
                limits=self._limits,
                directory=directory,
                sandbox=Sandbox(modules=(cut_event_clip.__module__,)),
            )
            match result:
                case {
                    "pictures": int() as pictures,
                    "began_s": float() as began_s,
                    "ended_s": float() as ended_s,
                    "left_out": int() as left_out,
                } if pictures > 0 and 0 <= left_out <= len(recordings):
                    pass
                case _:
                    raise PermanentFailure("What was recorded around this event cannot be read")
            await self._objects.put_file(event_clip_poster_key(payload.event_id), _own(directory / POSTER_FILE))
            await self._objects.put_file(event_clip_preview_key(payload.event_id), _own(directory / PREVIEW_FILE))
            stored = await self._objects.put_file(event_clip_key(payload.event_id), _own(directory / CLIP_FILE))
        return _CutClip(stored, base + timedelta(seconds=began_s), base + timedelta(seconds=ended_s), left_out)

    async def _fetch(self, key: str, into: Path) -> None:
        content = await self._objects.get(key)
        into.write_bytes(content)  # noqa: ASYNC240 - a few megabytes into the page cache


def _own(path: Path) -> Path:
    """Refuses what is not a plain file: the process that wrote it may be compromised."""
    if path.is_symlink() or not path.is_file():
        raise PermanentFailure("What was recorded around this event cannot be read")
    return path
