"""What a run of the tests says about itself, and the neighbours that it is tried beside."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil

from support import TESTS
from support.hand_clock import HandClock
from support.timings import FILE_CPU
from support.waiting import Patience

NEIGHBOURS = TESTS.parent / "scripts" / "neighbours.py"

TESTS_OF_A_RUN = """
import subprocess, sys

def test_a_quick_one(): ...

def test_another_quick_one(): ...

def test_one_whose_child_computes():
    subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.5: pass"], check=True)
"""


# Its child has used its time when the test ends, and is still there.
BUSY = """
import subprocess, sys, pytest

@pytest.fixture(scope="session")
def child():
    code = "import time, sys\\nwhile time.process_time() < 1: pass\\nprint(flush=True)\\nsys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        yield process
        process.stdin.close()

def test_it(child): ...
"""


def test_a_run_says_how_long_it_took_what_cpu_time_its_processes_used_and_which_tests_were_slowest(
    tmp_path: Path,
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(TESTS_OF_A_RUN)
    (tmp_path / "test_busy.py").write_text(BUSY)
    plugins = ("-p", "xdist", "-p", "support.timings", "-p", "support.reading")
    command = [sys.executable, "-m", "pytest", *plugins, "--import-mode=importlib", "-n", "1", "--slowest=2"]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(TESTS)}
    said = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=True).stdout
    cost = re.search(r"= took ([\d.]+) s \([\d.]+ minutes\), CPU ([\d.]+) s \([\d.]+ minutes\) =", said)
    assert cost is not None, said
    assert float(cost[1]) >= 0.5
    assert float(cost[2]) >= 1.5, "what the worker's children used is counted too"
    slowest = re.findall(r"^ +([\d.]+) s  test_\w+\.py::test_\w+$", said, re.MULTILINE)
    assert len(slowest) == 2
    assert slowest == sorted(slowest, key=float, reverse=True)
    assert float(slowest[0]) >= 0.5
    used = re.findall(r"^ +([\d.]+) s  (.+)$", (tmp_path / FILE_CPU).read_text(), re.MULTILINE)
    assert [file for _, file in used] == ["test_busy.py", "test_it.py"], "those that used most come first"
    assert float(used[0][0]) >= 0.4, "a child that still runs counts"
    assert float(used[1][0]) < float(used[0][0])


def test_files_that_several_processes_read_are_run_once_and_those_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    read = tmp_path / "read.txt"
    (tmp_path / "test_good.py").write_text(
        f"with open({str(read)!r}, 'a') as file:\n    file.write('read\\n')\n\ndef test_it():\n    assert 1 + 1 == 3\n"
    )
    (tmp_path / "test_skipped.py").write_text("import pytest\npytest.skip('not here', allow_module_level=True)\n")
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "support.reading", "-n", "2", "-ra"]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(TESTS)}
    alone.pop("PYTHONDONTWRITEBYTECODE", None)
    said = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=False).stdout
    assert "1 failed, 1 skipped" in said, said
    assert "assert (1 + 1) == 3" in said, "assertions are rewritten"
    assert [kept.name.partition(".")[0] for kept in tmp_path.glob("__pycache__/test_good*-pytest-*.pyc")] == [
        "test_good"
    ]
    assert read.read_text() == "read\n", "once for both processes"
    (tmp_path / "test_broken.py").write_text("import no_such_module\n")
    said = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=False).stdout
    assert "No module named 'no_such_module'" in said
    assert "ERROR test_broken.py" in said, said


def test_a_process_that_a_test_took_with_it_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    (tmp_path / "test_it.py").write_text("import os\n\ndef test_last():\n    os._exit(1)\n\ndef test_next(): ...\n")
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "support.reading", "-n", "1", "-ra"]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(TESTS)}
    said = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=False).stdout
    assert "1 failed, 1 passed" in said, said
    assert "FAILED test_it.py::test_last" in said, said


def test_neighbours_are_of_three_kinds_share_one_session_and_end_with_the_process_that_wanted_them() -> None:
    wanting = subprocess.Popen(
        [sys.executable, "-c", _WANTING, sys.executable, str(NEIGHBOURS)], stdout=subprocess.PIPE, text=True
    )
    assert wanting.stdout is not None
    with wanting.stdout as said:
        assert said.readline() == "3 neighbours\n"
        [command] = psutil.Process(wanting.pid).children()
        busy = command.children()
        try:
            assert len(busy) == 3
            assert {os.getsid(process.pid) for process in busy} == {command.pid}
            assert os.getsid(wanting.pid) != command.pid
        finally:
            wanting.kill()
            wanting.wait()
    patience = Patience(30)
    while any(_runs(process) for process in (command, *busy)):
        assert not patience.is_over()


_WANTING = """
import subprocess, sys
subprocess.Popen([*sys.argv[1:], "3"], start_new_session=True).wait()
"""


def _runs(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


SHARING = """
import pytest

@pytest.fixture(scope="package")
def wide(tmp_path_factory):
    return tmp_path_factory.mktemp("wide")

@pytest.fixture(scope="module")
def narrow(tmp_path_factory, request):
    made = tmp_path_factory.mktemp("narrow")
    request.getfixturevalue("wide")
    yield made
    assert made.is_dir(), "still there for what ends with the fixture"
"""
SHARERS = {
    "test_a.py": "def test_it(wide, narrow):\n    assert wide.is_dir() and narrow.is_dir()\n",
    "test_b.py": "def test_it(wide):\n    assert {one.name for one in wide.parent.iterdir()} == {'wide0', 'widecurrent'}\n",
}


def test_a_directory_of_a_shared_fixture_goes_with_it_and_not_with_the_run(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(SHARING)
    for name, content in SHARERS.items():
        (tmp_path / name).write_text(content)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "support.memory", "--basetemp", str(tmp_path / "base")]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(TESTS)}
    ended = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=False)
    assert "2 passed" in ended.stdout, ended.stdout
    assert list((tmp_path / "base").iterdir()) == []


def test_ten_times_thirty_seconds_of_a_stopped_clock_are_three_hundred_whenever_it_was_made() -> None:
    """Sums of other moments than whole seconds are rounded where they pass a power of two."""
    for begin in (1023.9 - step * 0.37 for step in range(800)):
        clock = HandClock(begin)
        began = clock()
        for _ in range(10):
            clock.now += 30
        assert clock() - began == 300
