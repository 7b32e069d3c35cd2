"""Runs the tests again and again beside busy neighbours, and counts how often they pass.

scripts/loaded_tests.py --runs 10 --load 30              ten runs, one after the other, beside 30 busy processes
scripts/loaded_tests.py --runs 10 --load 30 --at-once 5  five runs at a time: each is a neighbour of the others as well
scripts/loaded_tests.py --runs 1 --python python3.13     one run on another interpreter; given several times, they take turns
scripts/loaded_tests.py --runs 1 --cores 1               one run on one core
scripts/loaded_tests.py --runs 3 -- tests/unit           what follows `--` goes to pytest

Runs at the same time, and runs on another interpreter, have a clone of the repository each, below a temporary directory: what
is not committed is not in it. Prints a table of the runs; each run's output is kept under `.reports/loaded/`. Interrupted
(Ctrl-C, SIGTERM), it interrupts the runs, waits for their end, removes the clones and sums up the runs that had ended.
"""

import argparse
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / ".reports" / "loaded"
_SAMPLE_EVERY_S = 1
# A run that is interrupted stops its database and what its tests have started.
_ENDS_WITHIN_S = 60
# What a make above this script hands down is not meant for the tests.
_OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")


@dataclass(frozen=True, slots=True)
class Run:
    number: int
    python: str
    passed: bool
    minutes: float
    cpu_minutes: str
    mean_load: float
    summary: str

    def __str__(self) -> str:
        result = "passed" if self.passed else "FAILED"
        cells = (
            str(self.number),
            self.python,
            result,
            f"{self.minutes:.1f}",
            self.cpu_minutes,
            f"{self.mean_load:.0f}",
            self.summary,
        )
        return f"| {' | '.join(cells)} |"


@contextmanager
def neighbours(count: int) -> Iterator[None]:
    if not count:
        yield
        return
    command = [sys.executable, str(ROOT / "scripts" / "neighbours.py"), str(count)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert process.stdout is not None
        if not process.stdout.readline():
            raise SystemExit(f"{shlex.join(command)} has ended; run it by itself to see why")
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@dataclass(frozen=True, slots=True)
class Checkout:
    directory: Path
    python: str | None
    """The interpreter, as `make PYTHON=` takes it; None means the default one."""


@contextmanager
def checkouts(count: int, pythons: list[str], below: Path | None) -> Iterator[list[Checkout]]:
    """Where runs can go on side by side, each with an environment of its own."""
    if count == 1 and not pythons:
        make(Checkout(ROOT, None), "setup")
        yield [Checkout(ROOT, None)]
        return
    commit = git("rev-parse", "HEAD").strip()
    print(f"at commit {commit}", file=sys.stderr)
    if changed := git("status", "--short"):
        print(f"not committed, and so not in the runs:\n{changed}", file=sys.stderr)
    holder = Path(tempfile.mkdtemp(prefix="sightline-loaded-", dir=below))
    try:
        made = [
            Checkout(holder / f"checkout-{number}", pythons[number % len(pythons)] if pythons else None)
            for number in range(count)
        ]
        for checkout in made:
            git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(checkout.directory))
            git("-C", str(checkout.directory), "checkout", "--quiet", "--detach", commit)
            make(checkout, "setup")
        yield made
    finally:
        shutil.rmtree(holder, ignore_errors=True)


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def make(checkout: Checkout, target: str) -> None:
    with making(checkout, target, stdout=subprocess.DEVNULL) as process:
        code = process.wait()
    if code:
        raise SystemExit(f"`make {target}` failed in {checkout.directory}: nothing was run")


