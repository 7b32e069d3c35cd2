"""Upload rows: queries and updates. Every update carries the state it expects."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.bus import current_context
from sightline.db import Transaction, load_queries
from sightline.objects import StoredPart
from sightline.timing import utc_now
from sightline.uploads.plan import UploadPlan, normalize_etag
from sightline.uploads.upload import Upload, UploadPart, UploadState
from sightline.usage import Month, ms_processed

_sql = load_queries(Path(__file__).with_name("queries.sql"))
_FIELDS = tuple(field.name for field in fields(Upload))


@dataclass(frozen=True, slots=True)
class ResumableUpload:
    """An upload that can be resumed, on any device."""

    video_id: UUID
    name: str
    status: str
    total_size: int | None
    part_size: int | None
    total_parts: int | None
    created_at: datetime
    uploaded_parts: int
    uploaded_bytes: int
    active_at: datetime


@dataclass(frozen=True, slots=True)
class OwnerUsage:
    """What counts towards the quotas of an owner."""

    stored_bytes: int
    """Of originals, of what unfinished uploads announced, and of recordings as measured last."""
    videos: int
    open_uploads: int
    processed_ms: int
    """Of this month."""


async def lock_admission(tx: Transaction) -> None:
    await _sql["lock_admission"].run(tx)


async def usage_of_owner(tx: Transaction, owner_id: UUID) -> OwnerUsage:
    row = await _sql["usage_of_owner"].row(tx, owner_id=owner_id)
    assert row is not None
    return OwnerUsage(**dict(row), processed_ms=await ms_processed(tx, owner_id, Month.of(utc_now())))


async def use_of_video(tx: Transaction, video_id: UUID) -> tuple[int, bool] | None:
    """Bytes that a video counts for, and whether its upload is unfinished; None if it does not count."""
    row = await _sql["use_of_video"].row(tx, video_id=video_id)
    return None if row is None else (row["stored_bytes"], row["is_open"])


async def announced_bytes(tx: Transaction) -> int:
    """Bytes that unfinished uploads have announced and not sent yet."""
    return int(await _sql["announced_bytes"].value(tx))


async def insert_upload(tx: Transaction, video_id: UUID, store_upload_id: str, plan: UploadPlan | None) -> None:
    await _sql["insert_upload"].run(
        tx,
        video_id=video_id,
        store_upload_id=store_upload_id,
        total_size=plan.total_size if plan else None,
        part_size=plan.part_size if plan else None,
        total_parts=plan.total_parts if plan else None,
        context=current_context(),
    )


async def get_upload(tx: Transaction, video_id: UUID) -> Upload | None:
    return _upload(await _sql["get_upload"].row(tx, video_id=video_id))


async def lock_upload(tx: Transaction, video_id: UUID) -> Upload | None:
    """No other transaction changes it until this one ends."""
    return _upload(await _sql["lock_upload"].row(tx, video_id=video_id))


async def upload_by_store_id(tx: Transaction, store_upload_id: str) -> Upload | None:
    return _upload(await _sql["upload_by_store_id"].row(tx, store_upload_id=store_upload_id))


async def list_resumable(tx: Transaction, *, limit: int) -> list[ResumableUpload]:
    return [ResumableUpload(**dict(row)) for row in await _sql["list_resumable"].rows(tx, limit=limit)]


async def issue_next(tx: Transaction, video_id: UUID, *, limit: int) -> range | None:
    """The next part numbers, reserved; None unless the upload is open."""
    row = await _sql["issue_next"].row(tx, video_id=video_id, limit=limit)
    return None if row is None else range(row["first"], row["following"])


async def touch(tx: Transaction, video_id: UUID) -> None:
    await _sql["touch"].run(tx, video_id=video_id)


async def report_parts(
    tx: Transaction, reports: Sequence[tuple[UUID, int, str]]
) -> dict[tuple[UUID, int], tuple[UploadPart, bool]]:
    """The parts by video and number, and whether their video is still CREATED. Those without an open upload that has such a
    part are missing. No part may be reported twice."""
    video_ids, numbers, etags = zip(*reports, strict=True)
    rows = await _sql["report_parts"].rows(
        tx, video_ids=video_ids, numbers=numbers, etags=[normalize_etag(etag) for etag in etags]
    )
    return {
        (row["video_id"], row["number"]): (
            UploadPart(row["number"], row["etag"], row["size"], row["uploaded_at"]),
            row["is_first"],
        )
        for row in rows
    }


async def save_parts(tx: Transaction, video_id: UUID, parts: Sequence[StoredPart]) -> None:
    await _sql["save_parts"].run(
        tx,
        video_id=video_id,
        numbers=[part.number for part in parts],
        etags=[normalize_etag(part.etag) for part in parts],
        sizes=[part.size for part in parts],
        times=[part.modified_at for part in parts],
    )


async def drop_parts(tx: Transaction, video_id: UUID, numbers: Sequence[int]) -> None:
    await _sql["drop_parts"].run(tx, video_id=video_id, numbers=list(numbers))


async def list_parts(tx: Transaction, video_id: UUID) -> list[UploadPart]:
    return [UploadPart(**dict(row)) for row in await _sql["list_parts"].rows(tx, video_id=video_id)]


async def part_numbers(tx: Transaction, video_id: UUID) -> set[int]:
    return {row["number"] for row in await _sql["part_numbers"].rows(tx, video_id=video_id)}


async def count_parts(tx: Transaction, video_id: UUID) -> int:
    return int(await _sql["count_parts"].value(tx, video_id=video_id))


async def end_upload(
    tx: Transaction,
    video_id: UUID,
    state: UploadState,
    *,
    expected: Sequence[UploadState],
    etag: str | None = None,
    plan: UploadPlan | None = None,
) -> bool:
    """Whether it was in an expected state. A plan that was unknown so far is saved with the end."""
    found = await _sql["end_upload"].value(
        tx,
        video_id=video_id,
        state=state,
        expected=list(expected),
        etag=etag,
        total_size=plan.total_size if plan else None,
        part_size=plan.part_size if plan else None,
        total_parts=plan.total_parts if plan else None,
    )
    return found is not None


async def list_idle(tx: Transaction, *, idle_s: float) -> list[Upload]:
    return _uploads(await _sql["idle"].rows(tx, idle_s=idle_s))


async def list_fully_reported(tx: Transaction, *, idle_s: float) -> list[Upload]:
    return _uploads(await _sql["fully_reported"].rows(tx, idle_s=idle_s))


async def list_unfinished_aborts(tx: Transaction) -> list[Upload]:
    return _uploads(await _sql["unfinished_aborts"].rows(tx))


async def start_abort(tx: Transaction, video_id: UUID, *, idle_s: float | None = None) -> Upload | None:
    """Parts can no longer be added. With `idle_s`, only if the upload was idle for so long; None if it was not aborted."""
    return _upload(await _sql["start_abort"].row(tx, video_id=video_id, idle_s=idle_s))


async def known_store_ids(tx: Transaction, ids: Sequence[str]) -> set[str]:
    return {row["store_upload_id"] for row in await _sql["known_store_ids"].rows(tx, ids=list(ids))}


async def unfinished_uploads(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these videos have an upload that has not ended."""
    return {row["video_id"] for row in await _sql["unfinished_uploads"].rows(tx, ids=list(ids))}


def _uploads(rows: Sequence[asyncpg.Record]) -> list[Upload]:
    return [found for row in rows if (found := _upload(row)) is not None]


def _upload(row: asyncpg.Record | None) -> Upload | None:
    if row is None:
        return None
    values = {name: row[name] for name in _FIELDS}
    return Upload(**{**values, "state": UploadState(values["state"])})
