"""Anything in any order: the queue on PostgreSQL against a small model of what the contract says."""

import asyncio
import os
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from sightline.contracts.jobs import ClipGenerate, Ocr
from sightline.db import open_database
from sightline.jobs import ClaimedJob, JobQueue, admin
from support.postgres import patient_settings

LEASE = timedelta(minutes=5)
WORKERS = st.sampled_from(["w1", "w2", "w3"])
TYPES = st.sampled_from(["ocr", "clip_generate"])
VIDEOS = [uuid4() for _ in range(3)]


@dataclass
class Known:
    """What the model knows of a job."""

    id: UUID
    number: int
    job_type: str
    video: UUID
    priority: int
    depends_on: UUID | None
    status: str = "queued"
    retry_count: int = 0
    is_delayed: bool = False
    is_expired: bool = False
    owner: str | None = None
    history: list[str] = field(default_factory=lambda: ["queued"])

    @property
    def is_open(self) -> bool:
        return self.status in ("queued", "processing")

    def move(self, *states: str) -> None:
        self.history.extend(states)
        self.status = states[-1]

    def let_go(self) -> None:
        self.owner, self.is_expired = None, False


class QueueMachine(RuleBasedStateMachine):
    loop: asyncio.AbstractEventLoop
    database: Any

    claims = Bundle("claims")

    @initialize()
    def begin(self):
        self.queue = JobQueue(self.database)
        self.known: dict[UUID, Known] = {}
        self.ask("DELETE FROM jobs")

    def run(self, work):
        return self.loop.run_until_complete(work)

    def ask(self, statement, *arguments):
        async def in_loop():
            async with self.database.transaction() as tx:
                return await tx.fetch(statement, *arguments)

        return self.run(in_loop())

    def in_transaction(self, work, **options):
        async def done():
            async with self.database.transaction(**options) as tx:
                return await work(tx)

        return self.run(done())

    def some(self, number: int) -> Known:
        return list(self.known.values())[number % len(self.known)]

    def held(self, job: ClaimedJob, worker: str) -> Known | None:
        """The job as the model has it, if it is still that worker's."""
        known = self.known[job.id]
        return known if known.status == "processing" and known.owner == worker else None

    # Rules -------------------------------------------------------------------------------------------------------

    @rule(
        job_type=TYPES,
        video=st.sampled_from(VIDEOS),
        priority=st.integers(-1, 1),
        is_delayed=st.booleans(),
        waits_for=st.none() | st.integers(0, 20),
        retry_count=st.integers(0, 3),
    )
    def enqueue(self, job_type, video, priority, is_delayed, waits_for, retry_count):
        depends_on = None
        if waits_for is not None and self.known:
            depends_on = self.some(waits_for).id
        payload = (
            Ocr(video_id=video, frame_paths=())
            if job_type == "ocr"
            else ClipGenerate(video_id=video, clip_id="c", t_start=0, t_end=1, s3_original_path="x")
        )
        standing = [one for one in self.known.values() if one.job_type == "ocr" and one.video == video and one.is_open]

        async def work(tx):
            run_after = await tx.fetchval("SELECT now() + interval '1 hour'") if is_delayed else None
            return await self.queue.enqueue(tx, payload, priority=priority, depends_on=depends_on, run_after=run_after)

        answer = self.in_transaction(work)
        if job_type == "ocr" and standing:
            assert (answer.id, answer.is_new) == (standing[0].id, False)
            return
        assert answer.is_new
        number = len(self.known)
        known = Known(answer.id, number, job_type, video, priority, depends_on, "queued", retry_count, is_delayed)
        self.known[answer.id] = known
        # As if it had failed before: few examples would get that far by themselves.
        self.ask("UPDATE jobs SET retry_count = $2 WHERE id = $1", known.id, retry_count)

    @rule(target=claims, job_type=TYPES, worker=WORKERS, limit=st.integers(1, 3))
    def claim(self, job_type, worker, limit):
        may = [
            one
            for one in self.known.values()
            if one.job_type == job_type
            and not one.is_delayed
            and (one.status == "queued" or (one.status == "processing" and one.is_expired and one.retry_count < 3))
            and (one.depends_on is None or self.known[one.depends_on].status == "done")
        ]
        may.sort(key=lambda one: (-one.priority, one.number))
        claimed = self.in_transaction(
            lambda tx: self.queue.claim(tx, job_type, worker=worker, limit=limit, lease=LEASE), by_index=True
        )
        assert [job.id for job in claimed] == [one.id for one in may[:limit]]
        for known, job in zip(may, claimed, strict=False):
            if known.status == "processing":
                known.retry_count += 1
                known.move("failed", "queued", "processing")
            else:
                known.move("processing")
            known.owner, known.is_expired = worker, False
            assert job.retry_count == known.retry_count
            assert "original_payload" not in job.payload
        return multiple(*((job, worker) for job in claimed))

    @rule(claim=claims)
    def finish(self, claim):
        job, worker = claim
        known = self.held(job, worker)
        done = self.in_transaction(lambda tx: self.queue.finish(tx, [job.id], worker=worker))
        assert done == ({job.id} if known else set())
        if known:
            known.move("done")

    @rule(claim=claims)
    def fail(self, claim):
        job, worker = claim
        known = self.held(job, worker)
        assert self.in_transaction(lambda tx: self.queue.fail(tx, job, {"type": "X"}, worker=worker)) == bool(known)
        if known:
            known.move("failed")
            known.let_go()

    @rule(claim=claims)
    def retry_later(self, claim):
        job, worker = claim
        if self.known[job.id].retry_count >= 3:
            return  # a runner fails it instead
        known = self.held(job, worker)
        answer = self.in_transaction(
            lambda tx: self.queue.retry_later(tx, job, {"type": "X"}, worker=worker, delay=timedelta(minutes=1))
        )
        assert answer == bool(known)
        if known:
            known.retry_count += 1
            known.is_delayed = True
            known.move("failed", "queued")
            known.let_go()

    @rule(claim=claims)
    def release(self, claim):
        job, worker = claim
        known = self.held(job, worker)
        answer = self.in_transaction(lambda tx: self.queue.release(tx, [job], worker=worker, reason="stop"))
        assert answer == ({job.id} if known else set())
        if known:
            known.move("failed", "queued")
            known.let_go()

    @rule(claim=claims)
    def heartbeat(self, claim):
        job, worker = claim
        known = self.held(job, worker)
        answer = self.in_transaction(lambda tx: self.queue.heartbeat(tx, [job.id], worker=worker, lease=LEASE))
        assert answer == ({job.id} if known else set())
        if known:
            known.is_expired = False

    @rule(claim=claims)
    def expire(self, claim):
        known = self.known[claim[0].id]
        if known.status == "processing":
            self.ask("UPDATE jobs SET locked_until = now() - interval '1 s' WHERE id = $1", known.id)
            known.is_expired = True

    @rule(job_type=TYPES)
    def delays_pass(self, job_type):
        self.ask(
            "UPDATE jobs SET run_after = now() WHERE run_after IS NOT NULL AND job_type = $1 AND status = 'queued'",
            job_type,
        )
        waiting = [one for one in self.known.values() if one.job_type == job_type and one.is_delayed]
        assert self.in_transaction(lambda tx: self.queue.wake_due(tx, job_type)) == len(waiting)
        for one in waiting:
            one.is_delayed = False

    @rule(job_type=TYPES)
    def reap(self, job_type):
        lost = {
            one.id
            for one in self.known.values()
            if one.job_type == job_type and one.status == "processing" and one.is_expired and one.retry_count >= 3
        }
        taken = self.in_transaction(
            lambda tx: self.queue.take_expired(tx, job_type, worker="reaper", lease=LEASE), by_index=True
        )
        assert {job.id for job in taken} == lost
        for job in taken:
            assert self.in_transaction(lambda tx, job=job: self.queue.fail(tx, job, {"type": "X"}, worker="reaper"))
            self.known[job.id].move("failed", "queued", "processing", "failed")
            self.known[job.id].let_go()

    @rule(number=st.integers(0, 20))
    def retry_by_hand(self, number):
        if not self.known:
            return
        known = self.some(number)
        is_in_the_way = known.job_type == "ocr" and any(
            one.is_open and one.job_type == "ocr" and one.video == known.video for one in self.known.values()
        )
        report = self.in_transaction(lambda tx: admin.retry_jobs_by_id(tx, [known.id]))
        is_retried = known.status == "failed" and not is_in_the_way
        assert bool(report.retried) == is_retried
        if is_retried:
            known.move("queued")
            known.retry_count, known.is_delayed = 0, False

    @rule(number=st.integers(0, 20), status=st.sampled_from(["queued", "done", "failed"]))
    def forbidden(self, number, status):
        """A move that the contract does not know, by bare SQL."""
        if not self.known:
            return
        known = self.some(number)
        if (known.status, status) in {
            ("queued", "done"),
            ("queued", "failed"),
            ("failed", "done"),
            ("done", "queued"),
            ("done", "failed"),
        }:
            with pytest.raises(asyncpg.CheckViolationError):
                self.ask("UPDATE jobs SET status = $2 WHERE id = $1", known.id, status)

    # What always holds -------------------------------------------------------------------------------------------

    @invariant()
    def the_table_is_as_the_model_says(self):
        if not hasattr(self, "known"):
            return
        rows = self.ask(
            "SELECT j.*, array(SELECT h.status::text FROM job_history h WHERE h.job_id = j.id ORDER BY step) AS history"
            " FROM jobs j"
        )
        assert len(rows) == len(self.known)
        for row in rows:
            known = self.known[row["id"]]
            assert (row["status"], row["retry_count"]) == (known.status, known.retry_count)
            assert row["history"] == known.history
            assert (row["run_after"] is not None) == known.is_delayed
            if known.status == "processing":
                assert row["locked_by"] == known.owner
                assert row["locked_until"] is not None
            assert ("original_payload" in row["payload"]) == (known.status == "failed")
            assert (row["finished_at"] is not None) == (known.status in ("done", "failed"))
            assert 0 <= row["retry_count"] <= 3


@pytest.mark.time_limit(400)  # a few seconds; but when it fails, a short example is looked for, for up to five minutes
@pytest.mark.req(58, 66, 67, 76, 80, 81)
def test_the_queue_behaves_as_its_model_whatever_is_done_in_whatever_order(fresh_database):
    loop = asyncio.new_event_loop()
    database = loop.run_until_complete(open_database(patient_settings(pool_max=2), fresh_database.url))

    class Machine(QueueMachine):
        pass

    Machine.loop, Machine.database = loop, database
    try:
        run_state_machine_as_test(
            Machine,
            settings=settings(
                max_examples=400 if os.environ.get("SIGHTLINETEST_SOAK") else 40,
                stateful_step_count=50,
                suppress_health_check=list(HealthCheck),
                database=None,
                print_blob=True,
            ),
        )
    finally:
        database.terminate()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
