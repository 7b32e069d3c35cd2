"""What a run of the tests says about itself, and the neighbours that it is tried beside."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil

from support import TESTS
from support.waiting import Patience

NEIGHBOURS = TESTS.parent / "scripts" / "neighbours.py"

TESTS_OF_A_RUN = """
import subprocess, sys

def test_a_quick_one(): ...

def test_another_quick_one(): ...

def test_one_whose_child_computes():
    subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.5: pass"], check=True)
"""


def test_a_run_says_how_long_it_took_what_cpu_time_its_processes_used_and_which_tests_were_slowest(
    tmp_path: Path,
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(TESTS_OF_A_RUN)
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "support.timings", "-n", "1", "--slowest=2"]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(TESTS)}
    said = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=True).stdout
    cost = re.search(r"= took ([\d.]+) s \([\d.]+ minutes\), CPU ([\d.]+) s \([\d.]+ minutes\) =", said)
    assert cost is not None, said
    assert float(cost[1]) >= 0.5
    assert float(cost[2]) >= 0.5, "what the worker's child used is counted too"
    slowest = re.findall(r"^ +([\d.]+) s  test_it.py::test_\w+$", said, re.MULTILINE)
    assert len(slowest) == 2
    assert slowest == sorted(slowest, key=float, reverse=True)
    assert float(slowest[0]) >= 0.5


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
