"""The limit: asyncpg and two statements on the contract's table, and no worker around them."""

import asyncio
import json
import time
import uuid

import asyncpg
from contest import PAYLOAD, Latency, from_tasks, go, main

BATCH = 500
CLAIM = """
UPDATE jobs SET status = 'processing', locked_by = $1, locked_until = now() + interval '5 minutes', started_at = now()
WHERE ctid = ANY (ARRAY(SELECT ctid FROM jobs WHERE job_type = 'clip_generate' AND open AND run_after IS NULL AND status = 'queued'
    ORDER BY priority DESC, created_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING id, payload::text"""
FINISH = """
UPDATE jobs SET status = 'done', finished_at = now()
WHERE id = ANY ($1::uuid[]) AND status = 'processing' AND locked_by = $2"""
INSERT = """INSERT INTO jobs (id, video_id, job_type, payload)
SELECT new.id, $2, 'clip_generate', $3::jsonb FROM unnest($1::uuid[]) AS new (id)"""
# Named as the platform's own, or the triggers for workers of other programs would be measured too.
SESSION = "SET sightline.writer = 'platform'"
BY_INDEX = (
    "SET sightline.writer = 'platform'; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off"
)


async def setup(url: str, count: int) -> None:
    """Migrated already."""


async def fill(url: str, count: int) -> float:
    connection = await asyncpg.connect(url)
    await connection.execute(SESSION)
    video, payload = uuid.UUID(PAYLOAD["video_id"]), json.dumps(PAYLOAD)
    started = time.perf_counter()
    for start in range(0, count, 1000):
        await connection.execute(INSERT, [uuid.uuid4() for _ in range(min(1000, count - start))], video, payload)
    seconds = time.perf_counter() - started
    await connection.close()
    return seconds


async def drain(url: str, count: int) -> dict[str, float]:
    connection = await asyncpg.connect(url)
    await connection.execute(BY_INDEX)
    worker = str(uuid.uuid4())
    await go()
    began, used, done, held = time.perf_counter(), time.process_time(), 0, []
    while True:
        async with connection.transaction():
            if held:
                await connection.execute(FINISH, held, worker)
                done += len(held)
            held = [row["id"] for row in await connection.fetch(CLAIM, worker, BATCH)]
        if not held:
            break
    seconds, used = time.perf_counter() - began, time.process_time() - used
    await connection.close()
    return {"done": done, "seconds": seconds, "cpu_s": used}


async def singly(url: str, count: int) -> float:
    pool = await asyncpg.create_pool(url, min_size=16, max_size=16, server_settings={"sightline.writer": "platform"})
    video, payload = uuid.UUID(PAYLOAD["video_id"]), json.dumps(PAYLOAD)
    seconds = await from_tasks(count, lambda: pool.execute(INSERT, [uuid.uuid4()], video, payload))
    await pool.close()
    return seconds


async def latency(url: str, count: int) -> list[float]:
    listening, working, sending = [await asyncpg.connect(url) for _ in range(3)]
    await working.execute(BY_INDEX)
    await sending.execute(SESSION)
    heard = asyncio.Event()
    await listening.add_listener("bare", lambda *_: heard.set())
    timing = Latency()
    video, payload = uuid.UUID(PAYLOAD["video_id"]), json.dumps(PAYLOAD)

    async def work() -> None:
        held = []
        while True:
            heard.clear()
            async with working.transaction():
                if held:
                    await working.execute(FINISH, held, "bare")
                held = [row["id"] for row in await working.fetch(CLAIM, "bare", BATCH)]
            if held:
                timing.handler_started()
            else:
                await heard.wait()

    async def enqueue() -> None:
        async with sending.transaction():
            await sending.execute(INSERT, [uuid.uuid4()], video, payload)
            await sending.execute("NOTIFY bare")

    task = asyncio.create_task(work())
    found = await timing.measure(count, enqueue)
    task.cancel()
    return found


main(setup=setup, fill=fill, drain=drain, singly=singly, latency=latency)
