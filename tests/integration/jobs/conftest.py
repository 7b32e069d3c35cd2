"""A job queue of the test's own, and workers on it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.contracts.jobs import PAYLOADS, ClipGenerate, JobPayload, Ocr, Sample, SegmentIndex, Transcode
from sightline.db import Database, Listener, Transaction
from sightline.jobs import (
    ClaimedJob,
    Enqueued,
    Job,
    JobContext,
    JobLimits,
    JobMetrics,
    JobQueue,
    JobsSettings,
    StoreLog,
    Worker,
)
from sightline.jobs import worker as worker_module
from support.log_capture import captured_log_lines, plain_tracebacks
from support.postgres import DatabaseAddresses
from support.services import listening, running

PAYLOAD_OF = {kind.job_type: kind for kind in PAYLOADS}

Work = Callable[[Any, JobContext], Awaitable[None]]
OnFailed = Callable[[Transaction, Any, dict[str, Any]], Awaitable[None]]


class RecordingJob(Job[JobPayload]):
    """Notes each run, then does what the test says."""

    def __init__(self, job_type: str, work: Work | None, on_failed: OnFailed | None, limits: JobLimits) -> None:
        self.payload = PAYLOAD_OF[job_type]  # type: ignore[misc] # one class for all types
        self.limits = limits
        self.runs: list[tuple[UUID, int]] = []
        """Job id and number of the attempt."""
        self.payloads: list[JobPayload] = []
        self.failed: list[tuple[JobPayload, dict[str, Any]]] = []
        self._work = work
        self._on_failed = on_failed

    async def run(self, payload: JobPayload, context: JobContext) -> None:
        self.runs.append((context.job_id, context.attempt))
        self.payloads.append(payload)
        if self._work is not None:
            await self._work(payload, context)

    async def on_failed(self, tx: Transaction, payload: JobPayload, error: dict[str, Any]) -> None:
        self.failed.append((payload, error))
        if self._on_failed is not None:
            await self._on_failed(tx, payload, error)

    @property
    def ids(self) -> list[UUID]:
        return [job_id for job_id, _ in self.runs]


@dataclass
class QueueRig:
    database: Database
    queue: JobQueue
    listener: Listener
    url: str
    admin_url: str

    # Making ------------------------------------------------------------------------------------------------------

    def payload(self, job_type: str = "clip_generate", video_id: UUID | None = None) -> JobPayload:
        """A valid payload of any type; of a new video if none is named."""
        video = video_id or uuid4()
        original = f"videos/original/{video}/master.mp4"
        match job_type:
            case "transcode":
                return Transcode(video_id=video, s3_original_path=original)
            case "sample":
                return Sample(video_id=video, s3_original_path=original)
            case "ocr":
                return Ocr(video_id=video, frame_paths=(f"frames/{video}/0.jpg",))
            case "segment_index":
                return SegmentIndex(video_id=video)
        return ClipGenerate(video_id=video, clip_id=str(uuid4()), t_start=0, t_end=1000, s3_original_path=original)

    async def enqueue(self, payload: JobPayload | str = "clip_generate", **options: Any) -> UUID:
        return (await self.enqueued(payload, **options)).id

    async def enqueued(self, payload: JobPayload | str = "clip_generate", **options: Any) -> Enqueued:
        job_payload = self.payload(payload) if isinstance(payload, str) else payload
        async with self.database.transaction() as tx:
            return await self.queue.enqueue(tx, job_payload, **options)

    async def claim(
        self, job_type: str = "clip_generate", *, worker: str = "w1", limit: int = 1, lease_s: float = 300
    ) -> list[ClaimedJob]:
        async with self.database.transaction(by_index=True) as tx:
            return await self.queue.claim(tx, job_type, worker=worker, limit=limit, lease=timedelta(seconds=lease_s))

    async def claim_one(self, job_type: str = "clip_generate", *, worker: str = "w1") -> ClaimedJob:
        (job,) = await self.claim(job_type, worker=worker)
        return job

    async def take_over(self, job_id: UUID, *, worker: str) -> ClaimedJob:
        """Another worker's claim of a job whose lease has ended; in one transaction, so that no other worker comes first."""
        async with self.database.transaction(by_index=True) as tx:
            await self._end_lease(tx, [job_id])
            (job,) = await self.queue.claim(tx, "clip_generate", worker=worker, limit=1, lease=timedelta(seconds=300))
        assert job.id == job_id
        return job

    async def finish(self, job: ClaimedJob, *, worker: str = "w1") -> bool:
        async with self.database.transaction() as tx:
            return bool(await self.queue.finish(tx, [job.id], worker=worker))

    async def fail(self, job: ClaimedJob, *, worker: str = "w1", message: str = "broken") -> bool:
        async with self.database.transaction() as tx:
            return await self.queue.fail(tx, job, error_of(job, message), worker=worker)

    async def retry_later(self, job: ClaimedJob, *, worker: str = "w1", delay_s: float = 60) -> bool:
        async with self.database.transaction() as tx:
            delay = timedelta(seconds=delay_s)
            return await self.queue.retry_later(tx, job, error_of(job, "for now"), worker=worker, delay=delay)

    # Looking and meddling ----------------------------------------------------------------------------------------

    async def sql(self, statement: str, *arguments: Any) -> list[asyncpg.Record]:
        async with self.database.transaction() as tx:
            return await tx.fetch(statement, *arguments)

    async def value(self, statement: str, *arguments: Any) -> Any:
        async with self.database.transaction() as tx:
            return await tx.fetchval(statement, *arguments)

    async def row(self, job_id: UUID) -> asyncpg.Record:
        (row,) = await self.sql("SELECT * FROM jobs WHERE id = $1", job_id)
        return row

    async def status(self, job_id: UUID) -> str:
        return str((await self.row(job_id))["status"])

    async def statuses(self, ids: Iterable[UUID]) -> list[str]:
        """In the order of the ids."""
        wanted = list(ids)
        rows = await self.sql("SELECT id, status FROM jobs WHERE id = ANY ($1)", wanted)
        found = {row["id"]: row["status"] for row in rows}
        return [found[one] for one in wanted]

    async def history(self, job_id: UUID) -> list[str]:
        rows = await self.sql("SELECT status FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
        return [row["status"] for row in rows]

    async def expire(self, *ids: UUID) -> None:
        """As if the worker had not been heard of for longer than its lease."""
        async with self.database.transaction() as tx:
            await self._end_lease(tx, list(ids))

    async def _end_lease(self, tx: Transaction, ids: list[UUID]) -> None:
        await tx.execute("UPDATE jobs SET locked_until = now() - interval '1 second' WHERE id = ANY ($1)", ids)

    async def make_due(self, *ids: UUID) -> None:
        """As if the delay of the jobs had passed, with a word to their workers."""
        async with self.database.transaction() as tx:
            rows = await tx.fetch(
                "UPDATE jobs SET run_after = now() - interval '1 second' WHERE id = ANY ($1) RETURNING job_type",
                list(ids),
            )
            await self.queue.notify(tx, {row["job_type"] for row in rows})

    async def cut_connections(self, *, keep_listener: bool = False) -> int:
        """Ends all of the server's connections of this database; returns how many those were."""
        admin = await asyncpg.connect(self.admin_url)
        try:
            rows = await admin.fetch(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND NOT ($1 AND query ILIKE '%LISTEN%')",
                keep_listener,
            )
        finally:
            await admin.close()
        return len(rows)

    async def vacuum(self) -> None:
        """Runs VACUUM, as the server does by itself."""
        admin = await asyncpg.connect(self.admin_url)
        await admin.execute("VACUUM ANALYZE jobs")
        await admin.close()

    async def many_jobs(self, number: int) -> None:
        """So many that wait, of five priorities. Without the triggers, which would take longer than all else."""
        await self._by_hand(
            "INSERT INTO jobs (job_type, priority, payload) SELECT 'clip_generate', n % 5, '{}'"
            f" FROM generate_series(1, {number}) n"
        )

    async def finish_by_hand(self) -> None:
        """All jobs are claimed and done: each is a new version of the row, and of its entries in indexes."""
        await self._by_hand(
            "UPDATE jobs SET status = 'processing', locked_by = 'w', locked_until = now(), started_at = now()",
            "UPDATE jobs SET status = 'done', locked_until = NULL, finished_at = now()",
        )

    async def _by_hand(self, *statements: str) -> None:
        admin = await asyncpg.connect(self.admin_url)
        await admin.execute("SET session_replication_role = replica")
        for statement in statements:
            await admin.execute(statement)
        await admin.close()

    async def table_of_effects(self) -> None:
        """A table for what jobs do."""
        admin = await asyncpg.connect(self.admin_url)
        await admin.execute("CREATE TABLE effects (what text); GRANT ALL ON effects TO sightline_worker")
        await admin.close()

    # Working -----------------------------------------------------------------------------------------------------

    def recording(
        self,
        job_type: str = "clip_generate",
        work: Work | None = None,
        *,
        on_failed: OnFailed | None = None,
        concurrency: int = 4,
        time_limit_s: float = 60,
    ) -> RecordingJob:
        limits = JobLimits(concurrency=concurrency, time_limit=timedelta(seconds=time_limit_s))
        return RecordingJob(job_type, work, on_failed, limits)

    def worker(
        self,
        kind: Job[Any],
        *,
        lease_s: float = 300,
        heartbeat_s: float = 120,
        poll_s: float = 5,
        name: str | None = None,
        grace_s: float = 3.0,
        listener: Listener | None = None,
        metrics: JobMetrics | None = None,
        store_log: StoreLog | None = None,
    ) -> Worker:
        return Worker(
            kind,
            database=self.database,
            listener=listener or self.listener,
            settings=JobsSettings(lease_s=lease_s, heartbeat_s=heartbeat_s, poll_s=poll_s),
            metrics=metrics,
            name=name,
            grace_s=grace_s,
            store_log=store_log,
        )

    @asynccontextmanager
    async def working(self, kind: Job[Any], **options: Any) -> AsyncIterator[Worker]:
        """A worker at work while the block runs; stopped as a supervisor would stop it."""
        worker = self.worker(kind, **options)
        async with running(worker):
            yield worker


def error_of(job: ClaimedJob, message: str) -> dict[str, Any]:
    return {
        "type": "Broken",
        "message": message,
        "timestamp": "2025-11-13T15:42:00.000Z",
        "retry_count": job.retry_count,
    }


@pytest.fixture
async def use(fresh_database: DatabaseAddresses, database: Database) -> AsyncIterator[QueueRig]:
    async with listening(fresh_database.url) as listener:
        yield QueueRig(database, JobQueue(database), listener, fresh_database.url, fresh_database.admin_url)


@pytest.fixture
def quick_upkeep(monkeypatch):
    monkeypatch.setattr(worker_module, "REAP_EVERY_S", 0.05)
    monkeypatch.setattr(worker_module, "PROGRESS_EVERY_S", 0.05)
    monkeypatch.setattr(worker_module, "WAKE_EVERY_S", 0.05)


@pytest.fixture
def log_lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    with captured_log_lines() as lines:
        yield lines


@pytest.fixture(autouse=True)
def _plain_tracebacks() -> Iterator[None]:
    with plain_tracebacks():
        yield
