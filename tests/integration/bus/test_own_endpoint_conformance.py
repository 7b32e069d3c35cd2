"""The AWS backend of the bus on the platform's own AWS endpoint: both ends of the wire are ours, the suite is everybody's."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from pydantic import SecretStr

from conformance.aws_backend import AwsBackend, serving
from conformance.bus_dead_letters import DeadLetterSuite
from conformance.bus_limits import LimitSuite
from conformance.bus_queues import QueueSuite
from sightline.api import HttpServer, bind, create_app
from sightline.bootstrap import open_platform
from sightline.config import Settings
from sightline.db import DatabaseSettings, open_database
from sightline.observability import create_registry
from support.emulators import Emulator
from support.postgres import Databases

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
        database=DatabaseSettings(url=SecretStr(addresses.url), connect_timeout_s=600),
    )
    async with AsyncExitStack() as stack:
        platform = await stack.enter_async_context(open_platform(settings, registry=create_registry()))
        listening = bind("127.0.0.1", 0)
        stack.callback(listening.close)
        await stack.enter_async_context(serving(platform.listener))
        await stack.enter_async_context(serving(HttpServer("api", create_app(platform), listening)))
        database = await open_database(DatabaseSettings(), addresses.url)
        stack.callback(database.terminate)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield AwsBackend(database, addresses, Emulator("own", address, settings.bus.account_id))
    databases.drop(addresses)


class TestQueues(QueueSuite):
    pass


class TestLimits(LimitSuite):
    pass


class TestDeadLetters(DeadLetterSuite):
    pass
