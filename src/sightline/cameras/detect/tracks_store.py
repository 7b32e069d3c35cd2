"""Reads and writes the tracks of videos."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.cameras.detect.found_tracks import FoundTrack
from sightline.cameras.detect.track_boxes import thinned
from sightline.db import Transaction, load_queries

TrackCursor = tuple[int, UUID]
"""Start in ms, and id."""
FROM_START: TrackCursor = (-1, UUID(int=0))
_DIGITS = 4

_sql = load_queries(Path(__file__).with_name("tracks.sql"))


@dataclass(frozen=True, slots=True)
class VideoTrack:
    track_id: UUID
    video_id: UUID
    label: str
    label_share: float
    score: float
    t_start: int
    t_end: int
    best_ms: int
    looks: int
    boxes: Sequence[Sequence[float]]
    """[ms, x, y, width, height]; between two of them it moves evenly."""
    direction: str | None
    behaviours: Sequence[dict[str, Any]]
    thumbnail_key: str | None


async def replace_tracks(
    tx: Transaction,
    video_id: UUID,
    found: Sequence[FoundTrack],
    *,
    camera_key: UUID | None,
    thumbnails: dict[str, str],
) -> None:
    """`thumbnails` has the key of each track's picture."""
    await _sql["remove_tracks"].run(tx, video_id=video_id)
    await _sql["insert_track"].run_many(tx, [_columns(one, video_id, camera_key, thumbnails) for one in found])


async def tracks_of_video(
    tx: Transaction, video_id: UUID, *, after: TrackCursor | None = None, limit: int
) -> list[VideoTrack]:
    after_ms, after_id = after or FROM_START
    rows = await _sql["tracks_of_video"].rows(tx, video_id=video_id, after_ms=after_ms, after_id=after_id, limit=limit)
    return [VideoTrack(**row) for row in rows]


def _columns(one: FoundTrack, video_id: UUID, camera_key: UUID | None, thumbnails: dict[str, str]) -> dict[str, Any]:
    boxes = [[at_ms, *(round(value, _DIGITS) for value in box)] for at_ms, box in thinned(one.boxes)]
    return {
        "track_id": UUID(one.track.track_id),
        "video_id": video_id,
        "camera_key": camera_key,
        "label": one.track.label,
        "label_share": one.track.label_share,
        "score": one.track.best_score,
        "t_start": one.boxes[0][0],
        "t_end": one.boxes[-1][0],
        "best_ms": one.best_ms,
        "looks": len(one.boxes),
        "boxes": boxes,
        "direction": one.track.direction,
        "behaviours": [
            behaviour.as_attributes() | {"t_ms": round(behaviour.at * 1000)} for behaviour in one.behaviours
        ],
        "thumbnail_key": thumbnails.get(one.track.track_id),
    }
