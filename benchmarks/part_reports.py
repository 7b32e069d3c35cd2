"""Reports of parts: `POST /videos/{id}/parts/{n}` per second, over HTTP, compared with the SQL statement and the HTTP server alone.

.venv/bin/python benchmarks/part_reports.py [--quick] [--json]
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import httpx
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from harness import Result, compared, in_turns, main, postgres
from sightline import __version__
from sightline.api import HttpServer, bind, create_app
from sightline.bootstrap import Platform, open_platform
from sightline.config import ApiSettings, Settings
from sightline.db import DatabaseSettings, EmbeddedPostgres
from sightline.objects import ObjectsSettings
from sightline.observability import create_registry
from sightline.uploads import report_parts

PARTS = 1_000
CLIENTS = 16
SIZE = PARTS * 8 * 1024 * 1024  # as little as there has to be room for


async def reports(is_quick: bool) -> Result:
    """16 clients report parts of one upload of 1,000 parts, in turns with the other requests."""
    calls, turns = (300, 3) if is_quick else (1_000, 9)
    async with (
        postgres() as server,
        _served(server) as (platform, address),
        httpx.AsyncClient(base_url=address, timeout=60) as client,
        _bare(_bare_starlette()) as starlette_client,
        _bare(_bare_fastapi()) as fastapi_client,
    ):
        made = await client.post("/videos", json={"totalSize": SIZE, "filename": "a.mp4", "partSize": SIZE // PARTS})
        video_id = made.json()["videoId"]

        async def report(number: int) -> None:
            answer = await client.post(f"/videos/{video_id}/parts/{number}", json={"etag": f"{number:032x}"})
            assert answer.status_code == 200, answer.text

        async def health(_: int) -> None:
            assert (await client.get("/api/health")).status_code == 200

        async def statement(number: int) -> None:
            async with platform.database.transaction() as tx:
                await report_parts(tx, [(UUID(video_id), number, f"{number:032x}")])

        async def starlette(_: int) -> None:
            assert (await starlette_client.get("/api/health")).status_code == 200

        async def fastapi(_: int) -> None:
            assert (await fastapi_client.get("/api/health")).status_code == 200

        found = await in_turns(
            server,
            turns,
            calls,
            {
                "report": lambda: _rate(calls, report),
                "empty": lambda: _rate(calls, health),
                "FastAPI": lambda: _rate(calls, fastapi),
                "Starlette": lambda: _rate(calls, starlette),
                "statement": lambda: _rate(calls, statement),
            },
        )
    figures, ratios = compared(found, "report", "empty")
    for ours, other in (
        ("empty", "Starlette"),
        ("empty", "FastAPI"),
        ("FastAPI", "Starlette"),
        ("report", "statement"),
    ):
        ratios |= compared(found, ours, other)[1]
    return Result(
        "reports of parts, 16 clients",
        figures,
        "calls; medians of turns",
        ratios,
        [
            "client and server share one process and one core here; default durability",
            "empty is GET /api/health, Starlette and FastAPI the same answer of an application that has nothing else, on uvicorn",
            "a statement is a transaction with one commit",
        ],
    )


def _bare_starlette() -> Starlette:
    async def health(_: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "version": __version__})

    return Starlette(routes=[Route("/api/health", health)])


class _Health(BaseModel):
    status: str
    version: str


def _bare_fastapi() -> FastAPI:
    application = FastAPI()

    @application.get("/api/health")
    async def health(deep: bool = False) -> _Health:
        return _Health(status="ok", version=__version__)

    return application


@asynccontextmanager
async def _bare(application: Starlette) -> AsyncIterator[httpx.AsyncClient]:
    listening = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(application, log_level="error", access_log=False))
    running = asyncio.create_task(server.serve([listening]))
    try:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        await running
        listening.close()


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
