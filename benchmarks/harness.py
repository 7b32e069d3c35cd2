"""What all benchmarks share: an embedded PostgreSQL with default durability, options, and one form for results."""

import argparse
import asyncio
import json
import os
import platform
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import structlog
import uvloop

from sightline.db import EmbeddedPostgres, migrate
from sightline.supervisor import collect_garbage_less_often

ROOT = Path(__file__).resolve().parent.parent
EMULATORS = str(next((ROOT / ".venv" / "emulators" / "lib").glob("python3*/site-packages"), ROOT))
"""Where the AWS emulators are installed, apart from us."""


@dataclass
class Result:
    """One measure: figures of ours and of the others in the same run, and the ratios that matter."""

    name: str
    figures: dict[str, float]
    unit: str
    ratios: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def show(self) -> str:
        lines = [f"{self.name} ({self.unit})"]
        lines += [f"  {name:<44} {value:>12,.1f}" for name, value in self.figures.items()]
        lines += [f"  ratio {name:<38} {value:>12.2f}" for name, value in self.ratios.items()]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)


def options(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    parser.add_argument("--only", default="", help="run only measures whose name contains this")
    return parser.parse_args()


@contextmanager
def _directory(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="sightline-bench-", ignore_cleanup_errors=True) as directory:
        yield Path(directory)


@asynccontextmanager
async def postgres(kept: Path | None = None, **settings: str) -> AsyncIterator[EmbeddedPostgres]:
    """A migrated server in a directory of its own, or in one that is kept, with the settings that `sightline up` uses."""
    with _directory(kept) as directory:
        server = EmbeddedPostgres(directory / "postgres", extra_settings=settings)
        stop, ready = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(server.run(stop, ready.set))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait((running, waiting), return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        await migrate(server.admin_url)
        try:
            yield server
        finally:
            stop.set()
            await running


def server_cpu_s(server: EmbeddedPostgres) -> float:
    """CPU time that the server has used so far, its past and present children included. Unlike rates, it does not
    depend on what else the machine is doing."""
    postmaster = psutil.Process(int((server.data / "postmaster.pid").read_text().splitlines()[0]))
    own = postmaster.cpu_times()
    used = own.user + own.system + own.children_user + own.children_system
    for child in postmaster.children():
        with suppress(psutil.NoSuchProcess):
            times = child.cpu_times()
            used += times.user + times.system
    return used


@dataclass
class Turn:
    """What one turn of a contestant took: its rate, and the CPU time per item in its own process and in the server."""

    rate: float
    process_us: float
    server_us: float


async def in_turns(
    server: EmbeddedPostgres, turns: int, items: int, contestants: dict[str, Callable[[], Awaitable[float]]]
) -> dict[str, list[Turn]]:
    """Each contestant returns the items per second of one turn in this process. They run one after the other, again and
    again, so that whatever else the machine does at the time hits them alike; the one that begins changes. The first turn
    of each does not count."""
    found: dict[str, list[Turn]] = {name: [] for name in contestants}
    for turn in range(turns + 1):
        names = list(contestants)
        for name in names if turn % 2 else names[::-1]:
            own, of_server = time.process_time(), server_cpu_s(server)
            rate = await contestants[name]()
            if turn:
                own, of_server = time.process_time() - own, server_cpu_s(server) - of_server
                found[name].append(Turn(rate, own / items * 1e6, of_server / items * 1e6))
    return found


def compared(found: dict[str, list[Turn]], ours: str, other: str) -> tuple[dict[str, float], dict[str, float]]:
    """Figures and ratios. Of rates the median of the ratios of neighbouring turns, of CPU times the ratio of the medians."""
    figures: dict[str, float] = {}
    for name, turns in found.items():
        figures[f"{name}, items/s"] = median(turn.rate for turn in turns)
        figures[f"{name}, µs of the process"] = median(turn.process_us for turn in turns)
        figures[f"{name}, µs of the server"] = median(turn.server_us for turn in turns)
    pairs = list(zip(found[ours], found[other], strict=True))
    ratios = {
        f"rate, {ours} / {other}": median(one.rate / two.rate for one, two in pairs),
        f"CPU, {other} / {ours}": median(turn.process_us + turn.server_us for turn in found[other])
        / median(turn.process_us + turn.server_us for turn in found[ours]),
    }
    return figures, ratios


def main(description: str, measures: dict[str, Callable[[bool], Awaitable[Result]]]) -> None:
    """Runs the measures one after the other and prints them."""
    chosen = options(description)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))

    async def run() -> list[Result]:
        results = []
        for name, measure in measures.items():
            if chosen.only in name:
                result = await measure(chosen.quick)
                results.append(result)
                if not chosen.json:
                    print(result.show(), flush=True)
        return results

    collect_garbage_less_often()
    results = uvloop.run(run())
    if chosen.json:
        print(json.dumps({"machine": machine(), "results": [asdict(result) for result in results]}))


def machine() -> dict[str, Any]:
    return {
        "cpus": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
