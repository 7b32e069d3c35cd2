"""Corrections: what people said about techniques, for analyzers that learn from it.

A correction is the decision of one person about one technique of one video:

- which video, and from when to when in it (`video_id`, `start_ms`, `end_ms`, ms of the video's time);
- what it is, as the person left it (`category`, one of the six of document 000; `name`; `role`, the athlete);
- the `verdict`: `accepted`, the technique is there as it was found, or a person marked it; `edited`, it is there, and the
  person changed its times, category, name, role or confidence; `rejected`, it is not there;
- which `analyzer` found it and its `original` values, both None for a technique that a person marked or imported;
- who decided (`by`) and when (`at`). A later change of the same mark replaces its correction.

Candidates that no person has decided about are no corrections, and neither are deleted marks.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from sightline.contracts.technique_events import Category
from sightline.db import Transaction
from sightline.techniques.marks.mark import FoundValues, MarkState, TechniqueMark
from sightline.techniques.marks.store import decided_marks

Verdict = Literal["accepted", "rejected", "edited"]
PAGE = 1000


@dataclass(frozen=True, slots=True)
class TechniqueCorrection:
    mark_id: UUID
    video_id: UUID
    start_ms: int
    end_ms: int
    category: Category
    name: str
    role: str
    verdict: Verdict
    analyzer: str | None
    original: FoundValues | None
    by: UUID
    at: datetime


async def read_corrections(tx: Transaction, *, analyzer: str | None = None) -> AsyncIterator[TechniqueCorrection]:
    """All corrections that the transaction's role may see, oldest decision first; with an analyzer, only of what it found."""
    after: tuple[datetime, UUID] | None = None
    while marks := await decided_marks(tx, analyzer=analyzer, after=after, limit=PAGE):
        for mark in marks:
            yield correction_of(mark)
        after = (marks[-1].changed_at, marks[-1].id)


def correction_of(mark: TechniqueMark) -> TechniqueCorrection:
    """Of a mark that a person decided about."""
    values = mark.values
    assert mark.changed_by is not None
    return TechniqueCorrection(
        mark_id=mark.id,
        video_id=mark.video_id,
        start_ms=values.start_ms,
        end_ms=values.end_ms,
        category=values.category,
        name=values.name,
        role=values.role,
        verdict=verdict_of(mark),
        analyzer=mark.analyzer,
        original=mark.original,
        by=mark.changed_by,
        at=mark.changed_at,
    )


def verdict_of(mark: TechniqueMark) -> Verdict:
    if mark.values.state is MarkState.REJECTED:
        return "rejected"
    return "edited" if mark.is_edited else "accepted"
