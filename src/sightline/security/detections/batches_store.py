"""Reads and writes batches and the detections in them."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.errors import NotFound
from sightline.security.activity import BASELINE_DAYS, Baseline, OtherCameraActivity
from sightline.security.camera import Camera
from sightline.security.detections.detection import Detection, NewDetection

CloseReason = Literal["age", "idle", "full", "fast_path", "resolved"]
MAX_DETECTIONS_PER_BATCH = 10_000

_sql = load_queries(Path(__file__).with_name("batches.sql"))


@dataclass(frozen=True, slots=True)
class Batch:
    batch_id: str
    camera_id: str
    state: Literal["open", "closed", "assessed", "failed"]
    detection_count: int
    started_at: datetime
    ended_at: datetime
    opened_at: datetime
    closed_at: datetime | None
    close_reason: CloseReason | None


@dataclass(slots=True)
class OpenBatch:
    batch_id: str
    detection_count: int
    over: CloseReason | None


@dataclass(frozen=True, slots=True)
class TrackBatch:
    """The batch that has a track's latest sighting, and what its event says of the track already."""

    track_id: str
    batch: OpenBatch
    is_resolved: bool
    behaviours: frozenset[str]


def new_batch_id() -> str:
    return f"batch-{secrets.token_hex(4)}"


async def lock_cameras(tx: Transaction, camera_keys: Sequence[UUID], *, pause_s: float) -> dict[UUID, int]:
    """By camera: the points of its last detection on the fast path, 0 after its pause. A removed camera is left out."""
    rows = await _sql["lock_cameras"].rows(tx, camera_keys=list(camera_keys), pause_s=pause_s)
    return {row["camera_key"]: row["recent_points"] for row in rows}


async def note_fast_path(tx: Transaction, camera_key: UUID, *, points: int) -> None:
    await _sql["note_fast_path"].run(tx, camera_key=camera_key, points=points)


async def known_sources(tx: Transaction, sources: Sequence[tuple[UUID, str]]) -> set[tuple[UUID, str]]:
    if not sources:
        return set()
    rows = await _sql["known_sources"].rows(
        tx, camera_keys=[camera_key for camera_key, _ in sources], source_ids=[source_id for _, source_id in sources]
    )
    return {(row["camera_key"], row["source_id"]) for row in rows}


async def open_batch(tx: Transaction, camera_key: UUID, *, age_s: float, idle_s: float) -> OpenBatch | None:
    row = await _sql["open_batch"].row(tx, camera_key=camera_key, age_s=age_s, idle_s=idle_s)
    return None if row is None else OpenBatch(**row)


async def batches_of_tracks(
    tx: Transaction, camera_key: UUID, track_ids: Sequence[str], *, max_age_s: float
) -> dict[str, TrackBatch]:
    rows = await _sql["batches_of_tracks"].rows(
        tx,
        camera_key=camera_key,
        track_ids=list(track_ids),
        max_age_s=max_age_s,
        max_detections=MAX_DETECTIONS_PER_BATCH,
    )
    batches = {row["batch_id"]: OpenBatch(row["batch_id"], row["detection_count"], None) for row in rows}
    return {
        row["track_id"]: TrackBatch(
            row["track_id"], batches[row["batch_id"]], row["is_resolved"], frozenset(row["behaviours"])
        )
        for row in rows
    }


async def request_early(tx: Transaction, batch_id: str, *, pause_s: float) -> bool:
    """False if the event of the batch was asked for within the pause."""
    return await _sql["request_early"].value(tx, batch_id=batch_id, pause_s=pause_s) is not None


async def begin_batch(
    tx: Transaction,
    first: NewDetection,
    *,
    close_reason: CloseReason | None = None,
    new_id: Callable[[], str] = new_batch_id,
) -> OpenBatch:
    """Eight hex digits are few: an id that is taken is drawn anew. With a reason it is closed from its beginning."""
    while True:
        batch_id = await _sql["insert_batch"].value(
            tx,
            batch_id=new_id(),
            camera_key=first.camera_key,
            camera_id=first.camera_id,
            started_at=first.detected_at,
            ended_at=first.detected_at,
            close_reason=close_reason,
        )
        if batch_id is not None:
            return OpenBatch(batch_id, 0, None)


