"""Store of runs and techniques. Writers hold the lock of the video (`lock_videos`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.contracts.technique_events import AnalysisComplete
from sightline.db import Transaction, load_queries
from sightline.techniques.incoming import ReceivedEvent
from sightline.techniques.publications_store import jobs_of_videos
from sightline.techniques.runs import AnalysisRun, NamedRun, VideoRuns, WaitingEvent, events_claimed_by

_sql = load_queries(Path(__file__).with_name("queries.sql"))

AssignedEvent = tuple[ReceivedEvent, int, UUID | None]
"""An event, the id of its run, and the event's own id while the run has no name."""


@dataclass(frozen=True, slots=True)
class FinalizedRun:
    run_id: int
    video_id: UUID
    job_id: str
    total_event_count: int
    received_count: int
    result_s3_uri: str | None
    totals_disagree: bool
    told_least: int | None
    told_most: int | None


@dataclass(slots=True)
class RunCounts:
    """The changes of one run's counts by a batch."""

    events: int = 0
    min_total: int | None = None
    max_total: int | None = None

    def add_total(self, total: int) -> None:
        self.min_total = total if self.min_total is None else min(self.min_total, total)
        self.max_total = total if self.max_total is None else max(self.max_total, total)


async def runs_of(tx: Transaction, video_ids: Sequence[UUID]) -> dict[UUID, VideoRuns]:
    """The runs of videos, locked until the transaction ends."""
    await _sql["lock_videos"].rows(tx, ids=[str(video_id) for video_id in video_ids])
    found = {video_id: VideoRuns(video_id) for video_id in video_ids}
    published_here = await jobs_of_videos(tx, video_ids)
    for row in await _sql["runs_of_videos"].rows(tx, video_ids=list(video_ids)):
        is_published_here = (row["video_id"], row["job_id"]) in published_here
        found[row["video_id"]].add(
            AnalysisRun(row["run_id"], row["job_id"], is_published_here, row["completion_received"], row["finalized"])
        )
    for video_id, job_id in published_here:
        if job_id not in found[video_id].named:
            found[video_id].add(AnalysisRun(None, job_id, is_published_here=True))
    return found


async def open_runs(
    tx: Transaction, totals: Mapping[tuple[UUID, str | None], int]
) -> dict[tuple[UUID, str | None], int]:
    """Creates runs from their totals by (video, job) and returns their ids; none for removed videos."""
    if not totals:
        return {}
    rows = await _sql["open_runs"].rows(
        tx,
        video_ids=[video_id for video_id, _ in totals],
        job_ids=[job_id for _, job_id in totals],
        totals=list(totals.values()),
    )
    return {(row["video_id"], row["job_id"]): row["run_id"] for row in rows}


async def complete_runs(tx: Transaction, completions: Sequence[tuple[int, AnalysisComplete]]) -> None:
    await _sql["complete_runs"].run(
        tx,
        run_ids=[run_id for run_id, _ in completions],
        totals=[one.total_event_count for _, one in completions],
        uris=[one.result_s3_uri for _, one in completions],
    )


async def claim_waiting(tx: Transaction, unnamed: AnalysisRun, run_id: int | None, named: NamedRun) -> dict[UUID, str]:
    """Moves the waiting events of a run that was just named into it; returns the strays with the reasons."""
    rows = await _sql["waiting_events"].rows(tx, run_id=unnamed.run_id)
    waiting = (WaitingEvent(row["id"], row["event_index"], row["total_events"], row["received_at"]) for row in rows)
    found = events_claimed_by(named, waiting)
    if found.claimed:
        await _sql["claim_waiting"].run(tx, ids=found.claimed, from_run=unnamed.run_id, to_run=run_id)
    if found.strays:
        await _sql["record_strays"].run(tx, ids=list(found.strays), reasons=list(found.strays.values()))
        await _sql["remove_strays"].run(tx, ids=list(found.strays), run_id=unnamed.run_id)
    await _sql["forget_if_empty"].run(tx, run_id=unnamed.run_id)
    return found.strays


