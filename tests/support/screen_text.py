"""Videos with known text but without pictures: the readings that ocr would store, and their index."""

from typing import Any
from uuid import UUID, uuid4

from sightline.bus import Names, PostgresBus, default_topology
from sightline.db import Database, Listener
from sightline.text import Box, SegmentIndexJob, TextReading, TextSettings, replace_readings
from sightline.videos import VideoMoves

OWNER = UUID("00000000-0000-0000-0000-0000000000aa")
PLACE = Box(10, 20, 200, 30)


def reading(text: str, t_start: int, t_end: int, **others: Any) -> TextReading:
    values: dict[str, Any] = {"confidence": 0.9, "box": PLACE} | others
    return TextReading(text=text, t_start=t_start, t_end=t_end, **values)


def one_after_another(*texts: str) -> list[TextReading]:
    """Each text for one second, at its own position."""
    return [
        reading(text, at * 1000, at * 1000 + 1000, box=Box(10, 20 + at * 40, 200, 30)) for at, text in enumerate(texts)
    ]


async def insert_video(
    database: Database,
    *,
    owner: UUID = OWNER,
    team: UUID | None = None,
    status: str = "PRINTING",
    name: str = "lecture.mp4",
) -> UUID:
    video_id = uuid4()
    async with database.transaction() as tx:
        await tx.execute(
            "INSERT INTO videos (id, owner_id, team_id, name, status, duration_ms) VALUES ($1, $2, $3, $4, $5, 60000)",
            video_id,
            owner,
            team,
            name,
            status,
        )
    return video_id


async def moves_on(database: Database, url: str) -> VideoMoves:
    bus = PostgresBus(database, Listener(url), default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    return VideoMoves(bus, page_url="https://example.com/")


async def read_and_index(database: Database, moves: VideoMoves, video_id: UUID, readings: list[TextReading]) -> int:
    """Stores readings as ocr does, then runs segment_index."""
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, readings, from_ms=0, until_ms=None)
    return await index(database, moves, video_id)


async def index(database: Database, moves: VideoMoves, video_id: UUID) -> int:
    async with database.transaction() as tx:
        return await SegmentIndexJob(moves, TextSettings()).index(tx, video_id)
