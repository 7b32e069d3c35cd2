"""What bounds work in a process: limits that are named when they are met, and nothing left behind whatever happens."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs import LimitExceeded, ProcessCrashed, ProcessLimits, run_in_process
from sightline.jobs.retry import may_retry
from support import process_work
from support.waiting import soon, until

MIB = 1024 * 1024


async def run(work, argument=None, **options):
    return await run_in_process(work, argument or {}, lambda *_: None, **options)


async def test_cpu_time_is_bounded():
    with pytest.raises(LimitExceeded, match="more than 1 s of CPU time") as caught:
        await run(process_work.burn, limits=ProcessLimits(cpu_s=1))
    assert caught.value.details == {"limit": "cpu_s", "value": 1}
    assert not may_retry(caught.value, 0)


async def test_memory_is_bounded():
    limits = ProcessLimits(memory_bytes=1024 * MIB)
    with pytest.raises(LimitExceeded, match="more than 1 GiB of memory"):
        await run(process_work.hoard, {"bytes": 1500 * MIB}, limits=limits)
    assert await run(process_work.hoard, {"bytes": 50 * MIB}, limits=limits) == {"size": 50 * MIB}


async def test_the_size_of_a_file_is_bounded():
    limits = ProcessLimits(file_bytes=3 * MIB)
    with pytest.raises(LimitExceeded, match="more than 3 MiB into one file"):
        await run(process_work.write, {"mib": 4}, limits=limits)
    await run(process_work.write, {"mib": 2}, limits=limits)


async def test_time_on_the_wall_is_bounded():
    with pytest.raises(LimitExceeded, match=r"longer than 0\.3 s"):
        await run(process_work.hang, limits=ProcessLimits(wall_s=0.3))


async def test_a_program_that_the_work_started_can_name_its_limit():
    with pytest.raises(LimitExceeded, match="more than 7 s of CPU time"):
        await run(process_work.let_a_program_reach_its_limit, {"limit": "cpu_s"}, limits=ProcessLimits(cpu_s=7))


async def test_a_lack_of_memory_that_no_limit_explains_is_an_error_like_any_other():
    with pytest.raises(TransientFailure, match="MemoryError"):
        await run(process_work.hoard, {"bytes": 1 << 60})


async def test_a_crash_is_worth_one_more_try():
    with pytest.raises(ProcessCrashed, match="killed by SIGSEGV") as caught:
        await run(process_work.crash)
    assert may_retry(caught.value, 0)
    assert not may_retry(caught.value, 1)


async def test_the_work_has_a_private_directory_that_is_gone_after():
    found = await run(process_work.look_around, {"modules": []}, limits=ProcessLimits(nice=5))
    assert found["cwd"] != os.getcwd()
    assert Path(found["temporary"]).parent == Path(found["cwd"])
    assert not os.path.exists(found["cwd"])  # noqa: ASYNC240 # once
    assert found["nice"] == os.nice(0) + 5
    assert found["core"] == 0


async def test_a_directory_of_the_callers_stays(tmp_path):
    found = await run(process_work.look_around, {"modules": []}, directory=tmp_path)
    assert found["cwd"] == str(tmp_path)
    assert (tmp_path / "left").read_text() == "something"


async def test_a_directory_that_is_not_there_is_an_error_with_a_name(tmp_path):
    with pytest.raises(TransientFailure, match="FileNotFoundError"):
        await run(process_work.look_around, {"modules": []}, directory=tmp_path / "nowhere")


async def test_what_the_work_started_goes_with_it_when_it_is_given_up():
    said: list[str] = []
    task = asyncio.create_task(
        run_in_process(process_work.start_a_program, {}, lambda _, word: said.append(word or ""))
    )
    await until(lambda: bool(said))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not any(_is_alive(int(pid)) for pid in said[0].split()))


async def test_what_the_work_started_goes_with_it_when_it_crashes():
    said: list[str] = []
    with pytest.raises(ProcessCrashed):
        await run_in_process(process_work.start_a_program, {"crash": True}, lambda _, word: said.append(word or ""))
    await until(lambda: not any(_is_alive(int(pid)) for pid in said[0].split()))


PARENT = """
import asyncio, sys
from support import process_work
from sightline.jobs import run_in_process

if __name__ == "__main__":
    asyncio.run(run_in_process(process_work.start_a_program, {}, lambda _, word: print(word, flush=True)))
