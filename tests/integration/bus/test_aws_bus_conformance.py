"""The AWS keeper keeps the promises of the bus, over HTTP to emulators that are not ours.

Two of them, because each has holes that the other does not: where one is known to differ from AWS, the test is left
out for it by name.
"""

from collections.abc import Mapping

import pytest

from conformance.aws_keeper import AwsKeeper
from conformance.bus_dead_letters import DeadLetterSuite
from conformance.bus_documents import DocumentSuite
from conformance.bus_limits import LimitSuite
from conformance.bus_queues import QueueSuite
from conformance.bus_topics import TopicSuite
from conftest import DatabaseAddresses
from sightline.db import Database
from support.emulators import shared

_MOTOS_RACE = "moto has a race: some messages are delivered twice"
LIES: Mapping[str, Mapping[str, str]] = {
    "ministack": {
        "test_an_old_receipt_can_show_a_message_that_was_received_again": "MiniStack knows only a message's last receipt",
        "test_deleting_twice_is_fine": "MiniStack calls the receipt of a deleted message invalid",
        "test_bytes_reach_a_raw_subscription": "MiniStack empties binary attributes of a batch",
    },
    "moto": {
        "test_many_receivers_never_share_a_message": _MOTOS_RACE,
        "test_a_receive_brings_ten_at_most_and_a_claim_as_many_as_asked_for": _MOTOS_RACE,
        "test_a_rule_passes_matching_events_to_a_topic": "moto does not know topics as targets of rules",
        "test_a_status_that_people_care_for_reaches_the_notifier": "moto does not know topics as targets of rules",
        "test_a_message_that_somebody_else_received_stays_and_is_named": "moto deletes by an old receipt, as AWS may",
        "test_bytes_reach_a_raw_subscription": "moto loses messages with binary attributes on the way to a queue",
    },
}


pytestmark = pytest.mark.parametrize("peer", LIES)


@pytest.fixture
def lies(peer: str) -> Mapping[str, str]:
    return LIES[peer]


@pytest.fixture
def keeper(peer: str, database: Database, fresh_database: DatabaseAddresses) -> AwsKeeper:
    return AwsKeeper(database, fresh_database, shared(peer))


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