async def add_detections(tx: Transaction, batch: OpenBatch, detections: Sequence[NewDetection]) -> list[int]:
    """Their ids, in order."""
    boxes = [found.box or (None,) * 4 for found in detections]
    rows = await _sql["insert_detections"].rows(
        tx,
        batch_id=batch.batch_id,
        camera_key=detections[0].camera_key,
        camera_id=detections[0].camera_id,
        object_types=[found.object_type for found in detections],
        confidences=[found.confidence for found in detections],
        detected_at=[found.detected_at for found in detections],
        xs=[box[0] for box in boxes],
        ys=[box[1] for box in boxes],
        widths=[box[2] for box in boxes],
        heights=[box[3] for box in boxes],
        image_keys=[found.image_key for found in detections],
        attributes=[_encode(found.attributes) for found in detections],
        source_ids=[found.source_id for found in detections],
    )
    batch.detection_count += len(rows)
    return [row["id"] for row in rows]


async def close_batch(tx: Transaction, batch_id: str, reason: CloseReason) -> bool:
    return await _sql["close_batch"].run(tx, batch_id=batch_id, reason=reason) == 1


async def is_any_open(tx: Transaction) -> bool:
    found: bool = await _sql["is_any_open"].value(tx)
    return found


async def close_due(tx: Transaction, *, age_s: float, idle_s: float, limit: int) -> list[tuple[str, CloseReason]]:
    rows = await _sql["close_due"].rows(tx, age_s=age_s, idle_s=idle_s, limit=limit)
    return [(row["batch_id"], row["close_reason"]) for row in rows]


async def get_batch(tx: Transaction, batch_id: str) -> Batch | None:
    row = await _sql["get_batch"].row(tx, batch_id=batch_id)
    return None if row is None else Batch(**row)


async def need_batch(tx: Transaction, batch_id: str) -> Batch:
    found = await get_batch(tx, batch_id)
    if found is None:
        raise unknown_batch(batch_id)
    return found


async def lock_batch(tx: Transaction, batch_id: str) -> Batch:
    row = await _sql["lock_batch"].row(tx, batch_id=batch_id)
    if row is None:
        raise unknown_batch(batch_id)
    return Batch(**row)


def unknown_batch(batch_id: str) -> NotFound:
    return NotFound(f"no batch {batch_id}", code="BATCH_NOT_FOUND")


async def detections_of(tx: Transaction, batch_id: str, *, limit: int = MAX_DETECTIONS_PER_BATCH) -> list[Detection]:
    return [Detection(**row) for row in await _sql["detections_of"].rows(tx, batch_id=batch_id, limit=limit)]


async def best_detections_of(tx: Transaction, batch_ids: Sequence[str]) -> list[Detection]:
    """The most certain detection of each kind in each batch."""
    return [Detection(**row) for row in await _sql["best_detections_of"].rows(tx, batch_ids=list(batch_ids))]


async def recent_detections(
    tx: Transaction, *, camera_id: str | None, video_id: UUID | None = None, before: int | None, limit: int
) -> list[Detection]:
    rows = await _sql["recent_detections"].rows(
        tx, camera_id=camera_id, video_id=None if video_id is None else str(video_id), before=before, limit=limit
    )
    return [Detection(**row) for row in rows]


async def settle_batch(tx: Transaction, batch_id: str, state: Literal["assessed", "failed"]) -> bool:
    return await _sql["settle_batch"].run(tx, batch_id=batch_id, state=state) == 1


async def baselines_of(tx: Transaction, camera: Camera, at: datetime, kinds: Sequence[str]) -> list[Baseline]:
    """What is usual at this camera at about this hour, by the days before."""
    local = camera.local(at)
    hours = [(local.hour + step) % 24 for step in (-1, 0, 1)]
    rows = await _sql["baselines"].rows(
        tx, camera_key=camera.camera_key, day=local.date(), days=BASELINE_DAYS, hours=hours, kinds=list(kinds)
    )
    return [Baseline(**row) for row in rows]


async def note_activity(tx: Transaction, batch_id: str, *, zone: str) -> None:
    await _sql["note_activity"].run(tx, batch_id=batch_id, zone=zone)


async def seen_elsewhere(
    tx: Transaction, camera: Camera, *, since: datetime, until: datetime, span: timedelta
) -> list[OtherCameraActivity]:
    rows = await _sql["elsewhere"].rows(
        tx,
        camera_key=camera.camera_key,
        owner_id=camera.owner_id,
        team_id=camera.team_id,
        around=since,
        since=since - span,
        until=until + span,
    )
    return [OtherCameraActivity(**row) for row in rows]


def _encode(attributes: Mapping[str, Any]) -> str:
    return json.dumps(dict(attributes), separators=(",", ":"), ensure_ascii=False)
