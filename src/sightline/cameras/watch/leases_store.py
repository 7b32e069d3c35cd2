"""Which process watches which camera, and what it reports of the camera: by leases, so that a killed process is replaced."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from sightline.cameras.source import CameraSource, SourceKind, SourceState
from sightline.cameras.sources_store import source_of
from sightline.db import Transaction, load_queries

WATCHED_KINDS: tuple[SourceKind, ...] = ("stream", "mjpeg", "snapshot", "sample", "folder", "mqtt")

_sql = load_queries(Path(__file__).parents[1] / "sources.sql")


@dataclass(frozen=True, slots=True, repr=False)
class WatchedCamera:
    """A camera with its source. Its sealed secrets are opened where the connection is made."""

    camera_id: str
    name: str
    owner_id: UUID
    team_id: UUID | None
    source: CameraSource
    sealed: bytes | None

    @property
    def camera_key(self) -> UUID:
        return self.source.camera_key


@dataclass(frozen=True, slots=True)
class RenewedLease:
    revision: int
    is_viewed: bool


async def claim_sources(tx: Transaction, watcher: UUID, *, lease: timedelta, limit: int) -> list[UUID]:
    rows = await _sql["claim_sources"].rows(tx, watcher=watcher, lease=lease, kinds=list(WATCHED_KINDS), limit=limit)
    return [row["camera_key"] for row in rows]


async def renew_leases(
    tx: Transaction, watcher: UUID, camera_keys: Sequence[UUID], *, lease: timedelta
) -> dict[UUID, RenewedLease]:
    rows = await _sql["renew_leases"].rows(tx, watcher=watcher, camera_keys=list(camera_keys), lease=lease)
    return {row["camera_key"]: RenewedLease(row["revision"], row["is_viewed"]) for row in rows}


async def release_sources(tx: Transaction, watcher: UUID, camera_keys: Sequence[UUID]) -> None:
    await _sql["release_sources"].run(tx, watcher=watcher, camera_keys=list(camera_keys))


async def watched_camera(tx: Transaction, watcher: UUID, camera_key: UUID) -> WatchedCamera | None:
    """None when this process does not watch it any more."""
    row = await _sql["watched_camera"].row(tx, watcher=watcher, camera_key=camera_key)
    source = await source_of(tx, camera_key)
    return None if row is None or source is None else WatchedCamera(source=source, **row)


async def save_state(
    tx: Transaction, watcher: UUID, camera_key: UUID, state: SourceState, *, code: str | None, reason: str | None
) -> tuple[SourceState, datetime] | None:
    """The state before, and since when the present one is. None when this process does not watch the camera any more."""
    row = await _sql["save_state"].row(
        tx, watcher=watcher, camera_key=camera_key, state=state, code=code, reason=reason
    )
    return None if row is None else (row["state_before"], row["state_since"])


async def save_picture(
    tx: Transaction,
    watcher: UUID,
    camera_key: UUID,
    *,
    at: datetime,
    width: int | None,
    height: int | None,
    codec: str | None,
    fps: float | None,
) -> None:
    await _sql["save_picture"].run(
        tx, watcher=watcher, camera_key=camera_key, at=at, width=width, height=height, codec=codec, fps=fps
    )


async def count_by_state(tx: Transaction) -> dict[str, tuple[int, int]]:
    """By state: the cameras, and those of them that no process watches."""
    rows = await _sql["count_by_state"].rows(tx, kinds=list(WATCHED_KINDS))
    return {row["state"]: (row["cameras"], row["unwatched"]) for row in rows}
