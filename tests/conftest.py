"""One embedded PostgreSQL per test run; each test that asks for a database gets a copy of the migrated template."""

import json
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from sightline.db import Database, open_database
from support.postgres import ADMIN_URL_VARIABLE, DatabaseAddresses, Databases, ServerThread, patient_settings
from support.scratch import make_scratch

pytest_plugins = [
    "support.requirements_plugin",
    "support.watchdog",
    "support.order",
    "support.reading",
    "support.timings",
    "support.memory",
    "support.api_fixtures",
    "support.wider_app",
    "support.uploading",
    "support.live_rig",
    "support.browser",
]

# A run in the background ignores Ctrl-C, and what it starts would inherit that; some of it is to be interrupted by tests.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# An example that takes long on a busy machine is no failure.
settings.register_profile("sightline", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sightline")

# A traceback in colour with every variable takes seconds of CPU time.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)


def pytest_configure(config: pytest.Config) -> None:
    """The run's own process starts the server; parallel workers inherit its address."""
    is_worker = hasattr(config, "workerinput")
    if is_worker or config.option.collectonly or ADMIN_URL_VARIABLE in os.environ:
        return
    server = ServerThread(make_scratch() / "postgres")
    server.start()
    config.add_cleanup(server.stop)


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    made = Databases()
    yield made
    made.close()


@pytest.fixture
def fresh_database(databases: Databases) -> Iterator[DatabaseAddresses]:
    """A migrated database that no other test sees."""
    made = databases.migrated()
    yield made
    databases.drop(made)


@pytest.fixture
def empty_database(databases: Databases) -> Iterator[DatabaseAddresses]:
    """A database that nothing has been done to."""
    made = databases.empty()
    yield made
    databases.drop(made)


@pytest.fixture
async def database(fresh_database: DatabaseAddresses) -> AsyncIterator[Database]:
    opened = await open_database(patient_settings(), fresh_database.url)
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
