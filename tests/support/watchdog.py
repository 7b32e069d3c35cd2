"""Time limits that no test can swallow. A plug-in of pytest.

A thread beside the event loop watches the running test. When its limit is over, the thread writes down every stack and what
the browser shows, then interrupts the test. A test that does not end even then takes its process with it: xdist reports that
test as failed and starts another worker for the rest. Limits are in seconds of a quiet machine (see `waiting`).
"""

import asyncio
import faulthandler
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import psutil
import pytest

from support.waiting import Patience

USUAL_LIMIT_S = 120.0
GRACE_S = 15.0
# The last resort works without the interpreter lock, and cannot ask how busy the machine is.
HARD_LIMIT_S = 3600.0
HANGS = Path(".reports") / "hanging"

_INTERRUPT = signal.SIGUSR2
# Each saves something that helps to understand a hanging test into the directory that it is given.
_witnesses: list[Callable[[Path], None]] = []


class TestHangs(KeyboardInterrupt):
    """Not an Exception and not a BaseException that event loops keep to themselves: these let only two kinds through."""

    __test__ = False


def add_witness(save: Callable[[Path], None]) -> None:
    _witnesses.append(save)


class Watchdog:
    def __init__(self, directory: Path, grace_s: float) -> None:
        self._directory = directory
        self._grace_s = grace_s
        self._test: str | None = None
        self._patience: Patience | None = None
        self._reports: dict[str, Path] = {}
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        signal.signal(_INTERRUPT, self._interrupt)
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def begin(self, test: str, limit_s: float) -> None:
        with self._lock:
            self._test, self._patience = test, Patience(limit_s)
        faulthandler.dump_traceback_later(HARD_LIMIT_S, exit=True, file=2)

    def end(self) -> None:
        faulthandler.cancel_dump_traceback_later()
        with self._lock:
            self._test = self._patience = None

    def stop(self) -> None:
        self._is_over.set()

    def report_of(self, test: str) -> Path | None:
        return self._reports.get(test)

    def _watch(self) -> None:
        while not self._is_over.wait(0.5):
            with self._lock:
                test, patience = self._test, self._patience
            if test is None or patience is None or not patience.is_over():
                continue
            if test not in self._reports:
                self._reports[test] = write_report(test, self._directory)
                with self._lock:
                    if self._test != test:
                        continue  # it ended after all
                    self._patience = Patience(self._grace_s)
                signal.pthread_kill(threading.main_thread().ident or 0, _INTERRUPT)
            else:
                kill_children()
                os._exit(1)

    def _interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        if (test := self._test) is not None:
            raise TestHangs(f"{test} took longer than its limit; see {self._reports[test]}")


def write_report(test: str, directory: Path) -> Path:
    """Every stack, every task and what the witnesses save, in a directory of the test's own."""
    own = directory / re.sub(r"[^\w.-]+", "_", test)[-150:]
    own.mkdir(parents=True, exist_ok=True)
    with (own / "stacks.txt").open("w", encoding="utf-8") as file:
        faulthandler.dump_traceback(file, all_threads=True)
    for number, save in enumerate([_save_tasks, *_witnesses]):
        try:
            save(own)
        except Exception as error:  # the stacks are written, and the test has to be ended whatever else goes wrong
            (own / f"witness-{number}-failed.txt").write_text(repr(error))
    print(f"\nwatchdog: {test} hangs; see {own}", file=sys.__stderr__, flush=True)
    return own


def _save_tasks(directory: Path) -> None:
    """Where each coroutine waits; stacks of threads end in the event loop."""
    # The set's name until Python 3.11 and after; the public function only tells of a loop that runs in its own thread.
    name = "_all_tasks" if hasattr(asyncio.tasks, "_all_tasks") else "_scheduled_tasks"
    with (directory / "tasks.txt").open("w", encoding="utf-8") as file:
        for task in list(getattr(asyncio.tasks, name)):
            if not task.done():
                task.print_stack(file=file)


def kill_children() -> None:
    """What the test started has sessions of its own and would outlive it."""
    for child in psutil.Process().children(recursive=True):
        try:
            child.kill()
        except psutil.NoSuchProcess:
            continue


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("time_limit_s", "Seconds of a quiet machine that a test may take.", default=str(USUAL_LIMIT_S))
    parser.addini("time_limit_grace_s", "Seconds that an interrupted test has to end.", default=str(GRACE_S))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "time_limit(seconds): of a quiet machine, for a test that takes longer than others"
    )
    watchdog = Watchdog(config.rootpath / HANGS, float(config.getini("time_limit_grace_s")))
    config.stash[_WATCHDOG] = watchdog
    config.add_cleanup(watchdog.stop)


_WATCHDOG = pytest.StashKey[Watchdog]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    mark = item.get_closest_marker("time_limit")
    limit_s = float(mark.args[0] if mark else item.config.getini("time_limit_s"))
    watchdog = item.config.stash[_WATCHDOG]
    watchdog.begin(item.nodeid, limit_s)
    try:
        return (yield)
    finally:
        watchdog.end()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    return (yield from _as_failure())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _as_failure())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    return (yield from _as_failure())


def _as_failure() -> Iterator[None]:
    """An interrupt of ours fails the test; any other ends the run."""
    try:
        return (yield)
    except TestHangs as hanging:
        pytest.fail(str(hanging))


def pytest_handlecrashitem(crashitem: str, report: pytest.TestReport, sched: Any) -> None:
    """In the run's own process: what the worker wrote down before it took itself away."""
    own = HANGS / re.sub(r"[^\w.-]+", "_", crashitem)[-150:]
    if (own / "stacks.txt").exists():
        report.longrepr = f"{report.longrepr}\n{(own / 'stacks.txt').read_text(encoding='utf-8')}"
