"""Reads and writes cameras and their zones."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotFound
from sightline.geometry import Point
from sightline.security.camera import Camera, CameraZone
from sightline.security.camera_shapes import MAX_ZONES, ZoneShape

CameraCursor = tuple[str, UUID]
"""An id and a key: several cameras that a caller sees may have one id."""
BEFORE_ALL: CameraCursor = ("", UUID(int=0))

_sql = load_queries(Path(__file__).with_name("cameras.sql"))


async def create_camera(
    tx: Transaction,
    *,
    camera_id: str,
    name: str,
    owner_id: UUID,
    owner_email: str | None = None,
    team_id: UUID | None = None,
    zone: str = "UTC",
) -> Camera:
    row = await _sql["insert_camera"].row(
        tx,
        camera_id=camera_id,
        name=name,
        owner_id=owner_id,
        owner_email=owner_email,
        team_id=team_id,
        zone=zone,
    )
    if row is None:
        raise Conflict(f"there is a camera {camera_id} already", details={"camera_id": camera_id})
    return Camera(**row)


async def need_camera(tx: Transaction, camera_id: str, *, owner_id: UUID | None = None) -> Camera:
    """The camera of that owner; without one, what the transaction's caller calls so: their own before their team's."""
    if owner_id is None:
        row = await _sql["get_camera"].row(tx, camera_id=camera_id)
    else:
        row = await _sql["get_camera_of"].row(tx, camera_id=camera_id, owner_id=owner_id)
    if row is None:
        raise unknown_camera(camera_id)
    return Camera(**row)


async def camera_by_key(tx: Transaction, camera_key: UUID) -> Camera | None:
    row = await _sql["get_camera_by_key"].row(tx, camera_key=camera_key)
    return None if row is None else Camera(**row)


def unknown_camera(camera_id: str) -> NotFound:
    return NotFound(f"no camera {camera_id}", code="CAMERA_NOT_FOUND", details={"camera_id": camera_id})


async def camera_of_batch(tx: Transaction, batch_id: str) -> Camera:
    row = await _sql["get_camera_of_batch"].row(tx, batch_id=batch_id)
    if row is None:
        raise NotFound(f"no camera of batch {batch_id}", code="CAMERA_NOT_FOUND")
    return Camera(**row)


async def check_cameras(tx: Transaction, camera_ids: Sequence[str]) -> dict[str, UUID]:
    """All of them are there, and the transaction's caller may see them. Returns their keys."""
    rows = await _sql["visible_cameras"].rows(tx, camera_ids=list(camera_ids))
    found = {row["camera_id"]: row["camera_key"] for row in rows}
    for camera_id in camera_ids:
        if camera_id not in found:
            raise unknown_camera(camera_id)
    return found


async def list_cameras(tx: Transaction, *, after: CameraCursor | None = None, limit: int) -> list[Camera]:
    camera_id, camera_key = after or BEFORE_ALL
    rows = await _sql["list_cameras"].rows(tx, after_id=camera_id, after_key=camera_key, limit=limit)
    return [Camera(**row) for row in rows]


async def update_camera(tx: Transaction, camera: Camera, *, name: str, zone: str) -> Camera:
    row = await _sql["update_camera"].row(tx, camera_key=camera.camera_key, name=name, zone=zone)
    if row is None:
        raise unknown_camera(camera.camera_id)
    return Camera(**row)


async def delete_camera(tx: Transaction, camera: Camera) -> None:
    if not await _sql["delete_camera"].run(tx, camera_key=camera.camera_key):
        raise unknown_camera(camera.camera_id)


async def zones_of(tx: Transaction, camera_id: str, *, owner_id: UUID) -> list[CameraZone]:
    return [_zone(row) for row in await _sql["zones_of"].rows(tx, camera_id=camera_id, owner_id=owner_id)]


async def masks_of(tx: Transaction, camera_keys: Sequence[UUID]) -> dict[UUID, list[tuple[Point, ...]]]:
    """The masks of each camera that has any."""
    masks: dict[UUID, list[tuple[Point, ...]]] = {}
    for row in await _sql["masks_of"].rows(tx, camera_keys=list(camera_keys)):
        masks.setdefault(row["camera_key"], []).append(_points(row["polygon"]))
    return masks


async def create_zone(tx: Transaction, camera: Camera, shape: ZoneShape) -> CameraZone:
    if await _sql["count_zones"].value(tx, camera_key=camera.camera_key) >= MAX_ZONES:
        raise Conflict(f"camera {camera.camera_id} has {MAX_ZONES} zones already; delete one first")
    row = await _sql["insert_zone"].row(tx, camera_key=camera.camera_key, camera_id=camera.camera_id, **_columns(shape))
    if row is None:
        raise Conflict(f"camera {camera.camera_id} has a zone {shape.name!r} already")
    return _zone(row)


async def change_zone(tx: Transaction, camera: Camera, zone_id: int, shape: ZoneShape) -> CameraZone:
    try:
        row = await _sql["change_zone"].row(
            tx, camera_key=camera.camera_key, camera_id=camera.camera_id, zone_id=zone_id, **_columns(shape)
        )
    except asyncpg.UniqueViolationError as error:
        raise Conflict(f"camera {camera.camera_id} has a zone {shape.name!r} already") from error
    if row is None:
        raise _unknown_zone(camera, zone_id)
    return _zone(row)


async def delete_zone(tx: Transaction, camera: Camera, zone_id: int) -> None:
    if not await _sql["delete_zone"].run(tx, camera_key=camera.camera_key, zone_id=zone_id):
        raise _unknown_zone(camera, zone_id)


def _unknown_zone(camera: Camera, zone_id: int) -> NotFound:
    return NotFound(f"camera {camera.camera_id} has no zone {zone_id}", code="ZONE_NOT_FOUND")


def _columns(shape: ZoneShape) -> dict[str, Any]:
    return {
        "name": shape.name,
        "kind": shape.kind,
        "polygon": [list(point) for point in shape.polygon],
        "loiter_s": shape.loiter_s,
        "direction": shape.direction,
    }


def _zone(row: asyncpg.Record) -> CameraZone:
    polygon = _points(row["polygon"])
    return CameraZone(
        row["zone_id"], row["camera_id"], row["name"], row["kind"], polygon, row["loiter_s"], row["direction"]
    )


def _points(polygon: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in polygon)
