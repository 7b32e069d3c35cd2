"""The live feed against the usual ways to broadcast, on the same machine, in the same run.

.venv/bin/python benchmarks/live.py [--quick] [--json] [--only burst]

Ours is `sightline api` itself. The others are Starlette's gather(send_text), websockets.broadcast and python-socketio
(`make .venv/.peers`). All get messages whole with a notification, ours checks that none is missing. All are on uvloop,
and those that are ASGI on uvicorn with websockets-sansio. Clients are another process.
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
from dataclasses import dataclass
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
FORM = '{{"type":"event","sequence":{},"requires_ack":false,"data":{}}}'
SIZE = 400
"""Of a message, in bytes."""
FILLER = ("Unknown individual approaching entrance during nighttime hours. " * 6)[:305]
HEADER = 4
"""Of a frame of that size."""
PEERS = Path(__file__).resolve().parent.parent / ".venv" / "peers" / "bin" / "python"


@dataclass(frozen=True)
class Entrant:
    name: str
    command: tuple[str, ...]
    path: str = "/ws/events"
    around: int = 0
    """Bytes that it puts around a message."""


OURS = Entrant("sightline", (sys.executable, "-m", "sightline", "api", "--port"))
GATHER = Entrant("starlette gather", (sys.executable, str(HERE / "live_gather.py")))
BROADCAST = Entrant("websockets.broadcast", (sys.executable, str(HERE / "live_websockets.py")))
SOCKETIO = Entrant(
    "python-socketio",
    (str(PEERS), str(HERE / "live_socketio.py")),
    "/socket.io/?EIO=4&transport=websocket",
    len('42["message",]'),
)
ENTRANTS = (OURS, GATHER, BROADCAST, SOCKETIO)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@asynccontextmanager
async def program(*command: str, **settings: str) -> AsyncIterator[Any]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    started = await asyncio.create_subprocess_exec(
        *command,
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

    def __init__(self, entrant: Entrant, port: int, server: Any, clients: Any, admin: asyncpg.Connection) -> None:
        self.name = entrant.name
        self.port = port
        self._around = entrant.around
        self._server_pid = server.pid
        self._clients = clients
        self._admin = admin
        self.next = FIRST

    async def say(self, count: int) -> int:
        """Broadcasts messages with the present time, in one transaction; how many bytes each client will get for one."""
        numbers = range(self.next + 1, self.next + count + 1)
        self.next += count
        data = [f'{{"t":{time.time_ns() // 1000},"text":"{FILLER}"}}' for _ in numbers]
        payloads = [FORM.format(number, text) for number, text in zip(numbers, data, strict=True)]
        assert len(payloads[0]) == SIZE, len(payloads[0])
        async with self._admin.transaction():  # stored in either case: an event that is only broadcast is none
            await self._admin.execute(
                "INSERT INTO live_messages (stream, sequence, type, data) SELECT 'events', n, 'event', d::json"
                " FROM unnest($1::bigint[], $2::text[]) AS new (n, d)",
                list(numbers),
                data,
            )
            await self._admin.execute("UPDATE live_streams SET top = $1 WHERE stream = 'events'", numbers[-1])
            await self._admin.execute("UPDATE live_audiences SET top = $1 WHERE stream = 'events'", numbers[-1])
            if self.name == "sightline":  # as `LiveFeed.append` does
                await self._admin.execute(
                    "SELECT sightline.notify_live('events', n, s.epoch, 'event', NULL, false, NULL, NULL, d)"
                    " FROM live_streams AS s, unnest($1::bigint[], $2::text[]) AS new (n, d) WHERE s.stream = 'events' ORDER BY n",
                    list(numbers),
                    data,
                )
            else:
                await self._admin.execute("SELECT pg_notify('gather', word) FROM unnest($1::text[]) AS word", payloads)
        return SIZE + self._around + HEADER

    def cpu_s(self) -> float:
        """By the scheduler's books: `times` counts in hundredths of a second, which is coarse here."""
        threads = Path(f"/proc/{self._server_pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    async def ask(self, what: str, size: int, *, within_s: float = 60) -> None:
        self._clients.stdin.write(f"{what} {size} {within_s}\n".encode())
        await self.answer()

    async def answer(self) -> Any:
        return json.loads(await asyncio.wait_for(self._clients.stdout.readline(), 120))


@asynccontextmanager
async def contestant(entrant: Entrant, server: Any, clients: int) -> AsyncIterator[Contestant]:
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
        await admin.execute("DELETE FROM live_audiences")
        await admin.execute("INSERT INTO live_audiences (stream, top, removed) VALUES ('events', $1, $1)", FIRST)
        address = () if entrant is OURS else (server.url,)
        running = await stack.enter_async_context(
            program(
                *(*entrant.command, *address, str(port)),
                SIGHTLINE_DATABASE_URL=server.url,
                SIGHTLINE_STATE_DIR=state,
                SIGHTLINE_LIVE_CONNECTS_PER_MINUTE="0",
                SIGHTLINE_API_MAX_CONNECTIONS_PER_ADDRESS="0",
                SIGHTLINE_OBSERVABILITY_LOG_LEVEL="error",
            )
        )
        await up(port)
        many = await stack.enter_async_context(
            program(sys.executable, str(HERE / "live_clients.py"), str(port), str(clients), entrant.path)
        )
        found = Contestant(entrant, port, running, many, admin)
        await found.answer()
        yield found


async def up(port: int) -> None:
    async with httpx.AsyncClient() as client:
        for _ in range(2400):
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
    await one.ask("times", size * messages)
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
    await one.ask("count", size * messages)
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
            for entrant in ENTRANTS:
                rounds = []
                for _ in range(1 if is_quick else 2):
                    async with contestant(entrant, server, clients) as one:
                        rounds.append(await paced(one, clients, messages // 5 if is_quick else messages, per_second))
                for label in rounds[0]:
                    figures[f"{entrant.name}, {clients} clients, {label}"] = min(found[label] for found in rounds)
            ratios |= _ratios(figures, f"{clients} clients, µs of CPU per delivery")
            ratios |= _ratios(figures, f"{clients} clients, p99 ms")
    return Result("fan-out of single messages, 10 to 50 a second, best of two", figures, "see each", ratios)


async def bursts(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    async with postgres() as server:
        for clients, messages in ((100, 400), (1000, 100)):
            for entrant in ENTRANTS:
                rounds = []
                for _ in range(1 if is_quick else 2):
                    async with contestant(entrant, server, clients) as one:
                        rounds.append(await burst(one, clients, messages // 4 if is_quick else messages))
                best = max(rounds, key=lambda found: found["deliveries/s"])
                figures |= {f"{entrant.name}, {clients} clients, {label}": value for label, value in best.items()}
            ratios |= _ratios(figures, f"{clients} clients, deliveries/s")
            async with contestant(OURS, server, clients) as one:
                alone = (await paced(one, clients, 20 if is_quick else 50, 10.0))["µs of CPU per delivery"]
            together = figures[f"sightline, {clients} clients, µs of CPU per delivery"]
            ratios[f"{clients} clients, one by one / coalesced, CPU"] = alone / together
    return Result("burst of messages from one transaction", figures, "see each", ratios)


def _ratios(figures: dict[str, float], label: str) -> dict[str, float]:
    """Ours to each of the others."""
    ours = figures[f"{OURS.name}, {label}"]
    return {f"{label}, / {one.name}": ours / figures[f"{one.name}, {label}"] for one in ENTRANTS[1:]}


async def stall(is_quick: bool) -> Result:
    """One client never reads; how much of everything the twenty others get."""
    messages, at_once, clients = (10_000 if is_quick else 30_000), 250, 20
    figures: dict[str, float] = {}
    async with postgres() as server:
        for entrant in (OURS, GATHER, BROADCAST):
            async with contestant(entrant, server, clients) as one:
                stalled = socket.socket()
                stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                stalled.connect(("127.0.0.1", one.port))
                stalled.sendall(
                    f"GET {entrant.path} HTTP/1.1\r\nHost: 127.0.0.1:{one.port}\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    "Sec-WebSocket-Version: 13\r\n\r\n".encode()
                )
                await asyncio.sleep(1)
                size = await one.say(1)
                await asyncio.sleep(0.5)
                await one.ask("count", size * messages, within_s=30)
                for _ in range(messages // at_once):
                    await one.say(at_once)
                    await asyncio.sleep(0.02)
                answer = await one.answer()
                figures[f"{entrant.name}, % received"] = 100 * answer["bytes"] / (size * messages * clients)
                stalled.close()
    return Result(f"one client stalls, {messages:,} messages to {clients} others", figures, "%")


async def latency(is_quick: bool) -> Result:
    """From the end of the commit in this process to the client of a server in another."""
    count = 50 if is_quick else 500
    port = free_port()
    found: list[float] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as state:
        async with (
            postgres() as server,
            program(
                *(*OURS.command, str(port)),
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
    main(__doc__ or "", {"fan-out": fan_out, "burst": bursts, "stall": stall, "latency": latency})
