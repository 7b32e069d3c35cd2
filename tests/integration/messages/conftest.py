"""The message flow, and a server of ntfy."""

from collections.abc import AsyncIterator, Iterator

import pytest
import structlog

from sightline.db import Database
from support.messaging import Messaging, open_messaging
from support.ntfy_server import NtfyServer, ntfy_server
from support.postgres import DatabaseAddresses


@pytest.fixture
async def messaging(fresh_database: DatabaseAddresses, database: Database) -> AsyncIterator[Messaging]:
    async with open_messaging(fresh_database, database) as opened:
        yield opened


@pytest.fixture
async def server() -> AsyncIterator[NtfyServer]:
    async with ntfy_server() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _plain_tracebacks() -> Iterator[None]:
    """Coloured ones with all variables take half a second each, and meanwhile no worker gets on."""
    before = structlog.get_config()
    *others, last = before["processors"]
    if isinstance(last, structlog.dev.ConsoleRenderer):
        plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        structlog.configure(processors=[*others, plain])
    yield
    structlog.configure(**before)
