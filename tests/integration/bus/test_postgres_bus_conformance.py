"""The PostgreSQL backend of the bus."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from conformance.aws_backend import serving
from conformance.bus_dead_letters import DeadLetterSuite
from conformance.bus_documents import DocumentSuite
from conformance.bus_limits import LimitSuite
from conformance.bus_queues import QueueSuite
from conformance.bus_topics import TopicSuite
from sightline.bus import Names, PostgresBus, Topology
from sightline.bus.postgres import queues as postgres_queues
from sightline.db import Database, Listener, open_database
from support.postgres import DatabaseAddresses, Databases, patient_settings


class PostgresBackend:
    def __init__(self, database: Database, addresses: DatabaseAddresses) -> None:
        self.database = database
        self._url = addresses.url

    @asynccontextmanager
    async def open(self, topology: Topology) -> AsyncIterator[PostgresBus]:
        listener = Listener(self._url)
        async with serving(listener):
            yield PostgresBus(self.database, listener, topology, Names())

    async def settle(self) -> None:
        """What is committed is there."""


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def unsupported() -> Mapping[str, str]:
    return {}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def backend(databases: Databases) -> AsyncIterator[PostgresBackend]:
    addresses = databases.migrated()
    database = await open_database(patient_settings(), addresses.url)
    with pytest.MonkeyPatch.context() as patch:
        # A receive that waits is woken, or waits until its end: it does not look again by itself.
        patch.setattr(postgres_queues, "POLL_S", 3600.0)
        yield PostgresBackend(database, addresses)
    database.terminate()
    databases.drop(addresses)


class TestQueues(QueueSuite):
    pass


class TestLimits(LimitSuite):
    pass


class TestDeadLetters(DeadLetterSuite):
    pass


class TestTopics(TopicSuite):
    pass


class TestDocuments(DocumentSuite):
    pass
