"""The job queue against PgQueuer, Procrastinate and a bare asyncpg loop, on one embedded PostgreSQL with default durability.

.venv/bin/python benchmarks/jobs.py [--quick] [--json] [--only drain]
"""

import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any

import asyncpg

from harness import ROOT, Result, main, postgres, server_cpu_s

HERE = Path(__file__).resolve().parent / "contestants"
PEERS_PYTHON = str(ROOT / ".venv" / "peers" / "bin" / "python")
CONTESTANTS = {
    "sightline": (sys.executable, HERE / "ours.py"),
    "bare asyncpg": (sys.executable, HERE / "bare.py"),
    "pgqueuer": (PEERS_PYTHON, HERE / "pgqueuer_peer.py"),
    "procrastinate": (PEERS_PYTHON, HERE / "procrastinate_peer.py"),
}
CONTESTANTS = {name: one for name, one in CONTESTANTS.items() if Path(one[0]).exists()}
"""Ours and the bare loop alone where `.venv/peers` is not installed (`make .venv/.peers`)."""
SLOW = {"procrastinate": 40}
"""How much smaller the sizes of a contestant are, so that it ends in time."""


class Arena:
    """A database per contestant, on one server."""

    def __init__(self, server: Any) -> None:
        self._server = server

    async def url(self, name: str) -> str:
        database = "sightline" if name in ("sightline", "bare asyncpg") else name
        if name in ("sightline", "bare asyncpg"):
            await self._sql("sightline", "TRUNCATE jobs CASCADE")
            return str(self._server.admin_url if name == "bare asyncpg" else self._server.url)
        await self._sql("postgres", f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        await self._sql("postgres", f"CREATE DATABASE {database}")
        url: str = self._server.url_for("postgres", database)
        await run(name, url, "setup", 0)
        return url

    async def _sql(self, database: str, statement: str) -> None:
        connection = await asyncpg.connect(self._server.url_for("postgres", database))
        await connection.execute(statement)
        await connection.close()


@asynccontextmanager
async def process(name: str, url: str, role: str, count: int) -> AsyncIterator[Any]:
    python, script = CONTESTANTS[name]
    started = await asyncio.create_subprocess_exec(
        *(python, str(script), url, role, str(count)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=2**24,
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.wait()


async def run(name: str, url: str, role: str, count: int) -> Any:
    async with process(name, url, role, count) as started:
        return json.loads(await _line(started, name, role))


async def drained(name: str, url: str, workers: int, count: int) -> float:
    """Jobs per second, from the starting shot to the last job of the last worker."""
    return (await drained_at_cost(name, url, workers, count))[0]


async def drained_at_cost(name: str, url: str, workers: int, count: int) -> tuple[float, float]:
    """The rate, and the CPU seconds of all workers."""
    async with AsyncExitStack() as stack:
        started = [await stack.enter_async_context(process(name, url, "drain", count)) for _ in range(workers)]
        for one in started:
            await _line(one, name, "drain")
        for one in started:
            one.stdin.write(b"go\n")
        answers = [json.loads(await _line(one, name, "drain")) for one in started]
    done = sum(answer["done"] for answer in answers)
    if done != count:
        raise RuntimeError(f"{name} did {done} of {count} jobs")
    rate = float(count / max(answer["seconds"] for answer in answers))
    return rate, sum(answer.get("cpu_s", 0.0) for answer in answers)


async def _line(started: Any, name: str, role: str) -> bytes:
    line: bytes = await asyncio.wait_for(started.stdout.readline(), 600)
    if not line:
        raise RuntimeError(f"{name} said nothing in the role {role}")
    return line


def _sizes(is_quick: bool, name: str, large: int) -> int:
    return max(320, (large // 20 if is_quick else large) // SLOW.get(name, 1))


def _ratios(figures: dict[str, float]) -> dict[str, float]:
    ours = figures["sightline"]
    return {f"sightline / {name}": ours / other for name, other in figures.items() if name != "sightline"}


async def drain(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    async with postgres() as server:
        arena = Arena(server)
        for workers in (1, 2):
            for name in CONTESTANTS:
                count = _sizes(is_quick, name, 40_000)
                rates = []
                for _ in range(1 if is_quick else 2):
                    url = await arena.url(name)
                    await run(name, url, "fill", count)
                    rates.append(await drained(name, url, workers, count))
                figures[f"{name}, {workers} worker{'s' if workers > 1 else ''}"] = max(rates)
    ratios: dict[str, float] = {}
    for label in ("1 worker", "2 workers"):
        rates_of = {name: figures[f"{name}, {label}"] for name in CONTESTANTS}
        ratios |= {f"{label}: {ratio}": value for ratio, value in _ratios(rates_of).items()}
    return Result("drain of no-op jobs", figures, "jobs/s, best of rounds", ratios)


async def turns(is_quick: bool) -> Result:
    """The worker and the bare loop in turns: fill and drain with one worker, then with two. What the machine does besides hits
    both alike."""
    count, rounds = (4_000, 3) if is_quick else (10_000, 7)
    ours, bare = list(CONTESTANTS)[:2]
    rates: dict[tuple[str, str], list[float]] = defaultdict(list)
    costs: dict[tuple[str, str], list[float]] = defaultdict(list)
    async with postgres() as server:
        arena = Arena(server)
        for turn in range(rounds):
            for name in (ours, bare) if turn % 2 else (bare, ours):
                for workers in (1, 2):
                    url, label = await arena.url(name), f"{workers} worker{'s' if workers > 1 else ''}"
                    used = server_cpu_s(server)
                    filled = await run(name, url, "fill", count)
                    rates[name, "bulk enqueue"].append(count / filled)
                    costs[name, "bulk enqueue, server"].append(server_cpu_s(server) - used)
                    used = server_cpu_s(server)
                    rate, own = await drained_at_cost(name, url, workers, count)
                    rates[name, label].append(rate)
                    costs[name, f"{label}, workers"].append(own)
                    costs[name, f"{label}, server"].append(server_cpu_s(server) - used)
    figures = {f"{name}, {label}": median(found) for (name, label), found in rates.items()}
    figures |= {f"{name}, {label}, µs": median(found) / count * 1e6 for (name, label), found in costs.items()}
    ratios = {
        f"rate, {label}: {ours} / bare": median(
            one / two for one, two in zip(rates[ours, label], rates[bare, label], strict=True)
        )
        for label in ("1 worker", "2 workers", "bulk enqueue")
    }
    return Result("ours and the bare loop in turns", figures, "jobs/s, and µs of CPU per job; medians", ratios)


async def enqueue(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    async with postgres() as server:
        arena = Arena(server)
        for role, large in (("singly", 8_000), ("fill", 40_000)):
            rates = {}
            for name in CONTESTANTS:
                url = await arena.url(name)
                count = _sizes(is_quick, name, large)
                rates[name] = count / await run(name, url, role, count)
            label = "one by one from 16 tasks" if role == "singly" else "in bulk"
            figures |= {f"{name}, {label}": rate for name, rate in rates.items()}
            ratios |= {f"{label}: {ratio}": value for ratio, value in _ratios(rates).items()}
    return Result("enqueue", figures, "jobs/s", ratios)


async def latency(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    count, rounds = (50, 3) if is_quick else (80, 7)
    found: dict[str, list[list[float]]] = defaultdict(list)
    async with postgres() as server:
        arena = Arena(server)
        for turn in range(rounds):
            for name in list(CONTESTANTS)[:: 1 if turn % 2 else -1]:
                found[name].append(sorted(await run(name, await arena.url(name), "latency", count)))
    for name, turns in found.items():
        figures[f"{name} p50"] = median(times[len(times) // 2] for times in turns)
        figures[f"{name} p99"] = median(times[int(len(times) * 0.99)] for times in turns)
    p50 = {name: [times[len(times) // 2] for times in turns] for name, turns in found.items()}
    ratios = {
        "p50: sightline / bare asyncpg": median(
            ours / bare for ours, bare in zip(p50["sightline"], p50["bare asyncpg"], strict=True)
        )
    }
    if "pgqueuer" in found:
        ratios["p99: sightline / pgqueuer"] = figures["sightline p99"] / figures["pgqueuer p99"]
    return Result("idle latency, enqueue → handler start", figures, "ms, medians of turns", ratios)


async def size(is_quick: bool) -> Result:
    """Our drain rate by what else is in the table."""
    batch, queued, done = (2_000, 10_000, 20_000) if is_quick else (20_000, 500_000, 1_000_000)
    figures: dict[str, float] = {}
    async with postgres() as server:
        arena = Arena(server)
        url = await arena.url("sightline")
        admin = await asyncpg.connect(server.admin_url)
        await run("sightline", url, "fill", batch)
        figures["empty table"] = await drained("sightline", url, 1, batch)
        await run("sightline", url, "fill", queued)
        figures[f"{queued:,} queued jobs"] = await drained("sightline", url, 1, queued)
        await admin.execute(_DONE.format(count=done))
        await run("sightline", url, "fill", batch)
        figures[f"{done:,} done jobs"] = await drained("sightline", url, 1, batch)
        await admin.close()
    empty = figures["empty table"]
    return Result(
        "drain by size of the table", figures, "jobs/s", {f"{k} / empty table": v / empty for k, v in figures.items()}
    )


_DONE = """
INSERT INTO jobs (video_id, job_type, payload) SELECT gen_random_uuid(), 'sample', '{{"n": 1}}' FROM generate_series(1, {count});
UPDATE jobs SET status = 'processing', locked_by = 'x' WHERE job_type = 'sample';
UPDATE jobs SET status = 'done' WHERE job_type = 'sample'"""


async def decay(is_quick: bool) -> Result:
    """Rate of filling and draining, again and again."""
    seconds, batch = (20, 4_000) if is_quick else (600, 20_000)
    rates: list[float] = []
    costs: list[float] = []
    async with postgres() as server:
        url = await Arena(server).url("sightline")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            used = server_cpu_s(server)
            await run("sightline", url, "fill", batch)
            rates.append(await drained("sightline", url, 1, batch))
            costs.append((server_cpu_s(server) - used) / batch * 1e6)
    first, last = _thirds(rates)
    cheap, dear = _thirds(costs)
    return Result(
        f"steady fill and drain for {seconds} s ({len(rates)} rounds, {len(rates) * batch:,} jobs)",
        {
            "median of the first third": first,
            "median of the last third": last,
            "server CPU, first third, µs per job": cheap,
            "server CPU, last third, µs per job": dear,
        },
        "jobs/s",
        {"last / first": last / first, "server CPU, last / first": dear / cheap},
    )


def _thirds(values: list[float]) -> tuple[float, float]:
    """The medians of the first and of the last third."""
    third = max(1, len(values) // 3)
    return median(values[:third]), median(values[-third:])


if __name__ == "__main__":
    main(
        __doc__ or "",
        {"drain": drain, "turns": turns, "enqueue": enqueue, "latency": latency, "size": size, "decay": decay},
    )
