"""The AWS backend of the bus on the platform's own AWS endpoint: both ends of the wire are ours, the suite is everybody's."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from uuid import uuid4

import pytest
import pytest_asyncio
from pydantic import SecretStr

from conformance.aws_backend import AwsBackend, serving
from conformance.bus_dead_letters import DeadLetterSuite
from conformance.bus_documents import DocumentSuite
from conformance.bus_limits import LimitSuite
from conformance.bus_queues import QueueSuite
from conformance.bus_topics import TopicSuite
from sightline.access import owner_caller
from sightline.api import HttpServer, bind, create_app
from sightline.bootstrap import Platform, open_platform
from sightline.bus import BusSettings
from sightline.config import Settings
from sightline.db import open_database
from sightline.observability import create_registry
from support.emulators import Emulator
from support.postgres import Databases, patient_settings

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.req(476)]


@pytest.fixture(scope="module")
def unsupported() -> Mapping[str, str]:
    return {
        "test_a_message_that_another_consumer_received_stays_and_is_returned_as_lost": "SQS accepts an old receipt, saying nothing"
    }


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def backend(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AwsBackend]:
    addresses = databases.migrated()
    settings = Settings(
        state_dir=tmp_path_factory.mktemp("endpoint"),
        database=patient_settings(url=SecretStr(addresses.url)),
    )
    async with AsyncExitStack() as stack:
        platform = await stack.enter_async_context(open_platform(settings, registry=create_registry()))
        listening = bind("127.0.0.1", 0)
        stack.callback(listening.close)
        await stack.enter_async_context(serving(platform.listener))
        await stack.enter_async_context(serving(HttpServer("api", create_app(platform), listening)))
        database = await open_database(patient_settings(), addresses.url)
        stack.callback(database.terminate)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield AwsBackend(database, addresses, await _endpoint(platform, address))
    databases.drop(addresses)


@dataclass(frozen=True, slots=True)
class OwnEndpoint(Emulator):
    """The endpoint for an owner like any other: names of the declared topology are free in its account."""

    key_id: str
    secret: str

    def settings(self, *, endpoint: str | None = None, event_bus: str = "default") -> BusSettings:
        return BusSettings(
            backend="aws",
            account_id=self.account_id,
            aws_endpoint=endpoint or self.endpoint,
            aws_access_key_id=self.key_id,
            aws_secret_access_key=SecretStr(self.secret),
            event_bus=event_bus,
        )


async def _endpoint(platform: Platform, address: str) -> OwnEndpoint:
    owner = uuid4()
    assert platform.open_bus.registry is not None
    account = await platform.open_bus.registry.account(owner, is_operator=False)
    async with platform.database.transaction() as tx:
        key, text = await platform.api_keys.create(tx, owner_caller(owner), name="suite", scopes=("bus:use",))
    return OwnEndpoint("own", address, account.account_id, key.key_id, platform.access_keys.secret_of(text))


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
