"""The AWS backend of the bus, over HTTP to emulators that are not ours.

Two of them, because each has holes that the other does not: where one is known to differ from AWS, the test is left
out for it by name.
"""

from collections.abc import AsyncIterator, Mapping

import pytest
import pytest_asyncio

from conformance.aws_backend import AwsBackend
from conformance.bus_dead_letters import DeadLetterSuite
from conformance.bus_documents import DocumentSuite
from conformance.bus_limits import LimitSuite
from conformance.bus_queues import QueueSuite
from conformance.bus_topics import TopicSuite
from sightline.db import open_database
from support.emulators import shared
from support.postgres import Databases, patient_settings

_MOTO_RACE = "moto has a race: some messages are delivered twice"
UNSUPPORTED: Mapping[str, Mapping[str, str]] = {
    "ministack": {
        "test_an_old_receipt_can_make_a_message_visible_that_was_received_again": "MiniStack knows only a message's last receipt",
        "test_deleting_twice_is_not_an_error": "MiniStack calls the receipt of a deleted message invalid",
        "test_bytes_reach_a_raw_subscription": "MiniStack empties binary attributes of a batch",
    },
    "moto": {
        "test_many_receivers_never_share_a_message": _MOTO_RACE,
        "test_a_receive_returns_at_most_ten_and_a_claim_up_to_its_limit": _MOTO_RACE,
        "test_a_rule_passes_matching_events_to_a_topic": "moto does not know topics as targets of rules",
        "test_a_status_that_sends_an_email_reaches_the_notification_queue": "moto does not know topics as targets of rules",
        "test_a_message_that_another_consumer_received_stays_and_is_returned_as_lost": "moto deletes by an old receipt, as AWS may",
        "test_bytes_reach_a_raw_subscription": "moto loses messages with binary attributes on the way to a queue",
    },
}


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module", params=UNSUPPORTED)
def peer(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def unsupported(peer: str) -> Mapping[str, str]:
    return UNSUPPORTED[peer]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def backend(peer: str, databases: Databases) -> AsyncIterator[AwsBackend]:
    addresses = databases.migrated()
    database = await open_database(patient_settings(), addresses.url)
    yield AwsBackend(database, addresses, shared(peer))
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
