"""How a contestant is run: `python contestant.py URL ROLE COUNT`, one role per process, one JSON line as the answer.

setup     make the tables
fill      enqueue COUNT no-op jobs in bulk; tells how long it took
drain     say ready, wait for a line, work until nothing is left; tells how many and how long
singly    enqueue COUNT jobs one by one from 16 tasks; tells how long it took
latency   COUNT times: enqueue one job into an idle queue, and tell how long until its handler started
"""

import asyncio
import gc
import json
import sys
import time
from collections.abc import Awaitable, Callable

import uvloop

TASKS = 16
PAYLOAD = {
    "video_id": "a1b2c3d4-e5f6-7890-abcd-ef1234567890",
    "clip_id": "clip-xyz-123",
    "t_start": 1500,
    "t_end": 3000,
    "padding_ms": 2000,
    "s3_original_path": "videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mp4",
}

Role = Callable[[str, int], Awaitable[object]]


async def go() -> None:
    """Says ready and waits for the starting shot."""
    print(json.dumps("ready"), flush=True)
    await asyncio.to_thread(sys.stdin.readline)


async def from_tasks(count: int, enqueue: Callable[[], Awaitable[object]]) -> float:
    """Seconds that `count` single enqueues take from 16 tasks."""

    async def some() -> None:
        for _ in range(count // TASKS):
            await enqueue()

    started = time.perf_counter()
    await asyncio.gather(*(some() for _ in range(TASKS)))
    return time.perf_counter() - started


class Latency:
    """Times from enqueue to the start of the handler, one job at a time."""

    def __init__(self) -> None:
        self._started = asyncio.Event()
        self._at = 0.0

    def handler_started(self) -> None:
        self._at = time.perf_counter()
        self._started.set()

    async def measure(self, count: int, enqueue: Callable[[], Awaitable[object]]) -> list[float]:
        found = []
        for _ in range(count):
            self._started.clear()
            before = time.perf_counter()
            await enqueue()
            await asyncio.wait_for(self._started.wait(), 30)
            found.append((self._at - before) * 1000)
            await asyncio.sleep(0.02)  # let it become idle again
        return found


def main(**roles: Role) -> None:
    url, role, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    # As `sightline work` does for itself; everybody gets the same here.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    print(json.dumps(uvloop.run(_run(roles[role], url, count))), flush=True)


async def _run(role: Role, url: str, count: int) -> object:
    return await role(url, count)
