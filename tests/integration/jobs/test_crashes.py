"""Killed half-way: workers that die at any moment, and connections with them; every job has its effect exactly once."""

import asyncio
import random
from functools import partial
from itertools import count

import pytest

from sightline.jobs import NewJob
from support.forked_workers import forked_workers
from support.waiting import soon, until


@pytest.mark.req(59, 78, 80, 302, 303)
async def test_workers_killed_again_and_again_lose_and_double_nothing(use):
    await use.table_of_effects()
    payloads = [use.payload() for _ in range(200)]
    async with use.database.transaction() as tx:
        jobs = await use.queue.enqueue_many(tx, [NewJob(payload) for payload in payloads])
    kills = 0

    async def holds(statement, *arguments):
        """Whether that is so; a connection may be among those that were cut."""
        try:
            return bool(await use.value(statement, *arguments))
        except Exception:
            return False

    async def let_lease_run_out(name):
        """Nor is it chance's turn to use up all attempts of a job here."""
        statement = "WITH its AS (UPDATE jobs SET locked_until = now() - interval '1 s', retry_count = 0"
        statement += " WHERE locked_by = $1 AND status = 'processing' RETURNING 1) SELECT count(*) >= 0 FROM its"
        await until(partial(holds, statement, name))

    async def slot(number):
        """One place for a worker: each that is killed there is followed by another."""
        nonlocal kills
        own = random.Random(number)
        for turn in count():
            name = f"worker-{number}-{turn}"
            runs = own.randrange(1, 40)
            workers.start(name, hangs_after=runs)
            for _ in range(runs):
                await workers.next_run(name)
            await workers.kill(name)
            kills += 1
            await let_lease_run_out(name)

    async def is_done():
        """Delays of minutes are shown elsewhere."""
        await holds("WITH a AS (UPDATE jobs SET run_after = now() WHERE run_after > now()) SELECT true")
        await holds(
            "WITH a AS (UPDATE jobs SET retry_count = 0 WHERE status = 'queued' AND retry_count > 0) SELECT true"
        )
        return await holds("SELECT NOT EXISTS (SELECT FROM jobs WHERE status IN ('queued', 'processing'))")

    async with forked_workers(use.url, lease_s=2) as workers:
        slots = [asyncio.create_task(slot(number)) for number in range(3)]
        for effects in (40, 100):
            await until(partial(holds, "SELECT count(*) >= $1 FROM effects", effects), within_s=60)
            assert await use.cut_connections() > 1
        await until(is_done, within_s=60)
        for one in slots:
            one.cancel()
        await asyncio.gather(*slots, return_exceptions=True)
    assert kills >= 3
    assert set(await use.statuses(job.id for job in jobs)) == {"done"}
    rows = await use.sql("SELECT what FROM effects ORDER BY what")
    assert [row["what"] for row in rows] == sorted(payload.clip_id for payload in payloads)


@pytest.mark.req(80, 91)
async def test_the_job_of_a_killed_worker_is_taken_over_when_its_lease_runs_out(use):
    await use.table_of_effects()
    kind = use.recording()
    async with forked_workers(use.url, lease_s=300) as workers:
        workers.start("victim")
        async with use.database.transaction() as tx:
            await tx.execute("LOCK TABLE effects IN ACCESS EXCLUSIVE MODE")  # the job cannot get past this
            job_id = await use.enqueue()
            assert await soon(workers.next_run("victim")) == job_id
            assert await use.status(job_id) == "processing"
            await workers.kill("victim")
    async with use.working(kind, poll_s=0.05, name="heir"):
        await use.expire(job_id)

        async def is_done():
            return await use.status(job_id) == "done"

        await until(is_done)
    assert kind.runs == [(job_id, 2)]
    rows = await use.sql("SELECT status, by, note FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
    assert [(row["status"], row["by"]) for row in rows] == [
        ("queued", None),
        ("processing", "victim"),
        ("failed", "victim"),
        ("queued", "heir"),
        ("processing", "heir"),
        ("done", "heir"),
    ]
    assert rows[2]["note"] == "lease expired"
    assert await use.value("SELECT count(*) FROM effects") == 0
