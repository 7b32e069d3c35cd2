"""Recorders for tests: real segments of a generated stream, on a real database and object store."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import av
from prometheus_client import CollectorRegistry

from sightline.bootstrap import Platform
from sightline.cameras.recording import Recorder, RecorderParts, RecordingMetrics, RecordingSettings, open_recorder
from sightline.cameras.recording.segments import FinishedSegment, SegmentWriter
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.security import create_camera
from support.camera_stream import FPS, camera_stream
from support.waiting import until

START_S = 1_772_000_000.0
START = datetime.fromtimestamp(START_S, UTC)
SEGMENT_S = 2.0


@cache
def _coded(seconds: int) -> tuple[tuple[FinishedSegment, bytes], ...]:
    """Segments of a stream with their content, made once per process."""
    with TemporaryDirectory() as name:
        directory = Path(name)
        stream = camera_stream(seconds)
        writer = SegmentWriter(directory, stream.video, segment_s=SEGMENT_S)
        found: list[FinishedSegment] = []
        for number, packet in enumerate(stream.packets()):
            found += writer.write(packet, START_S + number / FPS)
        found += writer.close()
        return tuple((segment, (directory / segment.name).read_bytes()) for segment in found)


def segments_in(directory: Path, seconds: int) -> list[FinishedSegment]:
    """Finished segments of two seconds each from `START` on, whose files are in the directory."""
    for segment, content in _coded(seconds):
        (directory / segment.name).write_bytes(content)
    return [segment for segment, _ in _coded(seconds)]


@dataclass(slots=True)
class RecorderRig:
    recorder: Recorder
    directory: Path
    camera_key: UUID
    platform: Platform
    registry: CollectorRegistry

    async def keep(self, segments: Iterable[FinishedSegment]) -> None:
        for segment in segments:
            await self.recorder.keep(segment)

    async def stored(self) -> list[int]:
        """Numbers of the stored segments that are kept."""
        rows = await self.rows(
            "SELECT number FROM recordings WHERE camera_key = $1 AND state = 'stored' AND expires_at IS NULL ORDER BY 1",
            self.camera_key,
        )
        return [row["number"] for row in rows]

    async def until_stored(self, numbers: Iterable[int]) -> None:
        expected = list(numbers)

        async def is_so() -> bool:
            return await self.stored() == expected

        await until(is_so)

    async def rows(self, statement: str, *arguments: Any) -> list[Any]:
        async with self.platform.database.transaction() as tx:
            return list(await tx.fetch(statement, *arguments))


async def add_camera(platform: Platform, camera_id: str = "front_door", owner_id: UUID = LOCAL_OWNER_ID) -> UUID:
    async with platform.database.transaction() as tx:
        camera = await create_camera(tx, camera_id=camera_id, name=camera_id.title(), owner_id=owner_id)
    return camera.camera_key


async def add_event(
    platform: Platform,
    started_at: datetime,
    ended_at: datetime,
    *,
    camera_id: str = "front_door",
    owner_id: UUID = LOCAL_OWNER_ID,
) -> int:
    """An event of the camera, as the rules would have made it."""
    async with platform.database.transaction() as tx:
        found = await tx.fetchval(
            "INSERT INTO events (batch_id, camera_id, owner_id, risk_score, summary, reasoning, assessor, object_types,"
            " started_at, ended_at) VALUES ('batch-' || substr(md5(random()::text), 1, 8), $1, $2, 70, 'A person', 'Seen',"
            " 'rules', '{person}', $3, $4) RETURNING id",
            camera_id,
            owner_id,
            started_at,
            ended_at,
        )
    return int(found)


async def recorded(
    platform: Platform, directory: Path, seconds: int, *, at: datetime = START, camera_key: UUID | None = None
) -> UUID:
    """A camera of which so many seconds are stored, as if they were filmed at that time."""
    async with recorder_rig(platform, directory, camera_key=camera_key) as rig:
        segments = segments_in(rig.directory, seconds)
        for one in segments:
            await rig.recorder.keep(replace(one, started_at=one.started_at + (at - START)))
        await rig.until_stored(range(len(segments)))
        return rig.camera_key


async def recorded_clip(
    platform: Platform, directory: Path, clip: Path, *, at: datetime = START, camera_key: UUID | None = None
) -> UUID:
    """A camera of which a clip is stored, as if it was filmed at that time."""
    async with recorder_rig(platform, directory, camera_key=camera_key) as rig:
        with av.open(str(clip)) as container:
            stream = container.streams.video[0]
            writer = SegmentWriter(rig.directory, stream, segment_s=SEGMENT_S)
            found: list[FinishedSegment] = []
            for packet in container.demux(stream):
                if packet.size and packet.pts is not None:
                    found += writer.write(packet, at.timestamp() + float(packet.pts * packet.time_base))
            found += writer.close()
        before = len(await rig.stored())
        await rig.keep(found)

        async def is_stored() -> bool:
            return len(await rig.stored()) == before + len(found)

        await until(is_stored)
        return rig.camera_key


@asynccontextmanager
async def recorder_rig(
    platform: Platform,
    directory: Path,
    *,
    mode: Any = "continuous",
    camera_key: UUID | None = None,
    objects: Any = None,
    now: datetime = START,
    **settings: Any,
) -> AsyncIterator[RecorderRig]:
    """A recorder of one camera whose process writes into the directory."""
    registry = CollectorRegistry()
    parts = RecorderParts(
        platform.database,
        objects or platform.objects,
        platform.scratch,
        RecordingSettings(**settings),
        RecordingMetrics(registry),
        platform.listener,
        clock=lambda: now,
    )
    await asyncio.to_thread(directory.mkdir, exist_ok=True)
    key = camera_key or await add_camera(platform)
    async with open_recorder(parts, key, mode=mode, directory=directory) as recorder:
        yield RecorderRig(recorder, directory, key, platform, registry)
