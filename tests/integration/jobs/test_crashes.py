"""Killed half-way: workers that die at any moment, and connections with them; every job has its effect exactly once."""

import asyncio
import random
import sys

import pytest

from sightline.jobs import NewJob
from support.waiting import until

WORKER = """
import asyncio, sys
from datetime import timedelta
from sightline.contracts.jobs import ClipGenerate
from sightline.db import DatabaseSettings, Listener, open_database
from sightline.jobs import Job, JobLimits, JobsSettings, Worker

class Effect(Job[ClipGenerate]):
    payload = ClipGenerate
    limits = JobLimits(concurrency=4)

    async def run(self, payload, context):
        print(context.job_id, flush=True)
        async with context.finishing(result={"clip": payload.clip_id}) as tx:
            await tx.execute("INSERT INTO effects VALUES ($1)", payload.clip_id)

async def main(url):
    database = await open_database(DatabaseSettings(), url)
    listener = Listener(url)
    worker = Worker(Effect(), database=database, listener=listener,
                    settings=JobsSettings(lease_s=0.5, heartbeat_s=0.15, poll_s=0.1))
    asyncio.create_task(listener.run(asyncio.Event(), lambda: None))
    await worker.run(asyncio.Event(), lambda: None)

asyncio.run(main(sys.argv[1]))
"""


async def start_worker(url):
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", WORKER, url, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )


@pytest.mark.req(59)
@pytest.mark.req(78)
@pytest.mark.req(80)
@pytest.mark.req(302)
@pytest.mark.req(303)
async def test_workers_killed_again_and_again_lose_and_double_nothing(use):
    await use.table_of_effects()
    payloads = [use.payload() for _ in range(400)]
    async with use.database.transaction() as tx:
        jobs = await use.queue.enqueue_many(tx, [NewJob(payload) for payload in payloads])
    chance = random.Random(11)
    is_over = asyncio.Event()
    kills = 0

    async def is_done():
        try:
            # Delays of minutes are shown elsewhere. Nor is it chance's turn to use up all attempts of a job here.
            await use.sql("UPDATE jobs SET run_after = now() WHERE run_after > now()")
            await use.sql("UPDATE jobs SET retry_count = 0 WHERE status = 'queued' AND retry_count > 0")
            return await use.value("SELECT count(*) FROM jobs WHERE status IN ('queued', 'processing')") == 0
        except Exception:
            return False  # its connection may be among those that were cut

    async def slot(seed):
        """One place for a worker: whoever is killed there is followed by another."""
        nonlocal kills
        own = random.Random(seed)
        while not is_over.is_set():
            process = await start_worker(use.url)
            over = asyncio.create_task(is_over.wait())
            for _ in range(own.randrange(1, 60)):
                line = asyncio.create_task(process.stdout.readline())
                await asyncio.wait((line, over), return_when=asyncio.FIRST_COMPLETED)
                if over.done():
                    line.cancel()
                    break
            over.cancel()
            process.kill()
            await process.wait()
            kills += not is_over.is_set()

    slots = [asyncio.create_task(slot(chance.random())) for _ in range(3)]
    for effects in (80, 200):

        async def is_that_far(wanted=effects):
            try:
                return await use.value("SELECT count(*) FROM effects") >= wanted
            except Exception:
                return False

        await until(is_that_far, within_s=60)
        assert await use.cut_connections() > 1
    await until(is_done, within_s=60)
    is_over.set()
    await asyncio.gather(*slots)
    assert kills >= 3
    assert set(await use.statuses(job.id for job in jobs)) == {"done"}
    rows = await use.sql("SELECT what FROM effects ORDER BY what")
    assert [row["what"] for row in rows] == sorted(payload.clip_id for payload in payloads)


@pytest.mark.req(80)
@pytest.mark.req(91)
async def test_the_job_of_a_killed_worker_is_taken_over_when_its_lease_runs_out(use):
    await use.table_of_effects()
    kind = use.recording()
    process = await start_worker(use.url)
    async with use.database.transaction() as tx:
        await tx.execute("LOCK TABLE effects IN ACCESS EXCLUSIVE MODE")  # the job cannot get past this
        job_id = await use.enqueue()
        assert (await asyncio.wait_for(process.stdout.readline(), 20)).strip() == str(job_id).encode()
        assert await use.status(job_id) == "processing"
        process.kill()
        await process.wait()
        owner = (await use.row(job_id))["locked_by"]
    async with use.working(kind, poll_s=0.05, name="heir"):

        async def is_done():
            return await use.status(job_id) == "done"

        await until(is_done)
    assert kind.runs == [(job_id, 2)]
    rows = await use.sql("SELECT status, by, note FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
    assert [(row["status"], row["by"]) for row in rows] == [
        ("queued", None),
        ("processing", owner),
        ("failed", owner),
        ("queued", "heir"),
        ("processing", "heir"),
        ("done", "heir"),
    ]
    assert rows[2]["note"] == "lease expired"
    assert await use.value("SELECT count(*) FROM effects") == 0
