"""The live feed against Starlette's gather(send_text), on the same machine, in the same run.

.venv/bin/python benchmarks/live.py [--quick] [--json] [--only burst]

Ours is `sightline api` itself and reads its messages from the database; the other gets them whole with the notification. Both
are uvicorn on uvloop with websockets-sansio. Clients are another process.
"""

import asyncio
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import httpx
from websockets.asyncio.client import connect

from harness import Result, main, postgres
from sightline.db import DatabaseSettings, open_database
from sightline.live import LiveFeed, LiveMessage

HERE = Path(__file__).resolve().parent / "contestants"
FIRST = 100_000
"""Numbers begin here, so that all have the same length, and bytes can be counted instead of messages."""
FILLER = "Unknown individual approaching entrance during nighttime hours. " * 4
NAMES = ("sightline", "starlette gather")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@asynccontextmanager
async def program(*command: str, **settings: str) -> AsyncIterator[Any]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=kept | settings,
        limit=2**26,
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.wait()


class Contestant:
    """A server, its clients, and a way to have it broadcast."""

    def __init__(self, name: str, server: Any, clients: Any, admin: asyncpg.Connection) -> None:
        self.name = name
        self._server_pid = server.pid
        self._clients = clients
        self._admin = admin
        self.next = FIRST

    async def say(self, count: int) -> int:
        """Broadcasts messages with the present time, in one transaction; how many bytes each client will get for one."""
        numbers = range(self.next + 1, self.next + count + 1)
        self.next += count
        data = [f'{{"t":{time.time():.6f},"text":"{FILLER}"}}' for _ in numbers]
        form = '{{"type":"event","sequence":{},"requires_ack":false,"data":{}}}'
        payloads = [form.format(number, text) for number, text in zip(numbers, data, strict=True)]
        async with self._admin.transaction():  # stored in either case: an event that is only broadcast is none
            await self._admin.execute(
                "INSERT INTO live_messages (stream, sequence, type, data) SELECT 'events', n, 'event', d::json"
                " FROM unnest($1::bigint[], $2::text[]) AS new (n, d)",
                list(numbers),
                data,
            )
            await self._admin.execute("UPDATE live_streams SET top = $1 WHERE stream = 'events'", numbers[-1])
            told = ["events"] if self.name == "sightline" else payloads
            channel = "sightline_live" if self.name == "sightline" else "gather"
            await self._admin.execute("SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word", channel, told)
        return len(payloads[0]) + 4

    def cpu_s(self) -> float:
        """By the scheduler's books: `times` counts in hundredths of a second, which is coarse here."""
        threads = Path(f"/proc/{self._server_pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    async def ask(self, what: str) -> None:
        self._clients.stdin.write(f"{what}\n".encode())
        await self.answer()

    async def answer(self) -> Any:
        return json.loads(await asyncio.wait_for(self._clients.stdout.readline(), 120))


@asynccontextmanager
async def contestant(name: str, server: Any, clients: int) -> AsyncIterator[Contestant]:
    port = free_port()
    async with AsyncExitStack() as stack:
        state = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        admin = await asyncpg.connect(server.admin_url)
        stack.push_async_callback(admin.close)
        await admin.execute("DELETE FROM live_messages")
        await admin.execute(
            "INSERT INTO live_streams (stream, top) VALUES ('events', $1) ON CONFLICT (stream) DO UPDATE SET top = $1",
            FIRST,
        )
        command: tuple[str, ...]
        if name == "sightline":
            command = ("-m", "sightline", "api", "--port", str(port))
        else:
            command = (str(HERE / "live_gather.py"), server.url, str(port))
        running = await stack.enter_async_context(
            program(
                *command,
                SIGHTLINE_DATABASE_URL=server.url,
                SIGHTLINE_STATE_DIR=state,
                SIGHTLINE_LIVE_CONNECTS_PER_MINUTE="0",
                SIGHTLINE_OBSERVABILITY_LOG_LEVEL="error",
            )
        )
        await up(port)
        many = await stack.enter_async_context(program(str(HERE / "live_clients.py"), str(port), str(clients)))
        found = Contestant(name, running, many, admin)
        await found.answer()
        yield found


async def up(port: int) -> None:
    async with httpx.AsyncClient() as client:
        for _ in range(600):
            try:
                if (await client.get(f"http://127.0.0.1:{port}/api/health")).status_code == 200:
                    return
            except httpx.HTTPError:
                await asyncio.sleep(0.05)
    raise RuntimeError("the server did not come up")


async def paced(one: Contestant, clients: int, messages: int, per_second: float) -> dict[str, float]:
    """Each message alone: what a delivery costs, and how long it takes until the last client has it."""
    size = await one.say(1)  # warms everything, and tells the size
    await asyncio.sleep(0.5)
    before = one.cpu_s()
    await one.ask(f"times {size * messages}")
    due = time.monotonic()
    for _ in range(messages):
        await one.say(1)
        due += 1 / per_second
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    answer = await one.answer()
    if answer["bytes"] < size * messages * clients:
        raise RuntimeError(f"{one.name} delivered {answer['bytes'] / size:.0f} of {messages * clients}")
    latencies = sorted(answer["latencies"])
    return {
        "µs of CPU per delivery": (one.cpu_s() - before) * 1e6 / (messages * clients),
        "p50 ms": latencies[len(latencies) // 2] * 1000,
        "p99 ms": latencies[int(len(latencies) * 0.99)] * 1000,
    }


async def burst(one: Contestant, clients: int, messages: int) -> dict[str, float]:
    size = await one.say(1)
    await asyncio.sleep(0.5)
    before = one.cpu_s()
    await one.ask(f"count {size * messages}")
    started = time.time()
    await one.say(messages)
    answer = await one.answer()
    if answer["bytes"] < size * messages * clients:
        raise RuntimeError(f"{one.name} delivered {answer['bytes'] / size:.0f} of {messages * clients}")
    deliveries = messages * clients
    return {
        "deliveries/s": deliveries / (answer["at"] - started),
        "µs of CPU per delivery": (one.cpu_s() - before) * 1e6 / deliveries,
    }


async def fan_out(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    async with postgres() as server:
        for clients, messages, per_second in ((100, 200, 50.0), (1000, 50, 10.0)):
            for name in NAMES:
                async with contestant(name, server, clients) as one:
                    found = await paced(one, clients, messages // 5 if is_quick else messages, per_second)
                figures |= {f"{name}, {clients} clients, {label}": value for label, value in found.items()}
            for label in found:
                ours, other = (figures[f"{name}, {clients} clients, {label}"] for name in NAMES)
                ratios[f"{clients} clients, {label}"] = ours / other
    return Result("fan-out of single messages, 10 to 50 a second", figures, "see each", ratios)


async def bursts(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    async with postgres() as server:
        for clients, messages in ((100, 400), (1000, 100)):
            for name in NAMES:
                rounds = []
                for _ in range(1 if is_quick else 2):
                    async with contestant(name, server, clients) as one:
                        rounds.append(await burst(one, clients, messages // 4 if is_quick else messages))
                best = max(rounds, key=lambda found: found["deliveries/s"])
                figures |= {f"{name}, {clients} clients, {label}": value for label, value in best.items()}
            for label in best:
                ours, other = (figures[f"{name}, {clients} clients, {label}"] for name in NAMES)
                ratios[f"{clients} clients, {label}"] = ours / other
    return Result("burst of messages from one transaction", figures, "see each", ratios)


async def latency(is_quick: bool) -> Result:
    """From the end of the commit in this process to the client of a server in another."""
    count = 50 if is_quick else 500
    port = free_port()
    found: list[float] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as state:
        async with (
            postgres() as server,
            program(
                *("-m", "sightline", "api", "--port", str(port)),
                SIGHTLINE_DATABASE_URL=server.url,
                SIGHTLINE_STATE_DIR=state,
                SIGHTLINE_OBSERVABILITY_LOG_LEVEL="error",
            ),
        ):
            await up(port)
            database = await open_database(DatabaseSettings(), server.url)
            async with connect(f"ws://127.0.0.1:{port}/ws/events", compression=None, proxy=None) as client:
                await client.recv()
                for number in range(count):
                    async with database.transaction() as tx:
                        await LiveFeed().append(tx, LiveMessage("events", "event", {"n": number, "text": FILLER}))
                    committed = time.perf_counter()
                    await client.recv()
                    found.append((time.perf_counter() - committed) * 1000)
                    await asyncio.sleep(0.01)
            database.terminate()
    found.sort()
    return Result(
        "commit → client of another process",
        {"p50": found[len(found) // 2], "p99": found[int(len(found) * 0.99)]},
        "ms",
    )


if __name__ == "__main__":
    main(__doc__ or "", {"fan-out": fan_out, "burst": bursts, "latency": latency})
