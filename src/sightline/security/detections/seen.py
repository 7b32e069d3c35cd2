"""What was reported of a camera at some time, by whatever detector."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.geometry import Box

_sql = load_queries(Path(__file__).with_name("seen.sql"))


@dataclass(frozen=True, slots=True)
class SeenBefore:
    object_type: str
    since: datetime
    until: datetime
    """The same moment, but of archived events."""
    box: Box | None
    track_id: str | None


async def seen_between(tx: Transaction, camera_key: UUID, since: datetime, until: datetime) -> Sequence[SeenBefore]:
    rows = await _sql["seen_between"].rows(tx, camera_key=camera_key, since=since, until=until)
    return [
        SeenBefore(
            row["object_type"],
            row["since"],
            row["until"],
            None if row["box"] is None else (row["box"][0], row["box"][1], row["box"][2], row["box"][3]),
            row["track_id"],
        )
        for row in rows
    ]
