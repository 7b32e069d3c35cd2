"""The measured use of storage in the database, where every process reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.usage import request_checks

_sql = load_queries(Path(__file__).with_name("usage.sql"))


@dataclass(frozen=True, slots=True)
class UsageRow:
    kind: str
    bytes: int
    objects: int
    measured_at: datetime


async def save_usage(tx: Transaction, figures: Mapping[str, tuple[int, int]]) -> None:
    """Bytes and objects by kind; they replace those of the measurement before."""
    await _sql["save_usage"].run(
        tx,
        kinds=list(figures),
        bytes=[size for size, _ in figures.values()],
        objects=[count for _, count in figures.values()],
    )


async def save_owner_usage(tx: Transaction, by_video: Mapping[UUID, int], originals: Mapping[UUID, int]) -> None:
    """What each owner has stored today; `by_video` with originals. Recordings count towards quotas as they are measured."""
    saved = await _sql["save_owner_usage"].rows(
        tx,
        video_ids=list(by_video),
        bytes=list(by_video.values()),
        originals=[originals.get(video_id, 0) for video_id in by_video],
    )
    await request_checks(tx, [row["owner_id"] for row in saved if row["measure"] == "stored_recordings_bytes"])


async def move_stored(
    tx: Transaction, from_owner: UUID, to_owner: UUID, *, originals_bytes: int, derived_bytes: int
) -> None:
    await _sql["move_stored"].run(
        tx,
        from_owner=from_owner,
        to_owner=to_owner,
        originals_bytes=originals_bytes,
        derived_bytes=derived_bytes,
    )


async def load_usage(tx: Transaction) -> list[UsageRow]:
    return [UsageRow(**dict(row)) for row in await _sql["load_usage"].rows(tx)]


async def database_bytes(tx: Transaction) -> int:
    return int(await _sql["database_bytes"].value(tx))
