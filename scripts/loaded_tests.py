"""Runs the tests again and again beside busy neighbours, and counts how often they pass.

scripts/loaded_tests.py --runs 10 --load 30              ten runs, one after the other, beside 30 busy processes
scripts/loaded_tests.py --runs 10 --load 30 --at-once 5  five runs at a time: each is a neighbour of the others as well
scripts/loaded_tests.py --runs 1 --python python3.13     one run on another interpreter; given several times, they take turns
scripts/loaded_tests.py --runs 1 --cores 1               one run on one core
scripts/loaded_tests.py --runs 3 -- tests/unit           what follows `--` goes to pytest

Runs at the same time, and runs on another interpreter, have a clone of the repository each, below a temporary directory: what
is not committed is not in it. Prints a table of the runs; each run's output is kept under `.reports/loaded/`.
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
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / ".reports" / "loaded"
_SAMPLE_EVERY_S = 5
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
    command = make_command(target, checkout.python)
    code = subprocess.call(command, cwd=checkout.directory, env=environment(), stdout=subprocess.DEVNULL)
    if code:
        raise SystemExit(f"`make {target}` failed in {checkout.directory}: nothing was run")


def make_command(target: str, python: str | None) -> list[str]:
    return ["make", "--no-print-directory", target, *([f"PYTHON={python}"] if python else [])]


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _OF_MAKE}


def run_once(number: int, checkout: Checkout, arguments: list[str]) -> Run:
    output = REPORTS / f"run-{number}.log"
    began = time.monotonic()
    loads = []
    with output.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            [*make_command("test", checkout.python), f"ARGS={shlex.join(arguments)}"],
            cwd=checkout.directory,
            env=environment(),
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        while process.poll() is None:
            loads.append(os.getloadavg()[0])
            time.sleep(_SAMPLE_EVERY_S)
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


def main() -> int:
    chosen = _arguments()
    if chosen.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: chosen.cores])
    REPORTS.mkdir(parents=True, exist_ok=True)
    with checkouts(max(min(chosen.at_once, chosen.runs), len(set(chosen.python))), chosen.python, chosen.below) as made:
        free: queue.SimpleQueue[Checkout] = queue.SimpleQueue()
        for checkout in made:
            free.put(checkout)

        def run(number: int) -> Run:
            checkout = free.get()
            try:
                run = run_once(number, checkout, chosen.arguments)
                print(run, flush=True)
                return run
            finally:
                free.put(checkout)

        print(
            "| run | Python | result | minutes | CPU minutes | mean load | summary |\n|--:|--:|---|--:|--:|--:|---|",
            flush=True,
        )
        with neighbours(chosen.load), ThreadPoolExecutor(min(chosen.at_once, chosen.runs)) as pool:
            runs = list(pool.map(run, range(1, chosen.runs + 1)))
    passed = sum(run.passed for run in runs)
    print(f"\n{passed} of {len(runs)} runs passed")
    return 0 if passed == len(runs) else 1


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