async def known_strays(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    return {row["id"] for row in await _sql["known_strays"].rows(tx, ids=list(ids))}


async def jobs_of_stored(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, str]:
    return {row["id"]: row["job_id"] for row in await _sql["run_of_stored"].rows(tx, ids=list(ids))}


async def put_events(tx: Transaction, events: Sequence[AssignedEvent]) -> dict[int, RunCounts]:
    """Stores each event once, by id and by (run, index); returns the changes of the runs' counts."""
    counts: dict[int, RunCounts] = {}
    new = await _insert(tx, events, counts)
    repeated = [assigned for assigned in events if assigned[0].id not in new]
    if not repeated:
        return counts
    rows = await _sql["differing"].rows(
        tx,
        ids=[event.id for event, _, _ in repeated],
        run_ids=[run_id for _, run_id, _ in repeated],
        digests=[event.digest for event, _, _ in repeated],
    )
    changed = {row["id"] for row in rows}
    for assigned in repeated:
        if assigned[0].id in changed:
            await _replace(tx, assigned, counts)
    return counts


async def _replace(tx: Transaction, assigned: AssignedEvent, counts: dict[int, RunCounts]) -> None:
    event, run_id, unnamed = assigned
    gone = await _sql["remove_replaced"].rows(tx, id=event.id, run_id=run_id, event_index=event.index, unnamed=unnamed)
    for row in gone:
        counts.setdefault(row["run_id"], RunCounts()).events -= 1
    await _insert(tx, [assigned], counts)


async def _insert(tx: Transaction, events: Sequence[AssignedEvent], counts: dict[int, RunCounts]) -> set[UUID]:
    rows = await _sql["add_events"].rows(
        tx,
        ids=[event.id for event, _, _ in events],
        run_ids=[run_id for _, run_id, _ in events],
        video_ids=[event.body.video_id for event, _, _ in events],
        indexes=[event.index for event, _, _ in events],
        totals=[event.total for event, _, _ in events],
        starts=[event.start_s for event, _, _ in events],
        ends=[event.end_s for event, _, _ in events],
        digests=[event.digest for event, _, _ in events],
        unnamed=[unnamed for _, _, unnamed in events],
    )
    new = {row["id"] for row in rows}
    candidates = [
        (event.id, one.id, position, one.role, one.skill_name, one.category.value, one.confidence)
        for event, _, _ in events
        if event.id in new
        for position, one in enumerate(event.body.event_candidates, start=1)
    ]
    if candidates:
        names = ("event_ids", "ids", "positions", "roles", "skills", "categories", "confidences")
        columns = dict(zip(names, map(list, zip(*candidates, strict=True)), strict=True))
        await _sql["add_candidates"].run(tx, **columns)
    for event, run_id, _ in events:
        if event.id in new:
            counted = counts.setdefault(run_id, RunCounts())
            counted.events += 1
            counted.add_total(event.total)
    return new


async def count_received(tx: Transaction, counts: Mapping[int, RunCounts]) -> None:
    if counts:
        await _sql["count_received"].run(
            tx,
            run_ids=list(counts),
            events=[one.events for one in counts.values()],
            min_totals=[one.min_total for one in counts.values()],
            max_totals=[one.max_total for one in counts.values()],
        )


async def finalize(tx: Transaction, run_ids: Sequence[int], *, sees_every_event: bool) -> list[FinalizedRun]:
    """The runs that this transaction made complete; each run is returned only once ever."""
    rows = await _sql["finalize"].rows(tx, run_ids=list(run_ids), sees_every_event=sees_every_event)
    return [FinalizedRun(**row) for row in rows]


async def summarize(tx: Transaction, run_id: int) -> dict[str, Any]:
    """Stores and returns the run's techniques by category."""
    rows = await _sql["summarize"].rows(tx, run_id=run_id)
    summary = {
        row["category"]: {
            "techniques": row["techniques"],
            "seconds": row["seconds"],
            "confidence": round(row["confidence"], 4),
        }
        for row in rows
    }
    await _sql["set_summary"].run(tx, run_id=run_id, summary=summary)
    return summary


# Reading -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnalysisStatus:
    video_id: UUID
    job_id: str | None
    total_event_count: int
    received_count: int
    completion_received: bool
    result_s3_uri: str | None
    finalized: bool
    created_at: datetime
    updated_at: datetime
    finalized_at: datetime | None
    totals_disagree: bool
    summary: dict[str, Any] | None
    run_id: int
    stray_events: int
    """Events of the video that belong to none of its runs so far."""


@dataclass(frozen=True, slots=True)
class Technique:
    id: UUID
    event_index: int
    start_s: int
    end_s: int
    candidate_id: UUID
    role: str
    skill_name: str
    category: str
    confidence: float


@dataclass(frozen=True, slots=True)
class TechniqueFilter:
    """Restricts a list of techniques."""

    categories: tuple[str, ...] = ()
    role: str | None = None
    skill: str | None = None
    min_confidence: float = 0.0
    from_s: int | None = None
    until_s: int | None = None


async def status_of(tx: Transaction, video_id: UUID, *, job_id: str | None = None) -> AnalysisStatus | None:
    """The status of the given run, or of the newest."""
    row = await _sql["status_of_video"].row(tx, video_id=video_id, job_id=job_id)
    return None if row is None else AnalysisStatus(**row)


async def list_techniques(
    tx: Transaction, run_id: int, filters: TechniqueFilter, *, limit: int, after: tuple[int, int] | None = None
) -> list[Technique]:
    """By time; `after` is (start_s, event_index) of the last one on the page before."""
    start, index = after or (None, None)
    rows = await _sql["list_techniques"].rows(
        tx,
        run_id=run_id,
        categories=list(filters.categories) or None,
        role=filters.role,
        skill=filters.skill,
        min_confidence=filters.min_confidence,
        from_s=filters.from_s,
        until_s=filters.until_s,
        after_start=start,
        after_index=index,
        limit=limit,
    )
    return [Technique(**row) for row in rows]