@contextmanager
def making(checkout: Checkout, *arguments: str, **options: Any) -> Iterator["subprocess.Popen[bytes]"]:
    """`make` in the checkout. If it is still under way at the end of the block, it is interrupted with all that it started."""
    python = [f"PYTHON={checkout.python}"] if checkout.python else []
    process = subprocess.Popen(
        ["make", "--no-print-directory", *arguments, *python],
        cwd=checkout.directory,
        env={name: value for name, value in os.environ.items() if name not in _OF_MAKE},
        stdin=subprocess.DEVNULL,
        process_group=0,  # not a session: the kernel shares the processor out between those (see neighbours.py)
        **options,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_ENDS_WITHIN_S)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def run_once(number: int, checkout: Checkout, arguments: list[str], stopping: threading.Event) -> Run | None:
    """None if it was stopped."""
    output = REPORTS / f"run-{number}.log"
    began = time.monotonic()
    loads = [os.getloadavg()[0]]
    with (
        output.open("w", encoding="utf-8") as file,
        making(checkout, "test", f"ARGS={shlex.join(arguments)}", stdout=file, stderr=subprocess.STDOUT) as process,
    ):
        while process.poll() is None:
            if stopping.wait(_SAMPLE_EVERY_S):
                return None
            loads.append(os.getloadavg()[0])
    text = output.read_text(encoding="utf-8", errors="replace")
    cpu = re.findall(r"CPU [\d.]+ s \(([\d.]+) minutes\)", text)
    return Run(
        number=number,
        python=version_in(checkout.directory),
        passed=process.returncode == 0,
        minutes=(time.monotonic() - began) / 60,
        cpu_minutes=cpu[-1] if cpu else "?",
        mean_load=sum(loads) / len(loads),
        summary=summary_of(text),
    )


def version_in(directory: Path) -> str:
    command = [str(directory / ".venv" / "bin" / "python"), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def summary_of(text: str) -> str:
    lines = text.strip().splitlines() or [""]
    return next((line for line in reversed(lines) if re.search(r"\d (passed|failed|error)", line)), lines[-1]).strip(
        "= "
    )


def summary_line(runs: list[Run], wanted: int) -> str:
    passed = sum(run.passed for run in runs)
    if not runs:
        return "no run has ended"
    minutes, load = (
        sum(values) / len(runs) for values in zip(*((run.minutes, run.mean_load) for run in runs), strict=True)
    )
    stopped = f" ({wanted - len(runs)} were stopped)" if len(runs) < wanted else ""
    return f"{passed} of {len(runs)} runs passed{stopped}, on average in {minutes:.1f} minutes at load {load:.0f}"


def main() -> int:
    chosen = _arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if chosen.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: chosen.cores])
    REPORTS.mkdir(parents=True, exist_ok=True)
    runs: list[Run] = []
    try:
        with checkouts(
            max(min(chosen.at_once, chosen.runs), len(set(chosen.python))), chosen.python, chosen.below
        ) as made:
            run_all(chosen, made, runs)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    print(f"\n{summary_line(runs, chosen.runs)}")
    return 0 if sum(run.passed for run in runs) == chosen.runs else 1


def run_all(chosen: argparse.Namespace, made: list[Checkout], ended: list[Run]) -> None:
    """Prints each run as it ends, and puts it into `ended`."""
    stopping = threading.Event()
    free: queue.SimpleQueue[Checkout] = queue.SimpleQueue()
    for checkout in made:
        free.put(checkout)

    def run(number: int) -> None:
        if stopping.is_set():
            return
        checkout = free.get()
        try:
            if (run := run_once(number, checkout, chosen.arguments, stopping)) is not None:
                ended.append(run)
                print(run, flush=True)
        finally:
            free.put(checkout)

    print(
        "| run | Python | result | minutes | CPU minutes | mean load | summary |\n|--:|--:|---|--:|--:|--:|---|",
        flush=True,
    )
    with neighbours(chosen.load), ThreadPoolExecutor(min(chosen.at_once, chosen.runs)) as pool:
        try:
            for _ in pool.map(run, range(1, chosen.runs + 1)):
                pass
        finally:
            stopping.set()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--load", type=int, default=0, help="How many busy processes run beside the tests.")
    parser.add_argument("--at-once", type=int, default=1, help="How many runs go on at the same time.")
    parser.add_argument("--cores", type=int, help="Use only so many cores, for the tests and their neighbours.")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        help="The interpreter of the runs, as `make PYTHON=` takes it; several take turns.",
    )
    parser.add_argument(
        "--below", type=Path, help="Where the clones are made; 2 GB each. The temporary directory if not given."
    )
    parser.add_argument("arguments", nargs="*", help="For pytest.")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
