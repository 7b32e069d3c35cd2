"""`scripts/loaded_tests.py` on a repository whose tests only write down where and with what they run."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from support import TESTS
from support.waiting import Patience

SCRIPTS = TESTS.parent / "scripts"
# Each run waits until the file `enough` is there, so that a test sees those that are under way.
MAKEFILE = """
PYTHON ?= python3
SEEN = {seen}
setup:
\t@mkdir -p .venv/bin && printf '#!/bin/sh\\nexec {interpreter} "$$@"\\n' >.venv/bin/python && chmod +x .venv/bin/python
\t@echo $(PYTHON) >.venv/made-with
test:
\t@trap 'echo interrupted >>$(SEEN).interrupted; exit 1' INT; \\
\techo "$$PWD $$(cat .venv/made-with) $(MAKELEVEL) $(ARGS)" >>$(SEEN); \\
\twhile ! test -e {enough}; do sleep 0.05; done
\t@echo "= 7 passed in 0.1s ="
\t@echo "= took 1.0 s (0.1 minutes), CPU 90.0 s (1.5 minutes) ="
"""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    made = tmp_path / "repository"
    (made / "scripts").mkdir(parents=True)
    for name in ("loaded_tests.py", "neighbours.py"):
        shutil.copy(SCRIPTS / name, made / "scripts")
    paths = {"seen": tmp_path / "seen", "enough": tmp_path / "enough", "interpreter": sys.executable}
    (made / "Makefile").write_text(MAKEFILE.format(**paths))
    (made / ".gitignore").write_text(".venv\n.reports\n")
    author = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "All"]):
        subprocess.run(["git", *command], cwd=made, check=True)
    return made


@pytest.fixture
def start(repository: Path, tmp_path: Path) -> Iterator[Start]:
    (tmp_path / "clones").mkdir()
    started = []

    def run(*arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "scripts/loaded_tests.py", "--below", str(tmp_path / "clones"), *arguments]
        process = subprocess.Popen(
            command, cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.terminate()
        process.communicate()


def wait_until(holds: Callable[[], bool]) -> None:
    patience = Patience(60)
    while not holds():
        assert not patience.is_over()


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_runs_at_once_have_a_clone_with_an_environment_each_and_the_table_and_the_last_line_name_the_load(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAKELEVEL", "7")
    running = start(
        "--runs", "3", "--at-once", "2", "--python", "one", "--python", "two", "--load", "1", "--", "tests/unit"
    )
    wait_until(lambda: len(lines(tmp_path / "seen")) == 2)
    begun = [line.split() for line in lines(tmp_path / "seen")]
    assert len({directory for directory, *_ in begun}) == 2, "each in a clone of its own"
    assert sorted(python for _, python, *_ in begun) == ["one", "two"]
    assert {tuple(rest) for _, _, *rest in begun} == {("0", "tests/unit")}, "not in the make that called the script"
    (tmp_path / "enough").touch()
    out, err = running.communicate()
    assert running.returncode == 0, err
    row = rf"\| \d \| {sys.version_info[0]}\.{sys.version_info[1]} \| passed \| \d+\.\d \| 1\.5 \| \d+ \| 7 passed in 0\.1s \|"
    assert len(re.findall(row, out)) == 3, out
    assert re.search(r"^3 of 3 runs passed, on average in \d+\.\d minutes at load \d+$", out, re.MULTILINE), out
    assert list((tmp_path / "clones").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_interrupts_its_runs_begins_no_other_and_leaves_nothing_behind(
    start: Start, tmp_path: Path, number: signal.Signals
) -> None:
    running = start("--runs", "4", "--at-once", "2", "--load", "2")
    wait_until(lambda: len(lines(tmp_path / "seen")) == 2)
    below = psutil.Process(running.pid).children(recursive=True)
    os.kill(running.pid, number)
    out, err = running.communicate()
    assert (running.returncode, "interrupted" in err) == (1, True), err
    assert out.endswith("no run has ended\n"), out
    assert len(lines(tmp_path / "seen")) == len(lines(tmp_path / "seen.interrupted")) == 2
    wait_until(lambda: not any(process.is_running() and process.status() != "zombie" for process in below))
    assert list((tmp_path / "clones").iterdir()) == []
