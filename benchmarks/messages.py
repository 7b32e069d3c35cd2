"""The message flow end to end: API → store → bus → processor → a local sink, against the bare sink and a bare insert.

.venv/bin/python benchmarks/messages.py [--quick] [--json] [--only latency]

`PYTHONPATH` may name the `src` of another version, to compare CPU per message in turns.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import asyncpg
import httpx
import psutil

from harness import ROOT, Result, main, postgres, server_cpu_s

BODY = {"message_type": "manual_notification", "payload": {"message": "x" * 200}}
CLIENTS = 16


class Sink:
    """An ntfy server that says yes, and remembers when."""

    def __init__(self) -> None:
        self.seen: dict[str, float] = {}
        self.expected = 0
        self.has_all = asyncio.Event()
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                at = head.lower().index(b"content-length:") + 15
                body = await reader.readexactly(int(head[at : head.index(b"\r\n", at)]))
                name = json.loads(body).get("sequence_id", "")
                self.seen.setdefault(name, time.perf_counter())
                if len(self.seen) >= self.expected:
                    self.has_all.set()
                answer = b'{"id":"' + name[:12].encode() + b'"}'
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def expect(self, count: int) -> None:
        self.seen.clear()
        self.has_all.clear()
        self.expected = count


@asynccontextmanager
async def sink() -> AsyncIterator[Sink]:
    made = Sink()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()


@asynccontextmanager
async def program(role: str, **environment: str) -> AsyncIterator[psutil.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightline", *role.split()),
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=ROOT,
    )
    try:
        yield psutil.Process(process.pid)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


@dataclass
class Flow:
    sink: Sink
    client: httpx.AsyncClient
    port: int
    server: Any
    api: psutil.Process
    consumer: psutil.Process

    def cpu_s(self) -> dict[str, float]:
        """Of the processes so far; tells what a message costs however busy the machine is."""
        return {
            "API": _cpu_s(self.api),
            "processor": _cpu_s(self.consumer),
            "database": server_cpu_s(self.server),
            "client and sink": _cpu_s(psutil.Process()),
        }


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@asynccontextmanager
async def flow() -> AsyncIterator["Flow"]:
    """API and consumers as processes of their own, as a fleet runs them."""
    async with postgres() as server, sink() as target:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as state:
            port = _free_port()
            environment = {
                "SIGHTLINE_DATABASE_URL": server.url,
                "SIGHTLINE_STATE_DIR": state,
                "SIGHTLINE_OBSERVABILITY_LOG_LEVEL": "error",
                "SIGHTLINE_API_RATE_LIMIT_PER_MINUTE": "0",
                "SIGHTLINE_MESSAGES_CHANNEL": "ntfy",
                "SIGHTLINE_PUSH_NTFY_SERVER": f"http://127.0.0.1:{target.port}",
                "SIGHTLINE_PUSH_NTFY_TOPIC": "bench",
                "SIGHTLINE_PUSH_NTFY_PER_MINUTE": "0",
            }
            async with (
                program(f"api --port {port}", **environment) as api,
                program("consume", **environment) as consumer,
                httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
            ):
                await _up(client)
                target.expect(1)
                await client.post("/api/messages", json=BODY)
                await asyncio.wait_for(target.has_all.wait(), 60)
                yield Flow(target, client, port, server, api, consumer)


async def throughput(is_quick: bool) -> Result:
    count = 500 if is_quick else 5000
    async with flow() as one:
        one.sink.expect(count)
        before = one.cpu_s()
        started = time.perf_counter()
        await _post(one.port, "/api/messages", [json.dumps(BODY).encode()] * count)
        posted = time.perf_counter() - started
        await asyncio.wait_for(one.sink.has_all.wait(), 300)
        whole = time.perf_counter() - started
        after = one.cpu_s()
        bare_sink = await _bare_sink(one.sink, count)
        bare_insert = await _bare_insert(one.server.admin_url, count)
    figures = {
        "API to sink": count / whole,
        "API alone (202s)": count / posted,
        "bare sink, same client": bare_sink,
        "bare insert, one commit each": bare_insert,
    }
    figures |= {f"CPU ms a message, {name}": (after[name] - before[name]) / count * 1000 for name in after}
    figures["messages/s that two cores can do by that"] = 2000 / sum(
        value for name, value in figures.items() if name.startswith("CPU ms")
    )
    ratios = {
        "of the bare sink": figures["API to sink"] / bare_sink,
        "of a bare insert": figures["API to sink"] / bare_insert,
    }
    return Result("messages end to end, 16 clients", figures, "messages/s", ratios)


async def latency(is_quick: bool) -> Result:
    count = 50 if is_quick else 500
    found: list[float] = []
    async with flow() as one:
        target, client = one.sink, one.client
        for _number in range(count):
            target.expect(1)
            started = time.perf_counter()
            answer = await client.post("/api/messages", json=BODY)
            await asyncio.wait_for(target.has_all.wait(), 30)
            found.append((target.seen[answer.json()["message_id"]] - started) * 1000)
            await asyncio.sleep(0.01)
    found.sort()
    return Result(
        "API → sink, one message at a time",
        {"p50": found[len(found) // 2], "p99": found[int(len(found) * 0.99)]},
        "ms",
    )


async def _post(port: int, path: str, bodies: list[bytes]) -> None:
    """Over bare sockets: a client that costs more than what is measured would be measured."""
    left = iter(bodies)

    async def one_client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for body in left:
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            if not answer.startswith((b"HTTP/1.1 202", b"HTTP/1.1 200")):
                raise RuntimeError(answer.decode())
            at = answer.lower().index(b"content-length:") + 15
            await reader.readexactly(int(answer[at : answer.index(b"\r\n", at)]))
        writer.close()

    await asyncio.gather(*(one_client() for _ in range(CLIENTS)))


async def _bare_sink(target: Sink, count: int) -> float:
    bodies = [json.dumps({"sequence_id": f"bare{number}"}).encode() for number in range(count)]
    started = time.perf_counter()
    await _post(target.port, "/", bodies)
    return count / (time.perf_counter() - started)


async def _bare_insert(url: str, count: int) -> float:
    pool = await asyncpg.create_pool(url, min_size=CLIENTS, max_size=CLIENTS)
    await pool.execute("CREATE TABLE bare (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), payload jsonb)")
    left = iter(range(count))

    async def one_client() -> None:
        for _ in left:
            await pool.execute("INSERT INTO bare (payload) VALUES ($1)", json.dumps(BODY))

    started = time.perf_counter()
    await asyncio.gather(*(one_client() for _ in range(CLIENTS)))
    found = count / (time.perf_counter() - started)
    await pool.close()
    return found


async def _up(client: httpx.AsyncClient) -> None:
    for _ in range(600):
        try:
            if (await client.get("/api/health")).status_code == 200:
                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.1)
    raise RuntimeError("the API did not start")


def _free_port() -> int:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


if __name__ == "__main__":
    main(__doc__ or "", {"throughput": throughput, "latency": latency})