"""


async def test_what_the_work_started_goes_with_it_when_the_parent_is_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(script),
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(process_work.__file__).parents[1])},
    )
    assert process.stdout is not None
    pids = [int(word) for word in (await soon(process.stdout.readline())).split()]
    assert len(pids) == 2
    process.send_signal(signal.SIGKILL)
    await process.wait()
    await until(lambda: not any(_is_alive(pid) for pid in pids))


PRELOADING = """
print("run", flush=True)
import asyncio
from support import process_work
from sightline.jobs import preload, run_in_process

if __name__ == "__main__":
    preload("colorsys", "no_such_module")
    found = asyncio.run(run_in_process(process_work.look_around, {"modules": ["colorsys"]}, lambda *_: None))
    print(found["modules"])
"""


@pytest.fixture(scope="module")
def said_while_preloading(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    script = tmp_path_factory.mktemp("preloading") / "parent.py"
    script.write_text(PRELOADING)
    return _said_by(str(script))


def test_children_do_not_run_the_program_of_their_parent_again(said_while_preloading):
    """A program may take long to import, and may do things when it is run."""
    assert said_while_preloading.count("run") == 1


def test_modules_can_be_imported_once_for_all_children(said_while_preloading):
    assert said_while_preloading[-1] == "['colorsys']"


SERVING = """
import asyncio
import psutil
from support import process_work
from support.waiting import until
from sightline.jobs import ForkServer, preload, run_in_process

def is_helper(process):
    try:
        return "multiprocessing" in " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return False

def helpers():
    return sum(map(is_helper, psutil.Process().children()))

async def main():
    preload("colorsys")
    stop, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(ForkServer(idle_s=0.2).run(stop, ready.set))
    await ready.wait()
    print(helpers())
    for _ in range(2):
        found = await run_in_process(process_work.look_around, {"modules": ["colorsys"]}, lambda *_: None)
        print(found["modules"])
        await until(lambda: helpers() == 0)
    stop.set()
    await running

asyncio.run(main())
"""


@pytest.mark.req(1084)
def test_the_server_of_children_comes_with_the_first_and_goes_when_none_was_needed_for_a_while():
    assert _said_by("-c", SERVING) == ["0", "['colorsys']", "['colorsys']"]


WORKING = """
import asyncio
import psutil
from support import process_work
from support.waiting import until
from sightline.jobs import ForkServer, fork_server, run_in_process

async def main():
    stop, looked = asyncio.Event(), []
    original = fork_server._stop_idle_server
    fork_server._stop_idle_server = lambda idle_s: looked.append(original(idle_s))
    running = asyncio.create_task(ForkServer(idle_s=0.01).run(stop, lambda: None))
    working = asyncio.create_task(run_in_process(process_work.hang, {}, lambda *_: None))
    await until(lambda: fork_server._children)
    looked.clear()
    await until(lambda: len(looked) > 20)
    print(any("forkserver" in " ".join(one.cmdline()) for one in psutil.Process().children()))
    working.cancel()
    await asyncio.wait((working,))
    stop.set()
    await running

asyncio.run(main())
"""


@pytest.mark.req(1084)
def test_the_server_of_children_stays_while_one_works():
    assert _said_by("-c", WORKING) == ["True"]


async def test_the_work_cannot_write_to_the_standard_output_of_the_program(capfd):
    await run(process_work.talk_on_standard_output)
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("line", ["no JSON", '["error", 1]', '["result", 7]', '["wonder", null]', "\x80"])
async def test_a_process_that_sends_invalid_messages_counts_as_crashed(line):
    with pytest.raises(ProcessCrashed, match="a message that cannot be read"):
        await run(process_work.babble, {"line": line})


async def test_many_at_once_leave_the_threads_to_others():
    """Each that took a thread to wait in would keep it from those who read and write files."""
    more_than_threads = min(32, (os.cpu_count() or 1) + 4) + 2
    limits = ProcessLimits(wall_s=3600)
    waiting = [asyncio.create_task(run(process_work.hang, limits=limits)) for _ in range(more_than_threads)]
    try:
        assert await soon(asyncio.to_thread(os.getpid)) == os.getpid()
    finally:
        for task in waiting:
            task.cancel()
        ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(one) for one in ended} == {asyncio.CancelledError}


async def test_an_error_that_will_not_go_away_says_so_under_limits_too():
    with pytest.raises(PermanentFailure, match="InvalidInput: 7 is no good"):
        await run(process_work.refuse, {"n": 7}, limits=ProcessLimits(cpu_s=5, memory_bytes=4096 * MIB, wall_s=600))


def _said_by(*arguments: str) -> list[str]:
    """The lines of a program that knows the work of these tests."""
    known = os.environ | {"PYTHONPATH": str(Path(process_work.__file__).parents[1])}
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, env=known)
    return done.stdout.splitlines()


def _is_alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
