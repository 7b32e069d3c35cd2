"""What `sightline up` costs: the first start on an empty state directory, the second one, and what it takes while nothing happens.

.venv/bin/python benchmarks/start.py [--quick] [--json] [--only idle]

Times to health are wall clock, so the best of several counts; CPU seconds do not depend on what else the machine does. Memory
is the proportional share (PSS) of every process of the tree. `SIGHTLINE_BENCH_SOURCE` names the `src` of another version.
"""

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from harness import Result, main
from live import free_port, up

KIB = 1024


@dataclass
class Started:
    process: psutil.Process
    wall_s: float
    cpu_s: float

    def tree(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]

    def pss_mib(self) -> dict[str, float]:
        """Each process by what it is, largest first."""
        found: dict[str, float] = {}
        for process in self.tree():
            with suppress(psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
                lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
                size = next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / KIB
                name = what_it_is(process)
                found[name] = found.get(name, 0.0) + size
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    def tree_cpu_s(self) -> float:
        """By the scheduler's books, ended children included as far as their parents waited for them."""
        used = 0.0
        for process in self.tree():
            with suppress(psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
                times = process.cpu_times()
                used += times.children_user + times.children_system
                tasks = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
                used += sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
        return used


def what_it_is(process: psutil.Process) -> str:
    command = " ".join(process.cmdline())
    if process.name() == "postgres":
        return "PostgreSQL"
    if "forkserver" in command:
        return "fork server"
    if "resource_tracker" in command:
        return "resource tracker"
    return "platform" if "sightline" in command else process.name()


@asynccontextmanager
async def platform(state: Path) -> AsyncIterator[Started]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)  # as `make run` does
    source = os.environ.get("SIGHTLINE_BENCH_SOURCE")
    port = free_port()
    began = time.monotonic()
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightline", "up", "--state-dir", str(state), "--port", str(port)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env=kept | ({"PYTHONPATH": source} if source else {}),
    )
    try:
        started = Started(psutil.Process(child.pid), 0.0, 0.0)
        await up(port)
        started.wall_s = time.monotonic() - began
        started.cpu_s = started.tree_cpu_s()
        yield started
    finally:
        if child.returncode is None:
            child.send_signal(signal.SIGTERM)
        await child.wait()


async def start(is_quick: bool) -> Result:
    rounds = 1 if is_quick else 3
    figures: dict[str, float] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="sightline-bench-", ignore_cleanup_errors=True) as directory:
            for label in ("first start", "second start"):
                async with platform(Path(directory) / "state") as started:
                    found = {f"{label}, s to health": started.wall_s, f"{label}, CPU s": started.cpu_s}
                figures |= {name: min(value, figures.get(name, value)) for name, value in found.items()}
    return Result(f"start, best of {rounds}", figures, "s")


async def idle(is_quick: bool) -> Result:
    # What a start leaves to do; the database's connections of it are closed after a minute.
    seconds, settle_s = (10.0, 15.0) if is_quick else (60.0, 90.0)
    with tempfile.TemporaryDirectory(prefix="sightline-bench-", ignore_cleanup_errors=True) as directory:
        async with platform(Path(directory) / "state") as started:
            await asyncio.sleep(settle_s)
            before, began = started.tree_cpu_s(), time.monotonic()
            await asyncio.sleep(seconds)
            share = (started.tree_cpu_s() - before) / (time.monotonic() - began)
            sizes = started.pss_mib()
            count = len(started.tree())
    figures = {"CPU, % of a core": 100 * share, "PSS of the tree, MiB": sum(sizes.values()), "processes": float(count)}
    figures |= {f"PSS of {name}, MiB": size for name, size in sizes.items()}
    return Result(f"idle, {seconds:.0f} s after a start", figures, "see each")


if __name__ == "__main__":
    main(__doc__ or "", {"start": start, "idle": idle})
