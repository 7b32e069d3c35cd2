"""How long clients of a killed server wait for their greeting on a busy machine, and what a handshake costs.

.venv/bin/python benchmarks/live_admission.py [--quick] [--json]

Clients are devices that resume and acknowledge. They give up a connection that was not greeted within two seconds and try
again, so that sockets that are gone stand before the others. `SIGHTLINE_BENCH_SOURCE` names the `src` of another version.
"""

import asyncio
import os
import sys
import tempfile
import time
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from harness import Result, main, postgres, server_cpu_s
from live import free_port, program, up
from sightline.db import DatabaseSettings, open_database
from sightline.live import LiveFeed, LiveMessage

PATIENCE_S = 2.0
GIVE_UP_S = 60.0
_BUSY = "while True: pass"


async def greeting_s(port: int, device: int, epoch: str, began: float) -> tuple[float, int]:
    """Seconds until the greeting, and how many connections it took."""
    address = f"ws://127.0.0.1:{port}/ws/events?client_id=device-{device}&last_sequence=1&epoch={epoch}"
    tries = 0
    while time.monotonic() - began < GIVE_UP_S:
        tries += 1
        try:
            async with asyncio.timeout(PATIENCE_S):
                socket = await connect(address, compression=None, proxy=None, open_timeout=None, close_timeout=0.1)
                await socket.recv()
            waited = time.monotonic() - began
            await socket.close()
            return waited, tries
        except (OSError, EOFError, TimeoutError, Exception):
            await asyncio.sleep(0.05)
    return GIVE_UP_S, tries


@asynccontextmanager
async def api(url: str, port: int, state: str) -> Any:
    source = os.environ.get("SIGHTLINE_BENCH_SOURCE")
    paths = {"PYTHONPATH": source} if source else {}
    async with program(
        *(sys.executable, "-m", "sightline", "api", "--port", str(port)),
        SIGHTLINE_DATABASE_URL=url,
        SIGHTLINE_STATE_DIR=state,
        SIGHTLINE_LIVE_CONNECTS_PER_MINUTE="0",
        SIGHTLINE_API_MAX_CONNECTIONS_PER_ADDRESS="0",
        SIGHTLINE_OBSERVABILITY_LOG_LEVEL="error",
        **paths,
    ) as started:
        await up(port)
        yield started


def cpu_s(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


async def admission(is_quick: bool) -> Result:
    clients, kills, busy = (30, 1, 0) if is_quick else (30, 2, 30)
    waits: list[float] = []
    tries: list[int] = []
    api_cpu = database_cpu = 0.0
    async with AsyncExitStack() as stack:
        state = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        server = await stack.enter_async_context(postgres())
        database = await open_database(DatabaseSettings(), server.url)
        stack.callback(database.terminate)
        async with database.transaction() as tx:
            for number in range(60):
                await LiveFeed().append(tx, LiveMessage("events", "event", {"n": number}, requires_ack=True))
            epoch = await tx.fetchval("SELECT epoch FROM live_streams WHERE stream = 'events'")
        port = free_port()
        for _ in range(kills + 1):
            async with api(server.url, port, state) as started, AsyncExitStack() as load:
                for _ in range(busy):
                    await load.enter_async_context(program(sys.executable, "-c", _BUSY))
                before = cpu_s(started.pid), server_cpu_s(server)
                began = time.monotonic()
                found = await asyncio.gather(*(greeting_s(port, one, epoch, began) for one in range(clients)))
                api_cpu += cpu_s(started.pid) - before[0]
                database_cpu += server_cpu_s(server) - before[1]
                waits += [waited for waited, _ in found]
                tries += [count for _, count in found]
    waits.sort()
    handshakes = sum(tries)
    figures = {
        "p50, s": waits[len(waits) // 2],
        "slowest, s": waits[-1],
        f"not admitted within {GIVE_UP_S:.0f} s": float(sum(waited >= GIVE_UP_S for waited in waits)),
        "connections per client": handshakes / len(tries),
        "API, ms of CPU per admitted client": 1000 * api_cpu / len(waits),
        "PostgreSQL, ms of CPU per admitted client": 1000 * database_cpu / len(waits),
    }
    return Result(f"admission of {clients} devices beside {busy} busy processes, {kills} kills", figures, "see each")


if __name__ == "__main__":
    main(__doc__ or "", {"admission": admission})
