"""The time limits of tests, tried on tests that hang in ways that others get away with."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import TESTS
from support.waiting import Patience, slowdown

HANGING = {
    "a coroutine that swallows whatever is raised in it": """
        async def test_it():
            while True:
                try:
                    await asyncio.sleep(0.01)
                except BaseException:
                    pass
    """,
    "a callback of the event loop": """
        async def test_it():
            asyncio.get_running_loop().call_soon(lambda: time.sleep(1000))
            await asyncio.sleep(1000)
    """,
    "an event that never comes": """
        async def test_it():
            await asyncio.Event().wait()
    """,
    "a fixture": """
        @pytest.fixture
        def stuck():
            time.sleep(1000)

        def test_it(stuck): ...
    """,
    "a loop that catches everything": """
        def test_it():
            while True:
                try:
                    time.sleep(0.01)
                except BaseException:
                    pass
    """,
}
BEFORE = "import asyncio, time, pytest\n"
AFTER = "\ndef test_another(): ...\n"
SETTINGS = f"""
[pytest]
pythonpath = {TESTS}
asyncio_mode = auto
asyncio_default_fixture_loop_scope = function
time_limit_s = 0.3
time_limit_grace_s = 0.3
"""


@pytest.mark.parametrize("body", HANGING.values(), ids=HANGING.keys())
def test_a_test_that_hangs_fails_alone_and_leaves_its_stacks(tmp_path: Path, body: str) -> None:
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    indented = re.sub(r"^ {8}", "", body, flags=re.M)
    (tmp_path / "test_hanging.py").write_text(BEFORE + indented + AFTER)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "support.watchdog", "-n", "1", "--import-mode=importlib", "-rf"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(TESTS), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    # One that had to be killed after its interrupt is reported twice; one that hangs in a fixture is an error.
    outcome = run.stdout.splitlines()[-1]
    assert re.search(r"1 failed|2 failed|1 error", outcome), run.stdout + run.stderr
    assert "1 passed" in outcome, run.stdout
    (report,) = (tmp_path / ".reports" / "hanging").glob("*test_it*")
    written = (report / "stacks.txt").read_text() + (report / "tasks.txt").read_text()
    assert re.search("test_it|stuck", written), written


def test_a_second_counts_less_while_the_machine_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("support.waiting.time.monotonic", lambda: now)
    monkeypatch.setattr("support.waiting.slowdown", lambda: 10.0)
    patience = Patience(5.0)
    now = 140.0
    assert not patience.is_over()
    now = 151.0
    assert patience.is_over()


def test_a_quiet_machine_is_not_slowed_down() -> None:
    assert slowdown() >= 1.0
