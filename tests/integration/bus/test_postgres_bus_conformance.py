"""The PostgreSQL keeper keeps the promises of the bus."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest

from conformance.aws_keeper import serving
from conformance.bus_dead_letters import DeadLetterSuite
from conformance.bus_documents import DocumentSuite
from conformance.bus_limits import LimitSuite
from conformance.bus_queues import QueueSuite
from conformance.bus_topics import TopicSuite
from conftest import DatabaseAddresses
from sightline.bus.names import Names
from sightline.bus.postgres_bus import PostgresBus
from sightline.bus.topology import Topology
from sightline.db import Database, Listener


class PostgresKeeper:
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


@pytest.fixture
def lies() -> Mapping[str, str]:
    return {}


@pytest.fixture
def keeper(database: Database, fresh_database: DatabaseAddresses) -> PostgresKeeper:
    return PostgresKeeper(database, fresh_database)


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
