"""Reports: what an analysis of this platform says about itself, from its stored result."""

import asyncio
import json
from dataclasses import dataclass
from uuid import UUID

from sightline.db import Database
from sightline.errors import NotFound, PermanentFailure
from sightline.objects import ObjectStore
from sightline.techniques import publications_store as publications
from sightline.techniques.result import AnalysisProblem

MAX_RESULT_BYTES = 16 * 1024 * 1024
MAX_SILENCES = 20


@dataclass(frozen=True, slots=True)
class SilentParts:
    """Parts of a video about which an analysis says nothing, for one reason."""

    reason: str
    ms: int
    """Altogether."""
    parts: int
    start_ms: int
    """Of the first."""


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    job_id: UUID
    analyzer: str
    summary: str
    found: int
    left_out: int
    silences: list[SilentParts]
    """Longest first."""


async def read_report(database: Database, objects: ObjectStore, *, video_id: UUID, job_id: UUID) -> AnalysisReport:
    """Raises `NotFound` unless the job has stored a result about this video."""
    async with database.transaction() as tx:
        publication = await publications.get(tx, job_id)
    unknown = NotFound(f"job {job_id} has no result about video {video_id}", code="ANALYSIS_NOT_FOUND")
    if publication is None or publication.video_id != video_id:
        raise unknown
    key, bucket = publication.result_key, publication.result_bucket
    store = objects if bucket is None else objects.in_bucket(bucket)
    stored = await store.head(key)
    if stored is None:
        raise unknown
    if stored.size > MAX_RESULT_BYTES:
        raise NotFound(f"the result {key} is too large to be summarized; read it there", code="RESULT_TOO_LARGE")
    return await asyncio.to_thread(decode_report, await store.get(key), key=key, job_id=job_id)


def decode_report(content: bytes, *, key: str, job_id: UUID) -> AnalysisReport:
    """Pure."""
    try:
        found = json.loads(content)
        problems = [
            AnalysisProblem(int(one["start_ms"]), int(one["end_ms"]), str(one["reason"])) for one in found["problems"]
        ]
        analyzer, summary = str(found["analyzer"]), str(found["match_summary"])
        counts = len(found["clips"]), len(found["left_out"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise PermanentFailure(f"{key} is not an analysis result: {error}") from error
    by_reason: dict[str, list[AnalysisProblem]] = {}
    for one in problems:
        by_reason.setdefault(one.reason, []).append(one)
    silences = [
        SilentParts(
            reason,
            sum(max(0, one.end_ms - one.start_ms) for one in parts),
            len(parts),
            min(one.start_ms for one in parts),
        )
        for reason, parts in by_reason.items()
    ]
    silences.sort(key=lambda one: (-one.ms, one.start_ms))
    return AnalysisReport(job_id, analyzer, summary, *counts, silences[:MAX_SILENCES])
