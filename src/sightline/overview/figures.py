"""Figures over the columns of a span, zero-filled by the database. What is seen is up to the transaction's role."""

from dataclasses import dataclass
from pathlib import Path

from sightline.db import Transaction, load_queries
from sightline.overview.period import Span

_sql = load_queries(Path(__file__).with_name("queries.sql"))


@dataclass(frozen=True, slots=True)
class UploadFigures:
    created: list[int]
    failed: list[int]


@dataclass(frozen=True, slots=True)
class ProcessingFigures:
    """How long work on a minute of video took; None where no video was completed."""

    videos: list[int]
    seconds_per_minute: list[float | None]


@dataclass(frozen=True, slots=True)
class EventFigures:
    low: list[int]
    medium: list[int]
    high: list[int]
    critical: list[int]


@dataclass(frozen=True, slots=True)
class JobFigures:
    """Of one type; ages are those that jobs had when they ended."""

    job_type: str
    done: list[int]
    failed: list[int]
    total_age_s: list[float]
    longest_age_s: list[float]


@dataclass(frozen=True, slots=True)
class Ages:
    """How old jobs were when they ended, in seconds; None where none ended."""

    average_s: list[float | None]
    longest_s: list[float | None]


async def upload_figures(tx: Transaction, span: Span) -> UploadFigures:
    rows = await _sql["uploads"].rows(tx, **_bounds(span))
    return UploadFigures([row["created"] for row in rows], [row["failed"] for row in rows])


async def processing_figures(tx: Transaction, span: Span) -> ProcessingFigures:
    rows = await _sql["processing"].rows(tx, **_bounds(span))
    return ProcessingFigures([row["videos"] for row in rows], [row["seconds_per_minute"] for row in rows])


async def event_figures(tx: Transaction, span: Span) -> EventFigures:
    rows = await _sql["events"].rows(tx, **_bounds(span))
    low, medium, high, critical = ([row[level] for row in rows] for level in ("low", "medium", "high", "critical"))
    return EventFigures(low, medium, high, critical)


async def job_figures(tx: Transaction, span: Span) -> list[JobFigures]:
    """Of each type that had any job end in the span."""
    rows = await _sql["jobs"].rows(tx, **_bounds(span))
    return [JobFigures(**row) for row in rows]


def ages_of(figures: list[JobFigures], span: Span) -> Ages:
    """Of all types together."""
    averages: list[float | None] = []
    longest: list[float | None] = []
    for column in range(span.columns):
        ended = sum(one.done[column] + one.failed[column] for one in figures)
        total = sum(one.total_age_s[column] for one in figures)
        averages.append(total / ended if ended else None)
        longest.append(max(one.longest_age_s[column] for one in figures) if ended else None)
    return Ages(averages, longest)


async def count_videos(tx: Transaction) -> dict[str, int]:
    return {row["status"]: row["videos"] for row in await _sql["count_videos"].rows(tx)}


async def count_critical_waiting(tx: Transaction) -> int:
    found: int = await _sql["count_critical_waiting"].value(tx)
    return found


async def count_dead_jobs(tx: Transaction) -> dict[str, int]:
    return {row["job_type"]: row["jobs"] for row in await _sql["count_dead_jobs"].rows(tx)}


def _bounds(span: Span) -> dict[str, object]:
    return {"first": span.first, "last": span.last, "step": span.step}
