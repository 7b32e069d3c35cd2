"""How long a run took, how much CPU time it used, and its slowest tests (`--slowest N`). A plug-in of pytest."""

import resource
import time
from collections import defaultdict
from contextlib import suppress

import psutil
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slowest", type=int, default=0, help="Say at the end what the run cost, and so many slowest tests."
    )


def pytest_configure(config: pytest.Config) -> None:
    wanted = config.getoption("--slowest")
    if wanted and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Timings(wanted))


class Timings:
    """Lives in the run's own process, which hears of every worker's reports."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._began = time.monotonic()
        self._seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """By now the workers have ended, so that what they used is known."""
        wall, cpu = time.monotonic() - self._began, cpu_seconds()
        terminalreporter.section(
            f"took {wall:.1f} s ({wall / 60:.1f} minutes), CPU {cpu:.1f} s ({cpu / 60:.1f} minutes)"
        )
        slowest = sorted(self._seconds.items(), key=lambda pair: pair[1], reverse=True)
        for test, seconds in slowest[: self._wanted]:
            terminalreporter.write_line(f"{seconds:7.1f} s  {test}")


def cpu_seconds() -> float:
    """Of this process, all that it started and that has ended, and what still runs: the database."""
    own = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    total = sum(used.ru_utime + used.ru_stime for used in own)
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            total += sum(child.cpu_times()[:4])  # user and system, then the same of its ended children
    return total
