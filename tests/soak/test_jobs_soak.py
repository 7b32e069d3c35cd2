"""A long run: eight workers, twenty thousand jobs, kills all the time, and a database that is restarted and killed."""

import asyncio
import os
import random
import sys
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from sightline.contracts.jobs import ClipGenerate
from sightline.db import DatabaseSettings, migrate, open_database
from sightline.jobs import JobQueue, NewJob
from support.durable_server import Server
from support.waiting import until

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SIGHTLINETEST_SOAK"), reason="a long run; make soak"),
    pytest.mark.time_limit(1800),
]

WORKERS = 8
JOBS = 20_000

WORKER = """
import asyncio, sys
from sightline.contracts.jobs import ClipGenerate
from sightline.db import DatabaseSettings, Listener, open_database
from sightline.jobs import Job, JobLimits, JobsSettings, Worker

class Effect(Job[ClipGenerate]):
    payload = ClipGenerate
    limits = JobLimits(concurrency=8)

    async def run(self, payload, context):
        print(context.job_id, flush=True)
        async with context.finishing(result={"clip": payload.clip_id}) as tx:
            await tx.execute("INSERT INTO effects VALUES ($1)", payload.clip_id)

async def main(url):
    database = await open_database(DatabaseSettings(), url)
    listener = Listener(url)
    worker = Worker(Effect(), database=database, listener=listener,
                    settings=JobsSettings(lease_s=2, heartbeat_s=0.5, poll_s=0.2))
    asyncio.create_task(listener.run(asyncio.Event(), lambda: None))
    await worker.run(asyncio.Event(), lambda: None)

asyncio.run(main(sys.argv[1]))
"""


class Crew:
    """Places for workers: whoever is killed there is followed by another."""

    def __init__(self, url: str) -> None:
        self.kills = 0
        self._url = url
        self._is_over = asyncio.Event()
        self._places = [asyncio.create_task(self._place(random.Random(seed))) for seed in range(WORKERS)]

    async def stop(self) -> None:
        self._is_over.set()
        await asyncio.gather(*self._places)

    async def _place(self, chance: random.Random) -> None:
        while not self._is_over.is_set():
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                WORKER,
                self._url,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
            assert process.stdout is not None
            over = asyncio.create_task(self._is_over.wait())
            for _ in range(chance.randrange(1, 1500)):
                line = asyncio.create_task(process.stdout.readline())
                await asyncio.wait((line, over), return_when=asyncio.FIRST_COMPLETED)
                if over.done() or not line.result():
                    line.cancel()
                    break
            over.cancel()
            if process.returncode is None:
                process.kill()
            await process.wait()
            self.kills += not self._is_over.is_set()


class Watcher:
    """Looks in from outside, on a connection of its own each time."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def value(self, statement: str) -> int | None:
        """None while the database is away."""
        try:
            connection = await asyncpg.connect(self._server.postgres.admin_url, timeout=5)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return None
        try:
            found: int = await connection.fetchval(statement)
            return found
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return None
        finally:
            connection.terminate()

    async def hurry(self) -> None:
        """Delays of minutes are shown elsewhere; and nothing is to fail for good only because it met four kills."""
        await self.value("UPDATE jobs SET run_after = now() WHERE run_after > now()")
        await self.value("UPDATE jobs SET retry_count = 0 WHERE status = 'queued' AND retry_count > 0")


@pytest.mark.req(80, 302, 303)
async def test_twenty_thousand_jobs_through_kills_and_restarts_have_their_effect_once(tmp_path: Path) -> None:
    server = Server(tmp_path / "postgres")
    await server.start()
    await migrate(server.postgres.admin_url)
    admin = await asyncpg.connect(server.postgres.admin_url)
    await admin.execute("CREATE TABLE effects (what text); GRANT ALL ON effects TO sightline_worker")
    await admin.close()
    database = await open_database(DatabaseSettings(), server.postgres.url)
    queue = JobQueue(database)
    video = uuid4()
    clips = [str(uuid4()) for _ in range(JOBS)]
    async with database.transaction() as tx:
        await queue.enqueue_many(
            tx,
            [
                NewJob(ClipGenerate(video_id=video, clip_id=clip, t_start=0, t_end=1, s3_original_path="x"))
                for clip in clips
            ],
        )
    database.terminate()

    watcher = Watcher(server)
    crew = Crew(server.postgres.url)

    async def effects_reach(wanted: int) -> None:
        async def is_that_far() -> bool:
            return (await watcher.value("SELECT count(*) FROM effects") or 0) >= wanted

        await until(is_that_far, within_s=600)

    async def is_done() -> bool:
        await watcher.hurry()
        return await watcher.value("SELECT count(*) FROM jobs WHERE status IN ('queued', 'processing')") == 0

    await effects_reach(JOBS // 10)
    await watcher.value(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await effects_reach(JOBS // 4)
    await server.stop()
    await server.start()
    await effects_reach(JOBS // 2)
    await server.kill()
    await server.start()
    await until(is_done, within_s=900)
    await crew.stop()

    assert crew.kills > 10
    database = await open_database(DatabaseSettings(), server.postgres.url)
    async with database.transaction() as tx:
        states = await tx.fetch("SELECT status::text, count(*) AS jobs FROM jobs GROUP BY status")
        seen = await tx.fetch("SELECT what FROM effects")
        owners = await tx.fetchval("SELECT count(*) FROM jobs WHERE locked_until IS NOT NULL")
    database.terminate()
    await server.stop()
    assert [(row["status"], row["jobs"]) for row in states] == [("done", JOBS)]
    assert sorted(row["what"] for row in seen) == sorted(clips)
    assert owners == 0
