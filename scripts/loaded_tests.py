"""Runs the tests again and again beside busy neighbours, and counts how often they pass.

scripts/loaded_tests.py --runs 10 --load 30              ten runs, one after the other, beside 30 busy processes
scripts/loaded_tests.py --runs 10 --load 30 --at-once 5  five runs at a time: each is a neighbour of the others as well
scripts/loaded_tests.py --runs 1 --cores 1               one run on one core
scripts/loaded_tests.py --runs 3 -- tests/unit           what follows `--` goes to pytest

Prints a table of the runs; each run's output is kept under `.reports/loaded/`.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / ".reports" / "loaded"

# Two of three neighbours only compute; the third also writes and syncs, as a build or a backup would.
_COMPUTE = "while True: sum(range(10_000))"
_WRITE = """
import os, tempfile
with tempfile.TemporaryFile() as file:
    while True:
        file.seek(0)
        file.write(os.urandom(1 << 20))
        os.fsync(file.fileno())
        sum(range(1_000_000))
"""


@dataclass(frozen=True, slots=True)
class Run:
    number: int
    passed: bool
    minutes: float
    loads: tuple[float, ...]
    last_line: str


@contextmanager
def neighbours(count: int) -> Iterator[None]:
    started = [
        subprocess.Popen([sys.executable, "-c", _WRITE if number % 3 == 2 else _COMPUTE], start_new_session=True)
        for number in range(count)
    ]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def run_once(number: int, arguments: list[str]) -> Run:
    output = REPORTS / f"run-{number}.log"
    began = time.monotonic()
    loads = []
    with output.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            ["make", "test", f"ARGS={' '.join(arguments)}"], cwd=ROOT, stdout=file, stderr=subprocess.STDOUT
        )
        while process.poll() is None:
            loads.append(os.getloadavg()[0])
            time.sleep(5)
    lines = output.read_text(encoding="utf-8").strip().splitlines()
    summary = next(
        (line for line in reversed(lines) if " passed" in line or " failed" in line), lines[-1] if lines else ""
    )
    minutes = (time.monotonic() - began) / 60
    run = Run(number, process.returncode == 0, minutes, tuple(loads), summary.strip("= "))
    print(as_row(run), flush=True)
    return run


def as_row(run: Run) -> str:
    load = sum(run.loads) / len(run.loads)
    return (
        f"| {run.number} | {'passed' if run.passed else 'FAILED'} | {run.minutes:.1f} | {load:.0f} | {run.last_line} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--load", type=int, default=0, help="How many busy processes run beside the tests.")
    parser.add_argument("--at-once", type=int, default=1, help="How many runs go on at the same time.")
    parser.add_argument("--cores", type=int, help="Use only so many cores, for the tests and their neighbours.")
    parser.add_argument("arguments", nargs="*", help="For pytest.")
    chosen = parser.parse_args()
    if chosen.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: chosen.cores])
    REPORTS.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "setup"], cwd=ROOT, check=True)
    print("| run | result | minutes | mean load | summary |\n|--:|---|--:|--:|---|")
    with neighbours(chosen.load), ThreadPoolExecutor(chosen.at_once) as pool:
        runs = list(pool.map(lambda number: run_once(number, chosen.arguments), range(1, chosen.runs + 1)))
    passed = sum(run.passed for run in runs)
    print(f"\n{passed} of {len(runs)} runs passed")
    return 0 if passed == len(runs) else 1


if __name__ == "__main__":
    raise SystemExit(main())
