"""Reads and writes the picture sources of cameras."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from sightline.cameras.source import CameraSource, SourceChange
from sightline.db import Transaction, load_queries

CHANGED_CHANNEL = "camera_sources"
"""Notified with a camera's key when its source, its zones or who looks at it changed."""

VIEWED_FOR = timedelta(seconds=20)

_sql = load_queries(Path(__file__).with_name("sources.sql"))


async def create_source(tx: Transaction, camera_key: UUID, change: SourceChange) -> None:
    await _sql["insert_source"].value(tx, camera_key=camera_key, **asdict(change))
    await notify_changed(tx, camera_key)


async def replace_source(tx: Transaction, camera_key: UUID, change: SourceChange) -> None:
    """Creates it if the camera had none."""
    if not await _sql["update_source"].run(tx, camera_key=camera_key, **asdict(change)):
        await _sql["insert_source"].value(tx, camera_key=camera_key, **asdict(change))
    await notify_changed(tx, camera_key)


async def watch_anew(tx: Transaction, camera_key: UUID) -> None:
    """Has the camera connected again, as after a change."""
    await _sql["watch_anew"].run(tx, camera_key=camera_key)
    await notify_changed(tx, camera_key)


async def revision_of(tx: Transaction, camera_key: UUID) -> int | None:
    found: int | None = await _sql["revision_of"].value(tx, camera_key=camera_key)
    return found


async def delete_source(tx: Transaction, camera_key: UUID) -> None:
    await _sql["delete_source"].run(tx, camera_key=camera_key)
    await notify_changed(tx, camera_key)


async def sources_of(tx: Transaction, camera_keys: Sequence[UUID]) -> dict[UUID, CameraSource]:
    """Those that the transaction's caller may see, by camera."""
    rows = await _sql["sources_of"].rows(tx, camera_keys=list(camera_keys))
    return {row["camera_key"]: CameraSource(**row) for row in rows}


async def source_of(tx: Transaction, camera_key: UUID) -> CameraSource | None:
    return (await sources_of(tx, [camera_key])).get(camera_key)


async def sealed_secrets(tx: Transaction, camera_key: UUID) -> bytes | None:
    """In a transaction of the platform: people may not read them."""
    found: bytes | None = await _sql["sealed_of"].value(tx, camera_key=camera_key)
    return found


async def count_sources(tx: Transaction, owner_id: UUID) -> int:
    """Holds other transactions that count the same owner's until this one ends."""
    await _sql["lock_owner"].value(tx, owner_id=str(owner_id))
    return int(await _sql["count_of_owner"].value(tx, owner_id=owner_id))


async def mark_viewed(tx: Transaction, camera_key: UUID) -> None:
    """Asks the process that watches the camera for fresh pictures."""
    if await _sql["mark_viewed"].run(tx, camera_key=camera_key, hold=VIEWED_FOR):
        await notify_changed(tx, camera_key)


async def notify_changed(tx: Transaction, camera_key: UUID) -> None:
    """The process that watches the camera reads it again once the transaction has committed."""
    await _sql["notify_changed"].value(tx, camera_key=str(camera_key))
