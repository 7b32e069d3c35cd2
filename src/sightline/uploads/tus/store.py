"""Rows of tus uploads. Every update carries the state it expects."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.uploads.plan import UploadPlan
from sightline.uploads.tus.upload import Piece, TusUpload
from sightline.uploads.upload import UploadState

_sql = load_queries(Path(__file__).with_name("queries.sql"))
_FIELDS = tuple(field.name for field in fields(TusUpload))


async def insert_tus_upload(
    tx: Transaction,
    upload_id: UUID,
    owner_id: UUID,
    *,
    is_partial: bool,
    length: int | None,
    part_size: int,
    metadata: str,
    sources: Sequence[UUID] | None = None,
) -> None:
    await _sql["insert_tus_upload"].run(
        tx,
        id=upload_id,
        video_id=None if is_partial else upload_id,
        owner_id=owner_id,
        length=length,
        part_size=part_size,
        metadata=metadata,
        sources=None if sources is None else list(sources),
    )


async def get_tus_upload(tx: Transaction, upload_id: UUID) -> TusUpload | None:
    row = await _sql["get_tus_upload"].row(tx, id=upload_id)
    if row is None:
        return None
    values = {name: row[name] for name in _FIELDS}
    state, sources = values["state"], values["sources"]
    values["state"] = None if state is None else UploadState(state)
    values["sources"] = None if sources is None else tuple(sources)
    return TusUpload(**values)


async def claim_writer(tx: Transaction, upload_id: UUID, writer: UUID, *, offset: int) -> bool:
    """Whether the upload stands at this offset."""
    return await _sql["claim_writer"].value(tx, id=upload_id, writer=writer, offset=offset) is not None


async def advance(tx: Transaction, upload_id: UUID, writer: UUID, *, expected: int, received: int) -> bool:
    """Whether this request is still the one that writes."""
    found = await _sql["advance"].value(tx, id=upload_id, writer=writer, expected=expected, received=received)
    return found is not None


async def declare_length(tx: Transaction, upload: TusUpload, plan: UploadPlan) -> bool:
    """Whether the length was unknown, and is not less than what has arrived."""
    if await _sql["declare_length"].value(tx, id=upload.id, length=plan.total_size) is None:
        return False
    if upload.video_id is not None:
        await _sql["declare_plan"].run(
            tx,
            video_id=upload.video_id,
            total_size=plan.total_size,
            part_size=plan.part_size,
            total_parts=plan.total_parts,
        )
    return True


async def list_pieces(tx: Transaction, upload_id: UUID) -> list[Piece]:
    return [Piece(**dict(row)) for row in await _sql["list_pieces"].rows(tx, upload_id=upload_id)]


async def insert_pieces(tx: Transaction, upload_id: UUID, pieces: Sequence[Piece]) -> None:
    await _sql["insert_pieces"].run(
        tx,
        upload_id=upload_id,
        starts=[piece.start for piece in pieces],
        sizes=[piece.size for piece in pieces],
        keys=[piece.key for piece in pieces],
    )


async def delete_pieces(tx: Transaction, upload_id: UUID, pieces: Sequence[Piece]) -> None:
    await _sql["delete_pieces"].run(tx, upload_id=upload_id, keys=[piece.key for piece in pieces])


async def find_joined(tx: Transaction, owner_id: UUID, sources: Sequence[UUID]) -> UUID | None:
    found: UUID | None = await _sql["find_joined"].value(tx, owner_id=owner_id, sources=list(sources))
    return found


async def open_parts_of_owner(tx: Transaction, owner_id: UUID) -> tuple[int, int]:
    """How many uploads without a video the owner has, and their bytes."""
    row = await _sql["open_parts_of_owner"].row(tx, owner_id=owner_id)
    assert row is not None
    return row["uploads"], row["bytes"]


async def touch_all(tx: Transaction, ids: Sequence[UUID]) -> None:
    await _sql["touch_all"].run(tx, ids=list(ids))


async def list_unfinished(tx: Transaction, *, quiet_s: float) -> list[UUID]:
    return [row["id"] for row in await _sql["list_unfinished"].rows(tx, quiet_s=quiet_s)]


async def list_idle_parts(tx: Transaction, *, idle_s: float) -> list[UUID]:
    return [row["id"] for row in await _sql["list_idle_parts"].rows(tx, idle_s=idle_s)]


async def delete_part(tx: Transaction, upload_id: UUID) -> None:
    await _sql["delete_part"].run(tx, id=upload_id)
