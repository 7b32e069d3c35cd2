"""Store of marks. Row level security decides which of them the transaction's role sees; only the platform writes them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.contracts.technique_events import Category
from sightline.db import Transaction, load_queries
from sightline.techniques.marks.mark import (
    FOUND_FIELDS,
    FoundValues,
    MarkState,
    MarkValues,
    NewMark,
    TechniqueMark,
)

_sql = load_queries(Path(__file__).with_name("marks.sql"))
_VALUE_FIELDS = tuple(field.name for field in fields(MarkValues))
_MARK_FIELDS = tuple(field.name for field in fields(TechniqueMark) if field.name not in ("values", "original"))


@dataclass(frozen=True, slots=True)
class MarkPublication:
    """The set of accepted marks that was published last."""

    revision: int
    job_id: UUID
    total: int
    at: datetime
    by: UUID


@dataclass(frozen=True, slots=True)
class Review:
    """The marks of a video as a whole."""

    revision: int
    """Counts the changes; 0 before the first."""
    published: MarkPublication | None = None


@dataclass(frozen=True, slots=True)
class UsedName:
    name: str
    category: str
    uses: int


async def read_review(tx: Transaction, video_id: UUID, *, is_locked: bool = False) -> Review:
    row = await _sql["lock_review" if is_locked else "get_review"].row(tx, video_id=video_id)
    if row is None:
        return Review(0)
    if row["published_revision"] is None:
        return Review(row["revision"])
    names = ("revision", "job_id", "total", "at", "by")
    return Review(row["revision"], MarkPublication(*(row[f"published_{name}"] for name in names)))


async def begin_change(tx: Transaction, video_id: UUID) -> int | None:
    """Comes first in every change of a video's marks. Returns the new revision; None if the video was removed."""
    revision: int | None = await _sql["begin_change"].value(tx, video_id=video_id)
    return revision


async def list_marks(tx: Transaction, video_id: UUID) -> list[TechniqueMark]:
    """By time, without deleted ones."""
    return [_mark(row) for row in await _sql["list_marks"].rows(tx, video_id=video_id)]


async def touched_marks(tx: Transaction, video_id: UUID) -> list[TechniqueMark]:
    """Those that a person made, decided about, changed or deleted."""
    return [_mark(row) for row in await _sql["touched_marks"].rows(tx, video_id=video_id)]


async def get_mark(tx: Transaction, video_id: UUID, mark_id: UUID) -> TechniqueMark | None:
    """Also a deleted one."""
    row = await _sql["get_mark"].row(tx, id=mark_id, video_id=video_id)
    return None if row is None else _mark(row)


async def insert_marks(
    tx: Transaction, video_id: UUID, new: Sequence[NewMark], *, by: UUID | None
) -> list[TechniqueMark]:
    """After `begin_change`. `by` is None for what an analyzer found."""
    rows = await _sql["add_marks"].rows(
        tx,
        video_id=video_id,
        by=by,
        starts=[one.values.start_ms for one in new],
        ends=[one.values.end_ms for one in new],
        categories=[one.values.category.value for one in new],
        names=[one.values.name for one in new],
        roles=[one.values.role for one in new],
        confidences=[one.values.confidence for one in new],
        notes=[one.values.note for one in new],
        finished=[one.values.finished for one in new],
        states=[one.values.state.value for one in new],
        analyzers=[one.analyzer for one in new],
        job_ids=[one.job_id for one in new],
        indexes=[one.event_index for one in new],
        originals=[None if one.original is None else asdict(one.original) for one in new],
    )
    return [_mark(row) for row in rows]


async def update_mark(
    tx: Transaction, mark: TechniqueMark, values: MarkValues, *, expected: int, by: UUID
) -> TechniqueMark | None:
    """None if the mark has another version by now, or is deleted."""
    row = await _sql["change_mark"].row(
        tx, id=mark.id, video_id=mark.video_id, expected=expected, by=by, **_columns(values)
    )
    return None if row is None else _mark(row)


async def set_removed(
    tx: Transaction, mark: TechniqueMark, *, is_removed: bool, expected: int, by: UUID
) -> TechniqueMark | None:
    """None if the mark has another version by now, or is deleted or restored already."""
    row = await _sql["set_removed"].row(
        tx, id=mark.id, video_id=mark.video_id, is_removed=is_removed, expected=expected, by=by
    )
    return None if row is None else _mark(row)


async def supersede_candidates(tx: Transaction, video_id: UUID, *, analyzer: str, job_id: str) -> int:
    """Removes the candidates of earlier runs that no person has touched."""
    return await _sql["supersede_candidates"].run(tx, video_id=video_id, analyzer=analyzer, job_id=job_id)


async def is_published_here(tx: Transaction, video_id: UUID, job_id: str) -> bool:
    return bool(await _sql["is_published_here"].value(tx, video_id=video_id, job_id=job_id))


async def found_by_run(tx: Transaction, run_id: int, *, limit: int) -> list[tuple[int, FoundValues]]:
    """What a run of another producer found, which is known by its messages alone: index and values."""
    rows = await _sql["found_by_run"].rows(tx, run_id=run_id, limit=limit)
    return [(row["event_index"], FoundValues.of_json({name: row[name] for name in FOUND_FIELDS})) for row in rows]


async def record_publication(
    tx: Transaction, video_id: UUID, *, revision: int, job_id: UUID, total: int, by: UUID
) -> bool:
    """False if the marks have another revision by now."""
    values = {"revision": revision, "job_id": job_id, "total": total, "by": by}
    return await _sql["record_publication"].run(tx, video_id=video_id, **values) == 1


async def decided_marks(
    tx: Transaction, *, analyzer: str | None, after: tuple[datetime, UUID] | None, limit: int
) -> list[TechniqueMark]:
    after_at, after_id = after or (None, None)
    rows = await _sql["list_corrections"].rows(tx, analyzer=analyzer, after_at=after_at, after_id=after_id, limit=limit)
    return [_mark(row) for row in rows]


async def names_in_use(tx: Transaction, *, limit: int) -> list[UsedName]:
    """Names that people gave, most used first."""
    return [UsedName(**row) for row in await _sql["own_names"].rows(tx, limit=limit)]


def _columns(values: MarkValues) -> dict[str, object]:
    return {**asdict(values), "category": values.category.value, "state": values.state.value}


def _mark(row: asyncpg.Record) -> TechniqueMark:
    values = {name: row[name] for name in _VALUE_FIELDS}
    values |= {"category": Category(values["category"]), "state": MarkState(values["state"])}
    return TechniqueMark(
        values=MarkValues(**values),
        original=None if row["original"] is None else FoundValues.of_json(row["original"]),
        **{name: row[name] for name in _MARK_FIELDS},
    )
