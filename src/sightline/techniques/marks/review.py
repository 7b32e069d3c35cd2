"""Reviewing marks: adding, changing, deleting and restoring them. Every change names the version that it expects.

Two people may work on one video. Who comes second gets a `Conflict` with the mark as it is now, and nothing is overwritten.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NoReturn
from uuid import UUID

from sightline.db import Transaction
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.techniques.clip import TechniqueClip
from sightline.techniques.marks import store
from sightline.techniques.marks.files import MarkImport, plan_import
from sightline.techniques.marks.mark import (
    MAX_MARKS,
    FoundValues,
    MarkState,
    MarkValues,
    NewMark,
    TechniqueMark,
    candidate,
    candidate_of,
    check_values,
)
from sightline.videos import Video, unknown_video

EXTERNAL = "external"
"""The analyzer of what other producers found."""

ChangeValues = Callable[[MarkValues], MarkValues]


async def add_marks(tx: Transaction, video: Video, new: Sequence[NewMark], *, by: UUID) -> list[TechniqueMark]:
    """Marks that a person made or imported."""
    await _begin(tx, video.id)
    for one in new:
        check_values(one.values, duration_ms=video.measured_duration_ms)
    _check_count(video.id, there=len(await store.list_marks(tx, video.id)), more=len(new))
    return await store.insert_marks(tx, video.id, new, by=by)


async def import_marks(tx: Transaction, video: Video, content: bytes, *, name: str, by: UUID) -> MarkImport:
    """Imports a whole file, or raises `InvalidInput` that names its invalid lines."""
    await _begin(tx, video.id)  # nobody else changes a mark between the plan and what it does
    present = await store.list_marks(tx, video.id)
    plan = await asyncio.to_thread(
        plan_import,
        content,
        present,
        name=name,
        video_fps=video.fps,
        duration_ms=video.measured_duration_ms,
    )
    _check_count(video.id, there=len(present), more=len(plan.new))
    await store.insert_marks(tx, video.id, plan.new, by=by)
    for mark, values in plan.changed:
        await store.update_mark(tx, mark, values, expected=mark.version, by=by)
    return plan


async def change_mark(
    tx: Transaction, video: Video, mark_id: UUID, change: ChangeValues, *, expected: int, by: UUID
) -> TechniqueMark:
    present = await _need(tx, video.id, mark_id)
    values = change(present.values)
    check_values(values, duration_ms=video.measured_duration_ms)
    changed = await store.update_mark(tx, present, values, expected=expected, by=by)
    return changed or _refuse(present)


async def delete_mark(tx: Transaction, video: Video, mark_id: UUID, *, expected: int, by: UUID) -> TechniqueMark:
    present = await _need(tx, video.id, mark_id)
    return await store.set_removed(tx, present, is_removed=True, expected=expected, by=by) or _refuse(present)


async def restore_mark(tx: Transaction, video: Video, mark_id: UUID, *, expected: int, by: UUID) -> TechniqueMark:
    present = await _need(tx, video.id, mark_id)
    return await store.set_removed(tx, present, is_removed=False, expected=expected, by=by) or _refuse(present)


async def add_candidates(
    tx: Transaction, video_id: UUID, clips: Sequence[TechniqueClip], *, fps: float, analyzer: str, job_id: str
) -> None:
    """What a run of an analyzer found. It replaces the analyzer's earlier candidates that no person has touched. What a person
    has decided about, changed or deleted is not proposed again: neither as it is now, nor as it was found."""
    found = [
        candidate_of(clip, fps=fps, analyzer=analyzer, job_id=job_id, index=index)
        for index, clip in enumerate(clips[:MAX_MARKS], start=1)
    ]
    await _propose(tx, video_id, found, analyzer=analyzer, job_id=job_id)


async def add_candidates_of_run(tx: Transaction, run_id: int, video_id: UUID, job_id: str) -> None:
    """What a finalized run of another producer found; the platform's own runs have added their candidates before."""
    if await store.is_published_here(tx, video_id, job_id):
        return
    found = [
        candidate(values, analyzer=EXTERNAL, job_id=job_id, index=index)
        for index, values in await store.found_by_run(tx, run_id, limit=MAX_MARKS)
    ]
    await _propose(tx, video_id, found, analyzer=EXTERNAL, job_id=job_id)


async def _propose(tx: Transaction, video_id: UUID, found: Sequence[NewMark], *, analyzer: str, job_id: str) -> None:
    if await store.begin_change(tx, video_id) is None:
        return  # the video was removed in the meantime, or is not one of ours
    await store.supersede_candidates(tx, video_id, analyzer=analyzer, job_id=job_id)
    known: set[tuple[object, ...]] = set()
    for mark in await store.touched_marks(tx, video_id):
        known.add(_identity(mark.values))
        if mark.original is not None:
            known.add(_identity(mark.original))
    new = [one for one in found if _identity(one.values) not in known]
    if new:
        await store.insert_marks(tx, video_id, new, by=None)


async def accepted_marks(tx: Transaction, video_id: UUID) -> list[TechniqueMark]:
    return [one for one in await store.list_marks(tx, video_id) if one.values.state is MarkState.ACCEPTED]


async def _begin(tx: Transaction, video_id: UUID) -> None:
    if await store.begin_change(tx, video_id) is None:
        raise unknown_video(video_id)


async def _need(tx: Transaction, video_id: UUID, mark_id: UUID) -> TechniqueMark:
    await _begin(tx, video_id)
    found = await store.get_mark(tx, video_id, mark_id)
    if found is None:
        raise NotFound(f"video {video_id} has no mark {mark_id}", code="MARK_NOT_FOUND")
    return found


def _check_count(video_id: UUID, *, there: int, more: int) -> None:
    if there + more > MAX_MARKS:
        raise InvalidInput(
            f"video {video_id} has {there} marks, and {more} more are over the limit of {MAX_MARKS}; delete some first"
        )


def _refuse(present: TechniqueMark) -> NoReturn:
    what = "deleted" if present.removed_at is not None else "changed"
    raise Conflict(
        f"The mark was {what} since you opened it. Review it and try again.",
        details={"mark_id": str(present.id), "version": present.version, "is_deleted": present.removed_at is not None},
    )


def _identity(values: FoundValues) -> tuple[object, ...]:
    return values.start_ms, values.end_ms, values.category, values.name, values.role
