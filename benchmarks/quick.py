"""All ratios that can be had in three minutes, beside those that were recorded last.

.venv/bin/python benchmarks/quick.py [--record] [--strict] [--only live] [--seconds 170]

Each measure runs small, in a process of its own; measures that do not fit into the time are named. A ratio that is more than 15 %
worse than the last recorded one is flagged; with `--strict` that is an error. `--record` adds the run to `history.jsonl`, with
commit and date, and writes the table in RESULTS.md from it. Ratios of one small run differ by more than that on a busy machine.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
HISTORY = HERE / "history.jsonl"
RESULTS = HERE / "RESULTS.md"
BEGIN, END = "<!-- bench-quick: begin -->", "<!-- bench-quick: end -->"
LOSS = 0.15
LONGEST_S = 45.0
"""Of one measure, so that a busy machine does not spend all the time on the first few."""


@dataclass(frozen=True)
class Measure:
    file: str
    only: str
    smaller_is_better: bool = False

    @property
    def name(self) -> str:
        return f"{self.file} {self.only}"


# The cheap ones first: what does not fit into the time is left out at the end.
MEASURES = (
    Measure("filter_matching", "peers"),
    Measure("bus", "fan-out"),
    Measure("jobs", "enqueue"),
    Measure("jobs", "drain"),
    Measure("jobs", "latency", smaller_is_better=True),
    Measure("part_reports", "reports"),
    Measure("techniques", "consumer"),
    Measure("uploads", "put"),
    Measure("sqs", "batches"),
    Measure("live", "fan-out", smaller_is_better=True),
    Measure("live", "burst"),
)


@dataclass(frozen=True)
class Line:
    """One ratio, as it was last and as it is now."""

    name: str
    last: float | None
    now: float
    smaller_is_better: bool

    @property
    def change(self) -> float | None:
        """How much better it is, as a part of what it was."""
        if not self.last:
            return None
        return (self.last / self.now if self.smaller_is_better else self.now / self.last) - 1

    @property
    def is_loss(self) -> bool:
        return self.change is not None and self.change < -LOSS


def compare(now: Mapping[str, float], last: Mapping[str, float], smaller: frozenset[str]) -> list[Line]:
    return [Line(name, last.get(name), value, name in smaller) for name, value in now.items()]


def last_recorded(history: list[dict[str, Any]]) -> dict[str, float]:
    """Of each ratio the newest value: not every run had time for all."""
    found: dict[str, float] = {}
    for entry in history:
        found |= entry["ratios"]
    return found


def table(lines: list[Line]) -> str:
    rows = ["| ratio | last | now | |", "|---|--:|--:|---|"]
    for line in lines:
        last = "" if line.last is None else f"{line.last:.2f}"
        better = " (smaller is better)" if line.smaller_is_better else ""
        note = "" if line.change is None else f"{line.change:+.0%}{' LOSS' if line.is_loss else ''}"
        rows.append(f"| {line.name}{better} | {last} | {line.now:.2f} | {note} |")
    return "\n".join(rows)


def section(history: list[dict[str, Any]], smaller: frozenset[str]) -> str:
    """The newest run beside the ones before it."""
    newest = history[-1]
    lines = compare(newest["ratios"], last_recorded(history[:-1]), smaller)
    head = f"{newest['date']}, commit `{newest['commit']}`, load {newest['load']:.1f} on {newest['cpus']} cores."
    left = f"\n\nNot in this run: {', '.join(newest['left_out'])}." if newest["left_out"] else ""
    return f"{head}\n\n{table(lines)}{left}"


def replaced(document: str, content: str) -> str:
    before, rest = document.split(BEGIN)
    return f"{before}{BEGIN}\n{content}\n{END}{rest.split(END)[1]}"


def read_history() -> list[dict[str, Any]]:
    return [json.loads(line) for line in HISTORY.read_text().splitlines()] if HISTORY.exists() else []


def run(measure: Measure, seconds: float) -> dict[str, float]:
    """Its ratios; nothing if it does not end in time or cannot run here."""
    command = [sys.executable, str(HERE / f"{measure.file}.py"), "--quick", "--json", "--only", measure.only]
    # In a group of its own, so that its servers end with it.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    ) as process:
        try:
            text, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            return {}
    if process.returncode != 0:
        return {}
    results = json.loads(text)["results"]
    return {f"{measure.name}: {name}": value for one in results for name, value in one["ratios"].items()}


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="add the run to the history, and write RESULTS.md")
    parser.add_argument("--strict", action="store_true", help="fail if a ratio was lost")
    parser.add_argument("--only", default="", help="measures whose name contains this")
    parser.add_argument("--seconds", type=float, default=170.0, help="how long all of them may take")
    chosen = parser.parse_args()
    ends_at = time.monotonic() + chosen.seconds
    ratios: dict[str, float] = {}
    left_out: list[str] = []
    for measure in MEASURES:
        if chosen.only not in measure.name:
            continue
        left = ends_at - time.monotonic()
        longest = left if chosen.only else min(left, LONGEST_S)
        found = run(measure, longest) if left > 1 else {}
        ratios |= found
        if not found:
            left_out.append(measure.name)
    history = read_history()
    prefixes = tuple(f"{one.name}: " for one in MEASURES if one.smaller_is_better)
    smaller = {
        name for entry in [*history, {"ratios": ratios}] for name in entry["ratios"] if name.startswith(prefixes)
    }
    lines = compare(ratios, last_recorded(history), frozenset(smaller))
    print(table(lines))
    if left_out:
        print(f"\nNot run, or not done in time: {', '.join(left_out)}")
    lost = [line.name for line in lines if line.is_loss]
    if lost:
        print(
            f"\nMore than {LOSS:.0%} worse than recorded: {'; '.join(lost)}. Run it again alone before you believe it."
        )
    if chosen.record and ratios:
        is_changed = git("status", "--porcelain", "--", "../src")
        entry = {
            "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            "commit": git("rev-parse", "--short", "HEAD") + ("+" if is_changed else ""),
            "load": os.getloadavg()[0],
            "cpus": os.cpu_count(),
            "ratios": {name: round(value, 4) for name, value in ratios.items()},
            "left_out": left_out,
        }
        with HISTORY.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        RESULTS.write_text(replaced(RESULTS.read_text(), section([*history, entry], frozenset(smaller))))
    return 1 if lost and chosen.strict else 0


if __name__ == "__main__":
    sys.exit(main())
