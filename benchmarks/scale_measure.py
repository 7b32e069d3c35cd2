"""What a video and a message cost each part of a fleet here: CPU and commits, without those of idle processes."""

import asyncio
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx
import psutil
from websockets.asyncio.client import connect

from harness import ROOT, machine, postgres, server_cpu_s
from messages import BODY, program

sys.path.insert(0, str(ROOT / "tests"))

from support.clip_maker import make_clip

IDLE_S = 10.0
CLIP_S = 10
SETTLED_S = 2.0
ROLES = ("api", "consume", "schedule", "work")


@dataclass
class Processes:
    parts: dict[str, psutil.Process]
    database: Callable[[], float]
    admin_url: str

    async def used(self) -> dict[str, float]:
        """CPU seconds of each part, and commits of the database, so far."""
        found = {name: _tree_cpu_s(process) for name, process in self.parts.items()}
        connection = await asyncpg.connect(self.admin_url)
        try:
            await connection.execute("SELECT pg_stat_force_next_flush()")
            commits = await connection.fetchval(
                "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
            )
        finally:
            await connection.close()
        return found | {"database": self.database(), "commits": float(commits)}


def _tree_cpu_s(process: psutil.Process) -> float:
    """Children that have ended are counted by the one that started them."""
    used = 0.0
    for one in (process, *process.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            times = one.cpu_times()
            used += times.user + times.system + (times.children_user + times.children_system)
    return used


async def cost_of(
    processes: Processes, work: Callable[[], Awaitable[None]], idle: dict[str, float]
) -> dict[str, float]:
    """What the work has cost, without what the time alone costs; `idle` is by the second."""
    before, started = await processes.used(), time.perf_counter()
    await work()
    await asyncio.sleep(SETTLED_S)
    after, took = await processes.used(), time.perf_counter() - started
    return {name: max(0.0, after[name] - before[name] - idle[name] * took) for name in after}


@asynccontextmanager
async def running() -> AsyncIterator[tuple[Processes, str]]:
    """A process of each role on a database and a disk that they share, and the address of the API."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(postgres())
        state = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        port = _free_port()
        environment = {
            "SIGHTLINE_DATABASE_URL": server.url,
            "SIGHTLINE_STATE_DIR": state,
            "SIGHTLINE_OBSERVABILITY_LOG_LEVEL": "error",
            "SIGHTLINE_API_RATE_LIMIT_PER_MINUTE": "0",
            "SIGHTLINE_API_MAX_CONNECTIONS_PER_ADDRESS": "1000",
            "SIGHTLINE_SPEECH_TRANSCRIBE": "never",
            "SIGHTLINE_MEANING_EMBED": "never",
            "SIGHTLINE_MESSAGES_CHANNEL": "log",
        }
        parts = {}
        for role in ROLES:
            command = f"api --port {port}" if role == "api" else role
            parts[role] = await stack.enter_async_context(program(command, **environment))
        address = f"http://127.0.0.1:{port}"
        await _answers(address)
        yield Processes(parts, lambda: server_cpu_s(server), server.admin_url), address


async def _answers(address: str) -> None:
    async with httpx.AsyncClient(timeout=30) as client:
        while True:
            with suppress(httpx.HTTPError):
                if (await client.get(f"{address}/api/health")).is_success:
                    return
            await asyncio.sleep(0.2)


async def _none_left(processes: Processes, statement: str) -> None:
    connection = await asyncpg.connect(processes.admin_url)
    try:
        while await connection.fetchval(statement):  # noqa: ASYNC110 # the database does not say when it is so
            await asyncio.sleep(0.5)
    finally:
        await connection.close()


async def _upload(client: httpx.AsyncClient, content: bytes, name: str) -> None:
    new = {"totalSize": len(content), "filename": name, "extension": "mp4", "duration": CLIP_S * 1000}
    video_id = (await client.post("/videos", json=new)).raise_for_status().json()["videoId"]
    url = (await client.get(f"/videos/{video_id}/upload-urls")).raise_for_status().json()["urls"][0]["url"]
    etag = (await client.put(url, content=content)).raise_for_status().headers["etag"]
    body = {"parts": [{"part": 1, "etag": etag}]}
    (await client.post(f"/videos/{video_id}/complete", json=body)).raise_for_status()


async def measure(*, is_quick: bool) -> None:
    videos, messages, followers = (2, 50, 50) if is_quick else (6, 500, 200)
    with tempfile.TemporaryDirectory() as directory:
        film = Path(directory) / "film.mp4"
        make_clip(film, "slides", seconds=CLIP_S, size=(1280, 720))
        content = film.read_bytes()
    async with running() as (processes, address), httpx.AsyncClient(base_url=address, timeout=300) as client:

        async def process(count: int) -> None:
            for number in range(count):
                await _upload(client, content, f"film {number}.mp4")
            await _none_left(processes, "SELECT count(*) FROM videos WHERE status <> 'COMPLETED'")

        async def post() -> None:
            gate = asyncio.Semaphore(16)

            async def one() -> None:
                async with gate:
                    (await client.post("/api/messages", json=BODY)).raise_for_status()

            await asyncio.gather(*(one() for _ in range(messages)))
            await _none_left(processes, "SELECT count(*) FROM messages WHERE status NOT IN ('completed', 'failed')")

        await process(1)  # what is loaded at the first use
        before, started = await processes.used(), time.perf_counter()
        await asyncio.sleep(IDLE_S)
        after, took = await processes.used(), time.perf_counter() - started
        idle = {name: (after[name] - before[name]) / took for name in after}
        _show("a second of nothing", idle, 1)
        _show(f"a video of {CLIP_S} s, 1280 × 720", await cost_of(processes, lambda: process(videos), idle), videos)
        _show("a message, from the API to the log", await cost_of(processes, post, idle), messages)
        await _follow(processes, address, followers)
    print(machine())


async def _follow(processes: Processes, address: str, count: int) -> None:
    """What a client of the feed costs the API: to connect, and in memory."""
    api = processes.parts["api"]
    memory, cpu = api.memory_info().rss, _tree_cpu_s(api)
    async with AsyncExitStack() as stack:
        for _ in range(count):
            await stack.enter_async_context(connect(f"{address.replace('http', 'ws')}/ws/events", ping_interval=None))
        await asyncio.sleep(1.0)
        print(
            f"a client of the feed: {(_tree_cpu_s(api) - cpu) / count * 1000:.2f} ms to connect, "
            f"{(api.memory_info().rss - memory) / count / 1024:.0f} KiB",
            flush=True,
        )


def _show(what: str, costs: dict[str, float], count: int) -> None:
    figures = ", ".join(
        f"{name} {value / count:.1f}" if name == "commits" else f"{name} {value / count * 1000:.2f} ms"
        for name, value in costs.items()
    )
    print(f"{what}: {figures}", flush=True)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
