"""CPU-heavy work in a process of its own."""

import asyncio
import os

import psutil
import pytest

from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs import run_in_process
from support import process_work
from support.waiting import until


async def test_the_result_and_progress_come_back_and_the_work_ran_elsewhere():
    seen: list[tuple[float, str | None]] = []
    result = await run_in_process(process_work.double, {"n": 21}, lambda *one: seen.append(one))
    assert result is not None
    assert result["answer"] == 42
    assert result["pid"] != os.getpid()
    assert seen == [(0.5, "half-way")]


async def test_an_error_keeps_its_answer_to_whether_trying_again_makes_sense():
    with pytest.raises(PermanentFailure, match="InvalidInput: 7 is no good"):
        await run_in_process(process_work.refuse, {"n": 7}, lambda *_: None)
    with pytest.raises(TransientFailure, match="ConnectionError: the wire was cut"):
        await run_in_process(process_work.stumble, {}, lambda *_: None)


@pytest.mark.req(72)
async def test_a_broken_rule_of_the_database_is_as_final_in_a_process_as_anywhere():
    with pytest.raises(PermanentFailure, match="UniqueViolationError: there is one already"):
        await run_in_process(process_work.break_a_rule, {}, lambda *_: None)


async def test_a_crash_of_the_process_is_an_error_like_any_other():
    with pytest.raises(TransientFailure, match="killed by SIGSEGV"):
        await run_in_process(process_work.crash, {}, lambda *_: None)


async def test_work_that_is_given_up_is_killed():
    pids: list[int] = []
    task = asyncio.create_task(run_in_process(process_work.hang, {}, lambda _, pid: pids.append(int(pid or 0))))
    await until(lambda: bool(pids))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not psutil.pid_exists(pids[0]) or psutil.Process(pids[0]).status() == psutil.STATUS_ZOMBIE)
