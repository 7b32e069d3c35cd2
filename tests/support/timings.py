"""How long a run took, how much CPU time it used, and its slowest tests (`--slowest N`). A plug-in of pytest.

What each file used is in `.reports/cpu-by-file.txt`, with all that its tests started: browsers, platforms, emulators. The database
of the run counts for none of them, and what files share for the first that needed it.
"""

import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

FILE_CPU = Path(".reports") / "cpu-by-file.txt"
_OUTPUT = "file_cpu"
_MOMENT_S = 0.2


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slowest", type=int, default=0, help="Say at the end what the run cost, and so many slowest tests."
    )


def pytest_configure(config: pytest.Config) -> None:
    if not (wanted := config.getoption("--slowest")):
        return
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(FileCpu(config.rootpath))
    else:
        config.pluginmanager.register(Timings(wanted, config.rootpath))


class FileCpu:
    """Lives in each test process, which runs one file after the other."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seconds: dict[str, float] = {}
        self._before = 0.0
        self._counted_at = 0.0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        self._before = cpu_seconds()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        try:
            return (yield)
        finally:
            if nextitem is None or nextitem.path != item.path:
                self._count(item.path.relative_to(self._root).as_posix(), is_last=nextitem is None)

    def _count(self, file: str, *, is_last: bool) -> None:
        """A file of a moment is counted with the next one: to look at all processes takes longer."""
        if is_last or time.monotonic() - self._counted_at > _MOMENT_S:
            now = cpu_seconds()
            self._seconds[file] = self._seconds.get(file, 0) + now - self._before
            self._before, self._counted_at = now, time.monotonic()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        session.config.workeroutput[_OUTPUT] = self._seconds  # type: ignore[attr-defined]  # of xdist


class Timings:
    """Lives in the run's own process, which hears of every worker's reports."""

    def __init__(self, wanted: int, root: Path) -> None:
        self._wanted = wanted
        self._root = root
        self._began = time.monotonic()
        self._seconds: dict[str, float] = defaultdict(float)
        self._files: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration

    @pytest.hookimpl(optionalhook=True)  # of xdist
    def pytest_testnodedown(self, node: Any) -> None:
        for file, seconds in getattr(node, "workeroutput", {}).get(_OUTPUT, {}).items():
            self._files[file] += seconds

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """By now the workers have ended, so that what they used is known."""
        wall, cpu = time.monotonic() - self._began, cpu_seconds()
        terminalreporter.section(
            f"took {wall:.1f} s ({wall / 60:.1f} minutes), CPU {cpu:.1f} s ({cpu / 60:.1f} minutes)"
        )
        for test, seconds in _most_first(self._seconds)[: self._wanted]:
            terminalreporter.write_line(f"{seconds:7.1f} s  {test}")
        if self._files:
            table = self._root / FILE_CPU
            table.parent.mkdir(exist_ok=True)
            table.write_text("".join(f"{seconds:8.2f} s  {file}\n" for file, seconds in _most_first(self._files)))


def _most_first(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda pair: pair[1], reverse=True)


def cpu_seconds() -> float:
    """Of this process, all that it started and that has ended, and what still runs: the database."""
    own = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    total = sum(used.ru_utime + used.ru_stime for used in own)
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            total += sum(child.cpu_times()[:4])  # user and system, then the same of its ended children
    return total
