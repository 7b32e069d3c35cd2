"""Sightline's own queue and worker."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog
from contest import PAYLOAD, Latency, from_tasks, go, main

from sightline.contracts.jobs import ClipGenerate, parse_payload
from sightline.db import Database, DatabaseSettings, Listener, open_database
from sightline.jobs import Job, JobContext, JobLimits, JobQueue, NewJob, Worker

logging.disable(logging.INFO)
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
CLIP = parse_payload(ClipGenerate, PAYLOAD)


async def _open(url: str) -> Database:
    return await open_database(DatabaseSettings(pool_min=0), url)


class NoOp(Job[ClipGenerate]):
    payload = ClipGenerate
    limits = JobLimits(concurrency=1000, time_limit=timedelta(minutes=5))

    def __init__(self, started) -> None:
        self._started = started

    async def run(self, payload: ClipGenerate, context: JobContext) -> None:
        self._started()


def single_enqueue(database: Database) -> Callable[[], Awaitable[object]]:
    """One job in a transaction of its own. The product enqueues in the transaction that causes the job, so none is cheaper."""
    queue = JobQueue(database)

    async def enqueue() -> None:
        async with database.transaction() as tx:
            await queue.enqueue(tx, CLIP)

    return enqueue


async def setup(url: str, count: int) -> None:
    """Migrated already."""


async def fill(url: str, count: int) -> float:
    database = await _open(url)
    queue = JobQueue(database)
    started = time.perf_counter()
    for start in range(0, count, 1000):
        async with database.transaction() as tx:
            await queue.enqueue_many(tx, [NewJob(CLIP)] * min(1000, count - start))
    seconds = time.perf_counter() - started
    database.terminate()
    return seconds


class TimedWorker(Worker):
    """Notes when the last batch was durably done."""

    settled_at = 0.0

    async def _settle_and_claim(self):
        has_finished = bool(self._finished)
        answer = await super()._settle_and_claim()
        if has_finished:
            self.settled_at = time.perf_counter()
        return answer


async def drain(url: str, count: int) -> dict[str, float]:
    database = await _open(url)
    listener = Listener(url)
    done = 0

    def started() -> None:
        nonlocal done
        done += 1

    stop, listening = asyncio.Event(), asyncio.Event()
    worker = TimedWorker(NoOp(started), database=database, listener=listener)
    tasks = [asyncio.create_task(listener.run(stop, listening.set))]
    await listening.wait()
    await go()
    began, used = time.perf_counter(), time.process_time()
    tasks.append(asyncio.create_task(worker.run(stop, lambda: None)))
    # However long it takes on a busy machine: until no job of any worker is left.
    while await _has_open_jobs(database):  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    used = time.process_time() - used
    stop.set()
    await asyncio.gather(*tasks)
    database.terminate()
    return {"done": done, "seconds": worker.settled_at - began, "cpu_s": used}


async def _has_open_jobs(database: Database) -> bool:
    async with database.transaction() as tx:
        return bool(await tx.fetchval("SELECT EXISTS (SELECT FROM jobs WHERE open AND run_after IS NULL)"))


async def singly(url: str, count: int) -> float:
    database = await _open(url)
    seconds = await from_tasks(count, single_enqueue(database))
    database.terminate()
    return seconds


async def latency(url: str, count: int) -> list[float]:
    database = await _open(url)
    listener = Listener(url)
    stop = asyncio.Event()
    timing = Latency()
    ready = asyncio.Event()
    tasks = [
        asyncio.create_task(listener.run(stop, ready.set)),
        asyncio.create_task(
            Worker(NoOp(timing.handler_started), database=database, listener=listener).run(stop, lambda: None)
        ),
    ]
    await ready.wait()
    found = await timing.measure(count, single_enqueue(database))
    stop.set()
    await asyncio.gather(*tasks)
    database.terminate()
    return found


main(setup=setup, fill=fill, drain=drain, singly=singly, latency=latency)
