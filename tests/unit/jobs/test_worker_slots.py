"""WorkerSlots: jobs on few tasks, and none of them in another's way."""

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

from sightline.jobs import ClaimedJob
from sightline.jobs.worker_slots import WorkerSlots
from support.waiting import soon, until


def _job() -> ClaimedJob:
    now = datetime.now(UTC)
    return ClaimedJob(uuid4(), None, "ocr", 0, 0, "{}", None, now, now)


async def test_jobs_that_never_wait_share_one_task():
    tasks: set[asyncio.Task[object] | None] = set()

    async def work(_job: ClaimedJob) -> None:
        tasks.add(asyncio.current_task())

    slots = WorkerSlots(100, work)
    slots.put(_job() for _ in range(40))
    await until(lambda: len(slots) == 0)
    assert len(tasks) == 1


async def test_a_job_that_waits_lets_others_pass_up_to_the_limit():
    go_on = asyncio.Event()
    running = most = 0

    async def work(_job: ClaimedJob) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await go_on.wait()
        running -= 1

    slots = WorkerSlots(3, work)
    slots.put(_job() for _ in range(10))
    await until(lambda: running == 3)
    assert len(slots) == 10
    go_on.set()
    await until(lambda: len(slots) == 0)
    assert most == 3


async def test_a_dropped_job_ends_and_its_slot_takes_the_next_one():
    stuck, after = _job(), _job()
    ended: list[object] = []

    async def work(job: ClaimedJob) -> None:
        try:
            if job is stuck:
                await asyncio.Event().wait()
        finally:
            ended.append(job.id)

    slots = WorkerSlots(1, work)
    slots.put([stuck, after])
    await until(lambda: len(slots) == 2 and stuck.id in slots.ids)
    await asyncio.sleep(0)
    slots.drop(stuck.id)
    await until(lambda: ended == [stuck.id, after.id])


async def test_a_job_dropped_while_in_line_never_begins():
    begun: list[object] = []
    go_on = asyncio.Event()

    async def work(job: ClaimedJob) -> None:
        begun.append(job.id)
        await go_on.wait()

    first, second = _job(), _job()
    slots = WorkerSlots(1, work)
    slots.put([first, second])
    await until(lambda: begun == [first.id])
    slots.drop(second.id)
    go_on.set()
    await until(lambda: len(slots) == 0)
    assert begun == [first.id]


async def test_closing_returns_what_was_stopped_and_what_never_began():
    stuck, waiting = _job(), _job()
    begun = asyncio.Event()

    async def work(_job: ClaimedJob) -> None:
        begun.set()
        await asyncio.Event().wait()

    slots = WorkerSlots(1, work)
    slots.put([stuck, waiting])
    await soon(begun.wait())
    left = await slots.close(grace_s=0.05)
    assert {job.id for job in left} == {stuck.id, waiting.id}
