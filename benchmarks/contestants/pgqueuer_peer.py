"""PgQueuer on asyncpg, with its best settings: large batches, a pool."""

import asyncio
import json
import time
from datetime import timedelta

import asyncpg
from contest import PAYLOAD, Latency, from_tasks, go, main
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgPoolDriver
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode

BATCH = 500
BODY = json.dumps(PAYLOAD).encode()


async def _pool(url: str) -> asyncpg.Pool:
    return await asyncpg.create_pool(url, min_size=4, max_size=16)


async def setup(url: str, count: int) -> None:
    async with await _pool(url) as pool:
        await Queries(AsyncpgPoolDriver(pool)).install()


async def fill(url: str, count: int) -> float:
    async with await _pool(url) as pool:
        queries = Queries(AsyncpgPoolDriver(pool))
        started = time.perf_counter()
        for start in range(0, count, 1000):
            size = min(1000, count - start)
            await queries.enqueue(["noop"] * size, [BODY] * size, [0] * size)
        return time.perf_counter() - started


async def drain(url: str, count: int) -> dict[str, float]:
    async with await _pool(url) as pool:
        queuer = PgQueuer.from_asyncpg_pool(pool)
        done = 0

        @queuer.entrypoint("noop")
        async def noop(job) -> None:
            nonlocal done
            done += 1

        await go()
        began = time.perf_counter()
        await queuer.qm.run(batch_size=BATCH, mode=QueueExecutionMode.drain, dequeue_timeout=timedelta(seconds=1))
        return {"done": done, "seconds": time.perf_counter() - began}


async def singly(url: str, count: int) -> float:
    async with await _pool(url) as pool:
        queries = Queries(AsyncpgPoolDriver(pool))
        return await from_tasks(count, lambda: queries.enqueue("noop", BODY))


async def latency(url: str, count: int) -> list[float]:
    async with await _pool(url) as pool:
        queuer = PgQueuer.from_asyncpg_pool(pool)
        timing = Latency()

        @queuer.entrypoint("noop")
        async def noop(job) -> None:
            timing.handler_started()

        task = asyncio.create_task(queuer.qm.run(batch_size=10))
        await asyncio.sleep(1.0)
        queries = Queries(AsyncpgPoolDriver(pool))
        found = await timing.measure(count, lambda: queries.enqueue("noop", BODY))
        queuer.qm.shutdown.set()
        await asyncio.wait((task,), timeout=5)
        return found


main(setup=setup, fill=fill, drain=drain, singly=singly, latency=latency)
