"""One embedded PostgreSQL per test run, and databases copied from its migrated template."""

import asyncio
import itertools
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import asyncpg

from sightline.db import DatabaseSettings, EmbeddedPostgres, migrate

_T = TypeVar("_T")

ADMIN_URL_VARIABLE = "SIGHTLINETEST_ADMIN_URL"
SERVICE_URL_VARIABLE = "SIGHTLINETEST_SERVICE_URL"

TEMPLATE = "sightline_template"
# Nothing here outlives the run, so nothing needs to reach the disk. Tests of durability start a server of their own.
_FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "300",
    "scram_iterations": "1",  # thousands of connections are opened
}


# A connection that takes a minute is no outage on a busy machine.
PATIENT = {"connect_timeout_s": 600, "command_timeout_s": 600, "idle_transaction_s": 600}
PATIENT_ENVIRONMENT = {f"SIGHTLINE_DATABASE_{name.upper()}": str(value) for name, value in PATIENT.items()}


def patient_settings(**more: Any) -> DatabaseSettings:
    """Settings for a machine of any load."""
    return DatabaseSettings(**(PATIENT | more))


class ServerThread:
    """The server of this run, on an event loop of its own, because it outlives the loops of the tests."""

    def __init__(self, directory: Path) -> None:
        self._postgres = EmbeddedPostgres(directory, extra_settings=_FAST)
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Returns when the template is migrated; other processes of the run inherit the addresses."""
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error
        os.environ[ADMIN_URL_VARIABLE] = self._postgres.url_for("postgres", "postgres")
        os.environ[SERVICE_URL_VARIABLE] = self._postgres.url_for("sightline_service", "postgres")

    def stop(self) -> None:
        del os.environ[ADMIN_URL_VARIABLE], os.environ[SERVICE_URL_VARIABLE]
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._postgres.run(self._stop, self._prepare))
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
        admin = await asyncpg.connect(self._postgres.url_for("postgres", "postgres"), timeout=600)
        await admin.execute(f"CREATE DATABASE {TEMPLATE}")
        await admin.close()
        await migrate(self._postgres.url_for("postgres", TEMPLATE))


class DatabaseAddresses:
    """A database of one test's own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.admin_url = with_database(os.environ[ADMIN_URL_VARIABLE], name)
        self.url = with_database(os.environ[SERVICE_URL_VARIABLE], name)


def with_database(url: str, name: str) -> str:
    return urlsplit(url)._replace(path=f"/{name}").geturl()


class Databases:
    """Makes and drops databases over one connection, in a thread beside the tests.

    The next copy of the template is made while a test runs, and a test does not wait until its own is dropped.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._numbers = itertools.count(1)
        self._lock: asyncio.Lock | None = None
        self._connection: asyncpg.Connection | None = None
        self._next: Future[DatabaseAddresses] | None = None  # made ahead of its test
        self._thread = threading.Thread(target=self._loop.run_forever, name="databases", daemon=True)
        self._thread.start()

    def migrated(self) -> DatabaseAddresses:
        made = self._next or self._submit(self._copy(TEMPLATE, "t"))
        self._next = self._submit(self._copy(TEMPLATE, "t"))
        return made.result()

    def empty(self) -> DatabaseAddresses:
        return self._submit(self._copy("template1", "e")).result()

    def copy_of(self, addresses: DatabaseAddresses) -> DatabaseAddresses:
        """Of one that nothing is connected to any more."""
        return self._submit(self._copy(addresses.name, "c")).result()

    def drop(self, addresses: DatabaseAddresses) -> None:
        self._submit(self._execute(f"DROP DATABASE {addresses.name} WITH (FORCE)"))

    def close(self) -> None:
        """Waits for what was requested before."""
        self._submit(self._disconnect()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _submit(self, work: "Coroutine[None, None, _T]") -> "Future[_T]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _copy(self, template: str, prefix: str) -> DatabaseAddresses:
        name = f"{prefix}_{os.getpid()}_{next(self._numbers)}"
        await self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return DatabaseAddresses(name)

    async def _disconnect(self) -> None:
        await self._execute("SELECT 1")
        if self._connection is not None:
            await self._connection.close()

    async def _execute(self, statement: str) -> None:
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            if self._connection is None:
                self._connection = await asyncpg.connect(os.environ[ADMIN_URL_VARIABLE], timeout=600)
            await self._connection.execute(statement)
