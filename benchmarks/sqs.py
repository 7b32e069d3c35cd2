"""SQS over HTTP: batches of ten sent, received and deleted by one raw client, on a running platform and on AWS emulators.

.venv/bin/python benchmarks/sqs.py [--quick] [--json] [--only batches|cpu]
"""

import asyncio
import json
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

from harness import Result, main
from sqs_client import RawSqs

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from support import emulators
from support.platform_process import up

BATCH = 10  # what SQS takes in one call
WORKERS = 48
IDLE_POLLS = 1000
BODY = json.dumps({"video_id": "11111111-2222-3333-4444-555555555555", "start_time": "00:01:23", "note": "x" * 200})


async def batches(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    for name in ("ministack", "moto"):
        with tempfile.TemporaryDirectory() as directory, emulators.running(name, Path(directory)) as emulator:
            figures[name] = await _rate(emulator.endpoint, emulator.account_id, 500 if is_quick else 5_000)
    with tempfile.TemporaryDirectory() as directory:
        async with up(Path(directory) / "state") as running:
            await _rate(running.address, "000000000000", 1_000)  # plans, connections, caches
            ours = await _rate(running.address, "000000000000", 2_000 if is_quick else 20_000)
    figures["bare server"] = await _bare_rate(2_000 if is_quick else 20_000)
    figures["bare uvicorn"] = await _bare_rate(2_000 if is_quick else 20_000, "--uvicorn")
    ratios = {f"platform / {name}": ours / rate for name, rate in figures.items()}
    for bare in ("bare server", "bare uvicorn"):
        ratios[f"{bare} / ministack"] = figures[bare] / figures["ministack"]
    notes = [
        f"{WORKERS} connections, each sends ten, receives ten and deletes ten; the emulators keep messages in memory"
    ]
    return Result("batches", {"platform": ours, **figures}, "messages/s", ratios, notes)


async def _rate(endpoint: str, account_id: str, messages: int) -> float:
    async with RawSqs(endpoint, account_id, "bench", WORKERS) as sqs:
        await sqs.create_queue()
        left, done = messages // BATCH, 0
        started = time.perf_counter()

        async def work() -> None:
            nonlocal left, done
            while left > 0:
                left -= 1
                await sqs.send([BODY] * BATCH)
                receipts = await sqs.receive(BATCH)
                if receipts:
                    await sqs.delete(receipts)
                    done += len(receipts)

        await asyncio.gather(*(work() for _ in range(WORKERS)))
        while receipts := await sqs.receive(BATCH):  # what a worker received less than it sent
            await sqs.delete(receipts)
            done += len(receipts)
        rate = done / (time.perf_counter() - started)
        assert done >= messages, (done, messages)
        return rate


async def _bare_rate(messages: int, *arguments: str) -> float:
    """What this client reaches with a server that does nothing."""
    program = str(Path(__file__).with_name("sqs_bare_server.py"))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, program, *arguments), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        return await _rate(f"http://127.0.0.1:{port}", "000000000000", messages)
    finally:
        process.kill()
        await process.wait()


async def cpu(is_quick: bool) -> Result:
    """CPU of each process, in turns, so that other work on the machine hits all alike; medians. What two free cores could reach
    follows from it: a server is at its limit when one of its processes fills a core, or all processes together fill two."""
    messages, rounds = (1_000, 3) if is_quick else (4_000, 9)
    used: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as directory, emulators.running("ministack", Path(directory)) as emulator:
        ministack = [one.pid for one in psutil.Process().children(recursive=True)]
        async with up(Path(directory) / "state") as running:
            for n in range(rounds + 1):  # the first one is for plans, connections and caches
                for name, where, pids in (
                    ("ministack", (emulator.endpoint, emulator.account_id), ministack),
                    ("platform", (running.address, "000000000000"), [running.process.pid]),
                ):
                    before = _cpu_by_name(name, pids)
                    await _rate(*where, messages)
                    for process, seconds in _cpu_by_name(name, pids).items() if n else ():
                        used.setdefault(process, []).append(1e6 * (seconds - before[process]) / messages)
    figures = {process: statistics.median(values) for process, values in used.items()}
    theirs = max(figures["ministack"], figures["client of ministack"])
    together = figures["platform"] + figures["PostgreSQL"] + figures["client of platform"]
    ours = max(figures["platform"], together / 2)
    return Result("cpu", figures, "µs/message", {"platform / ministack on two free cores, at most": theirs / ours})


def _cpu_by_name(name: str, pids: list[int]) -> dict[str, float]:
    """Seconds used so far by a server's own processes, its database and this client."""
    found = {name: 0.0, f"client of {name}": _seconds(psutil.Process())}
    if name == "platform":
        found["PostgreSQL"] = 0.0
    for process in {
        one for pid in pids for one in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True))
    }:
        with suppress(psutil.NoSuchProcess):  # a worker of PostgreSQL that cleaned up
            found["PostgreSQL" if "postgres" in process.name() else name] += _seconds(process)
    return found


def _seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


async def idle_polls(is_quick: bool) -> Result:
    """CPU that waiting receives of one queue cost the platform, while they wait."""
    polls = 100 if is_quick else IDLE_POLLS
    limits = {"SIGHTLINE_API_MAX_CONNECTIONS": "3000", "SIGHTLINE_API_MAX_CONNECTIONS_PER_ADDRESS": "3000"}
    with tempfile.TemporaryDirectory() as directory:
        async with up(Path(directory) / "state", **limits) as running:
            where = (running.address, "000000000000", "idle")
            async with RawSqs(*where, 1) as sqs:
                await sqs.create_queue()
            await asyncio.sleep(5)
            before = await _cpu_share(running.process.pid, 8)
            async with RawSqs(*where, polls) as sqs:
                waiting = [asyncio.create_task(sqs.receive(1, wait_s=20)) for _ in range(polls)]
                await asyncio.sleep(8)
                during = await _cpu_share(running.process.pid, 8)
                await asyncio.gather(*waiting)
    figures = {"without": before, f"with {polls} polls": during, "difference": during - before}
    return Result("idle polls", figures, "% of a core, platform and database")


async def _cpu_share(pid: int, seconds: float) -> float:
    def used() -> float:
        process = psutil.Process(pid)
        return sum(_seconds(one) for one in (process, *process.children(recursive=True)))

    start = used()
    await asyncio.sleep(seconds)
    return 100 * (used() - start) / seconds


if __name__ == "__main__":
    main(__doc__, {"batches": batches, "cpu": cpu, "idle polls": idle_polls})
