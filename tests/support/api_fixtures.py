"""The whole API on a database of the test's own, asked in memory or over a real socket."""

import asyncio
import io
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import jwt
import pytest
import structlog
from fastapi import FastAPI
from pydantic import SecretStr

from sightline.api import HttpServer, bind, create_app
from sightline.api.auth.rate_limit import RateLimit
from sightline.bootstrap import Platform, open_platform
from sightline.config import AuthSettings, Settings
from sightline.objects import ObjectsSettings
from sightline.observability import ObservabilitySettings, configure_logging, create_registry
from support.database_wire import DatabaseWire
from support.hand_clock import HandClock
from support.local_http import LocalHttp
from support.postgres import DatabaseAddresses, patient_settings
from support.waiting import soon


def _write_plain_tracebacks() -> None:
    """Those with colours and the values of all variables take seconds to write, and nobody reads them here."""
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*structlog.get_config()["processors"][:-1], plain])


_write_plain_tracebacks()

SECRET = "a secret that is long enough for HS256, as it must be"


@pytest.fixture
async def platform_with(
    fresh_database: DatabaseAddresses, tmp_path: Path
) -> AsyncIterator[Callable[..., Awaitable[Platform]]]:
    """Opens platforms whose settings differ from the usual in the given sections."""
    async with AsyncExitStack() as stack:

        async def open_with(url: str = fresh_database.url, **sections: Any) -> Platform:
            usual: dict[str, Any] = {
                "state_dir": tmp_path / "state",
                "database": patient_settings(url=SecretStr(url)),
                "objects": ObjectsSettings(minimum_free_bytes=0),
            }
            platform = await stack.enter_async_context(
                open_platform(Settings(**(usual | sections)), registry=create_registry())
            )
            platform.health._timeout_s = 600.0  # a part that is slow because the machine is busy is well
            stop, ready = asyncio.Event(), asyncio.Event()
            listening = asyncio.create_task(platform.listener.run(stop, ready.set))

            async def end() -> None:
                stop.set()
                await listening

            stack.push_async_callback(end)
            await soon(ready.wait())
            return platform

        yield open_with


@pytest.fixture
async def platform(platform_with: Callable[..., Awaitable[Platform]]) -> Platform:
    return await platform_with()


@pytest.fixture
async def client_for() -> AsyncIterator[Callable[[FastAPI], httpx.AsyncClient]]:
    """Clients that ask an application in memory."""
    async with AsyncExitStack() as stack:
        clients: list[httpx.AsyncClient] = []

        def make(app: FastAPI) -> httpx.AsyncClient:
            made = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8400")
            stack.push_async_callback(made.aclose)
            clients.append(made)
            return made

        yield make


@pytest.fixture
def app(platform: Platform) -> FastAPI:
    return create_app(platform)


@pytest.fixture
def client(app: FastAPI, client_for: Callable[[FastAPI], httpx.AsyncClient]) -> httpx.AsyncClient:
    return client_for(app)


@pytest.fixture
def client_with(
    platform_with: Callable[..., Awaitable[Platform]], client_for: Callable[[FastAPI], httpx.AsyncClient]
) -> Callable[..., Awaitable[httpx.AsyncClient]]:
    """Clients of platforms with other settings."""

    async def make(**sections: Any) -> httpx.AsyncClient:
        return client_for(create_app(await platform_with(**sections)))

    return make


@pytest.fixture
def auth_on() -> AuthSettings:
    return AuthSettings(jwt_secret=SecretStr(SECRET))


@pytest.fixture
def signed_in() -> Callable[..., dict[str, str]]:
    """The header of a caller who is known under `auth_on`."""

    def header(sub: object, **claims: Any) -> dict[str, str]:
        whole = {"sub": str(sub), "exp": int(time.time()) + 3600} | claims
        return {"authorization": f"Bearer {jwt.encode(whole, SECRET, 'HS256')}"}

    return header


@pytest.fixture
def still_limits(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    """Rate limits that give nothing back while a test is under way, unless it turns this clock."""
    clock = HandClock()
    monkeypatch.setattr(RateLimit.__init__, "__kwdefaults__", {"clock": clock})
    return clock


@pytest.fixture
def serving() -> Any:
    """`async with serving(app) as port`: the application on a real socket."""

    @asynccontextmanager
    async def serve(app: FastAPI) -> AsyncIterator[int]:
        listening = bind("127.0.0.1", 0)
        stop, ready = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(HttpServer("api", app, listening).run(stop, ready.set))
        try:
            await soon(ready.wait())
            yield listening.getsockname()[1]
        finally:
            stop.set()
            await running
            listening.close()

    return serve


@pytest.fixture
def log_lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """The lines that the platform logged so far, as the JSON that stands in a real log."""
    names = (None, "uvicorn.access", "uvicorn.error", "httpx", "httpcore")
    levels = {name: logging.getLogger(name).level for name in names}
    handlers = logging.getLogger().handlers
    stream = io.StringIO()
    configure_logging(ObservabilitySettings(log_level="debug", log_format="json"), stream=stream)
    structlog.configure(cache_logger_on_first_use=False)  # a cached logger would outlive the test
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logging.getLogger().handlers = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    structlog.reset_defaults()
    _write_plain_tracebacks()


@pytest.fixture
async def database_wire(fresh_database: DatabaseAddresses) -> AsyncIterator[DatabaseWire]:
    wire = DatabaseWire(fresh_database.url)
    await wire.mend()
    yield wire
    await wire.cut()


@pytest.fixture
async def local_http() -> AsyncIterator[LocalHttp]:
    service = LocalHttp()
    await service.start()
    yield service
    service.may_answer.set()
    service.stop()


@pytest.fixture
async def video_of(fresh_database: DatabaseAddresses) -> AsyncIterator[Callable[..., Awaitable[UUID]]]:
    """Adds a video of a person, and maybe of a team."""
    admin = await asyncpg.connect(fresh_database.admin_url)

    async def add(owner: UUID, team: UUID | None = None) -> UUID:
        columns = "INSERT INTO videos (owner_id, team_id, name) VALUES ($1, $2, 'v') RETURNING id"
        async with admin.transaction():
            # A row that another program adds would be uploaded already.
            await admin.execute("SET LOCAL sightline.writer = 'platform'")
            found: UUID = await admin.fetchval(columns, owner, team)
        return found

    yield add
    await admin.close()
