"""One embedded PostgreSQL per test run; each test that asks for a database gets a copy of the migrated template."""

import asyncio
import itertools
import json
import os
import signal
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from sightline.db import Database, DatabaseSettings, EmbeddedPostgres, migrate, open_database

pytest_plugins = [
    "support.requirements_plugin",
    "support.watchdog",
    "support.wider_app",
    "support.uploading",
    "support.live_rig",
    "support.browser",
    "support.page_site",
]

TEMPLATE = "sightline_template"
ADMIN_URL_VARIABLE = "SIGHTLINETEST_ADMIN_URL"
SERVICE_URL_VARIABLE = "SIGHTLINETEST_SERVICE_URL"

# Nothing here outlives the run, so nothing needs to reach the disk. Tests of durability start a server of their own.
_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "300"}

# A run in the background ignores Ctrl-C, and what it starts would inherit that; some of it is to be interrupted by tests.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_server: "_ServerThread | None" = None


class _ServerThread:
    """The server of this run, on an event loop of its own, because it outlives the loops of the tests."""

    def __init__(self, directory: Path) -> None:
        self.postgres = EmbeddedPostgres(directory, extra_settings=_FAST)
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._ready.wait(90)
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(30)

    def _work(self) -> None:
        try:
            self._loop.run_until_complete(self.postgres.run(self._stop, self._prepare))
        except BaseException as error:
            self._error = error
        finally:
            self._ready.set()

    def _prepare(self) -> None:
        task = self._loop.create_task(self._make_template())
        task.add_done_callback(self._prepared)

    def _prepared(self, task: "asyncio.Task[None]") -> None:
        self._error = task.exception()
        self._ready.set()

    async def _make_template(self) -> None:
        admin = await asyncpg.connect(self.postgres.url_for("postgres", "postgres"))
        await admin.execute(f"CREATE DATABASE {TEMPLATE}")
        await admin.close()
        await migrate(self.postgres.url_for("postgres", TEMPLATE))


def pytest_configure(config: pytest.Config) -> None:
    """The run's own process starts the server; parallel workers inherit its address."""
    global _server
    is_worker = hasattr(config, "workerinput")
    if is_worker or config.option.collectonly or ADMIN_URL_VARIABLE in os.environ:
        return
    holder = tempfile.TemporaryDirectory(prefix="sightline-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(holder.cleanup)
    _server = _ServerThread(Path(holder.name) / "postgres")
    _server.start()
    config.add_cleanup(_server.stop)
    os.environ[ADMIN_URL_VARIABLE] = _server.postgres.url_for("postgres", "postgres")
    os.environ[SERVICE_URL_VARIABLE] = _server.postgres.url_for("sightline_service", "postgres")
    config.add_cleanup(_forget_server)


def _forget_server() -> None:
    os.environ.pop(ADMIN_URL_VARIABLE, None)


_numbers = itertools.count(1)


class DatabaseAddresses:
    """A database of one test's own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.admin_url = _with_database(os.environ[ADMIN_URL_VARIABLE], name)
        self.url = _with_database(os.environ[SERVICE_URL_VARIABLE], name)


def _with_database(url: str, name: str) -> str:
    return urlsplit(url)._replace(path=f"/{name}").geturl().replace("@/", "@/", 1)


@pytest.fixture
def fresh_database() -> Iterator[DatabaseAddresses]:
    """A migrated database that no other test sees."""
    name = f"t_{os.getpid()}_{next(_numbers)}"
    asyncio.run(_admin(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY"))
    yield DatabaseAddresses(name)
    asyncio.run(_admin(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def empty_database() -> Iterator[DatabaseAddresses]:
    """A database that nothing has been done to."""
    name = f"e_{os.getpid()}_{next(_numbers)}"
    asyncio.run(_admin(f"CREATE DATABASE {name} STRATEGY FILE_COPY"))
    yield DatabaseAddresses(name)
    asyncio.run(_admin(f"DROP DATABASE {name} WITH (FORCE)"))


async def _admin(statement: str) -> None:
    connection = await asyncpg.connect(os.environ[ADMIN_URL_VARIABLE])
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture
async def database(fresh_database: DatabaseAddresses) -> AsyncIterator[Database]:
    opened = await open_database(DatabaseSettings(), fresh_database.url)
    yield opened
    opened.terminate()


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No setting from outside reaches the test; returns the directory it runs in."""
    for name in list(os.environ):
        if name.startswith(("SIGHTLINE_", "S3_", "SUPABASE_", "OTEL_")) or name == "DATABASE_URL":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_json(text: str | bytes) -> dict[str, object]:
    found: dict[str, object] = json.loads(text)
    return found
