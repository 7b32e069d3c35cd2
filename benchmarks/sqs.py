"""SQS over HTTP: batches of ten sent, received and deleted by one raw client, on a running platform and on AWS emulators.

.venv/bin/python benchmarks/sqs.py [--quick] [--json] [--only batches]
"""

import asyncio
import json
import sys
import tempfile
import time
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
    ratios = {f"platform / {name}": ours / rate for name, rate in figures.items()}
    ratios["bare server / ministack"] = figures["bare server"] / figures["ministack"]
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


async def _bare_rate(messages: int) -> float:
    """What this client reaches with a server that does nothing."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(Path(__file__).with_name("sqs_bare_server.py")), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        return await _rate(f"http://127.0.0.1:{port}", "000000000000", messages)
    finally:
        process.kill()
        await process.wait()


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
        times = [one.cpu_times() for one in (process, *process.children(recursive=True))]
        return sum(one.user + one.system for one in times)

    start = used()
    await asyncio.sleep(seconds)
    return 100 * (used() - start) / seconds


if __name__ == "__main__":
    main(__doc__, {"batches": batches, "idle polls": idle_polls})
