"""Reports of parts: `POST /videos/{id}/parts/{n}` per second, over HTTP, compared with the SQL statement and the HTTP server alone.

.venv/bin/python benchmarks/part_reports.py [--quick] [--json]
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from pydantic import SecretStr

from harness import Result, main, postgres
from sightline.api import HttpServer, bind, create_app
from sightline.bootstrap import Platform, open_platform
from sightline.config import ApiSettings, Settings
from sightline.db import DatabaseSettings, EmbeddedPostgres
from sightline.objects import ObjectsSettings
from sightline.observability import create_registry
from sightline.uploads import report_part

PARTS = 10_000
CLIENTS = 16
SIZE = PARTS * 32 * 1024 * 1024


async def reports(is_quick: bool) -> Result:
    """16 clients report parts of one upload of 10,000 parts."""
    calls = 500 if is_quick else 10_000
    async with (
        postgres() as server,
        _served(server) as (platform, address),
        httpx.AsyncClient(base_url=address, timeout=60) as client,
    ):
        made = await client.post("/videos", json={"totalSize": SIZE, "filename": "a.mp4"})
        video_id = made.json()["videoId"]

        async def report(number: int) -> None:
            answer = await client.post(f"/videos/{video_id}/parts/{number}", json={"etag": f"{number:032x}"})
            assert answer.status_code == 200, answer.text

        async def health(_: int) -> None:
            assert (await client.get("/api/health")).status_code == 200

        async def statement(number: int) -> None:
            async with platform.database.transaction() as tx:
                await report_part(tx, video_id, number, f"{number:032x}")

        ours = await _rate(calls, report)
        empty = await _rate(calls, health)
        bare = await _rate(calls, statement)
    return Result(
        "reports of parts, 16 clients",
        {"POST /videos/{id}/parts/{n}": ours, "GET /api/health, same server and client": empty, "the statement": bare},
        "calls/s",
        {"report / empty request": ours / empty, "report / bare statement": ours / bare},
        ["client and server share one process and one core here; default durability, one commit per report"],
    )


async def _rate(calls: int, call: Callable[[int], Awaitable[None]]) -> float:
    numbers = iter(range(1, calls + 1))

    async def lane() -> None:
        for number in numbers:
            await call(number)

    started = time.perf_counter()
    await asyncio.gather(*(lane() for _ in range(CLIENTS)))
    return calls / (time.perf_counter() - started)


@asynccontextmanager
async def _served(server: EmbeddedPostgres) -> AsyncIterator[tuple[Platform, str]]:
    listening = bind("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as directory:
        settings = Settings(
            state_dir=Path(directory),
            database=DatabaseSettings(url=SecretStr(server.url)),
            objects=ObjectsSettings(minimum_free_bytes=0),
            api=ApiSettings(public_url=address, rate_limit_per_minute=0),
        )
        async with open_platform(settings, registry=create_registry()) as platform:
            stop, ready = asyncio.Event(), asyncio.Event()
            running = asyncio.create_task(HttpServer("api", create_app(platform), listening).run(stop, ready.set))
            await ready.wait()
            try:
                yield platform, address
            finally:
                stop.set()
                await running
    listening.close()


if __name__ == "__main__":
    main(__doc__ or "", {"reports": reports})
