"""Collections: videos that a person keeps together under a name. A video may be in several."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotFound, QuotaExceeded

MAX_COLLECTIONS = 500
COVERS = 4

_sql = load_queries(Path(__file__).with_name("collections.sql"))


@dataclass(frozen=True, slots=True)
class Collection:
    id: UUID
    name: str
    videos: int
    covers: tuple[UUID, ...]
    """Its newest videos that have a poster."""
    created_at: datetime
    updated_at: datetime


async def list_collections(tx: Transaction) -> list[Collection]:
    """Those that the transaction's role may see, by name."""
    return [_collection(row) for row in await _sql["list"].rows(tx, id=None)]


async def need_collection(tx: Transaction, collection_id: UUID) -> Collection:
    row = await _sql["list"].row(tx, id=collection_id)
    if row is None:
        raise _unknown(collection_id)
    return _collection(row)


async def collections_of(tx: Transaction, video_id: UUID) -> list[UUID]:
    return [row["collection_id"] for row in await _sql["of_video"].rows(tx, video_id=video_id)]


async def add_collection(tx: Transaction, owner_id: UUID, name: str) -> UUID:
    await _sql["lock_owner"].run(tx, owner_id=owner_id)
    if await _sql["count"].value(tx, owner_id=owner_id) >= MAX_COLLECTIONS:
        raise QuotaExceeded(f"You have {MAX_COLLECTIONS} collections, which is the limit. Delete one first.")
    row = await _sql["insert"].row(tx, owner_id=owner_id, name=name)
    if row is None:
        raise _taken(name)
    return UUID(str(row["id"]))


async def rename_collection(tx: Transaction, owner_id: UUID, collection_id: UUID, name: str) -> None:
    try:
        row = await _sql["rename"].row(tx, id=collection_id, owner_id=owner_id, name=name)
    except asyncpg.UniqueViolationError:
        raise _taken(name) from None
    if row is None:
        raise _unknown(collection_id)


async def delete_collection(tx: Transaction, owner_id: UUID, collection_id: UUID) -> None:
    """Its videos stay."""
    if await _sql["delete"].row(tx, id=collection_id, owner_id=owner_id) is None:
        raise _unknown(collection_id)


async def change_collection_videos(
    tx: Transaction, owner_id: UUID, collection_id: UUID, *, add: Sequence[UUID], take_out: Sequence[UUID]
) -> None:
    """What is in it already, or not in it, stays so. The caller checks that the owner may see what is added."""
    if await _sql["lock"].row(tx, id=collection_id, owner_id=owner_id) is None:
        raise _unknown(collection_id)
    await _sql["add"].run(tx, id=collection_id, video_ids=list(add))
    await _sql["take_out"].run(tx, id=collection_id, video_ids=list(take_out))
    await _sql["touch"].run(tx, id=collection_id)


def _collection(row: asyncpg.Record) -> Collection:
    return Collection(
        id=row["id"],
        name=row["name"],
        videos=row["videos"],
        covers=tuple((row["covers"] or ())[:COVERS]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def _unknown(collection_id: UUID) -> NotFound:
    return NotFound(f"no collection {collection_id}", code="COLLECTION_NOT_FOUND")


def _taken(name: str) -> Conflict:
    return Conflict(f"You have a collection named {name!r} already. Choose another name.")
