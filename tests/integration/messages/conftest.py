"""The message flow, and a server of ntfy."""

from collections.abc import AsyncIterator, Iterator

import pytest

from sightline.db import Database
from support.log_capture import plain_tracebacks
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
    with plain_tracebacks():
        yield
