"""Deliveries to endpoints that are not queues: sent by their kind, tried again, and buried in the end."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from sightline.bus import (
    Attribute,
    EndpointDelivery,
    EndpointSenders,
    EndpointWorker,
    Names,
    PostgresBus,
    Queue,
    RegisteredQueue,
    RegisteredSubscription,
    TopicMessage,
    Topology,
)
from sightline.bus.topology import with_deliveries
from sightline.db import Database
from sightline.errors import BackendUnavailable, PermanentFailure
from sightline.timing import Backoff
from support.postgres import DatabaseAddresses
from support.services import listening, running
from support.waiting import soon

NAMES = Names()
AT_ONCE = '{"healthyRetryPolicy": {"numRetries": 2, "numNoDelayRetries": 2}}'


class Endpoint:
    """Fails as often as it is told, then accepts."""

    def __init__(self, failures: int, error: Exception) -> None:
        self.attempts: list[EndpointDelivery] = []
        self.is_done = asyncio.Event()
        self._failures = failures
        self._error = error

    async def send(self, record: EndpointDelivery) -> None:
        self.attempts.append(record)
        if len(self.attempts) <= self._failures:
            raise self._error
        self.is_done.set()


@pytest.fixture
async def bus(fresh_database: DatabaseAddresses, database: Database) -> AsyncIterator[PostgresBus]:
    async with listening(fresh_database.url) as listener:
        bus = PostgresBus(database, listener, with_deliveries(Topology(topics=("news",), queues=())), NAMES)
        await bus.create()
        async with bus.registry.changing() as change:
            await change.put(RegisteredQueue("lost", NAMES.account_id, Queue("lost", is_declared=False)))
            for protocol in ("https", "email"):
                await change.put(
                    RegisteredSubscription(
                        uuid4(),
                        "news",
                        NAMES.account_id,
                        protocol,
                        f"{protocol}-endpoint",
                        filter_policy=f'{{"to": ["{protocol}"]}}',
                        dead_letter_arn=NAMES.queue_arn("lost"),
                        # Mailboxes have no delivery policy; the backoff of the worker holds for them.
                        attributes={"DeliveryPolicy": AT_ONCE},
                    )
                )
        yield bus


async def deliver(bus: PostgresBus, database: Database, senders: EndpointSenders, to: str, until) -> None:
    worker = EndpointWorker(
        senders, bus=bus, database=database, names=NAMES, backoff=Backoff(first_s=0.01, max_s=0.01, jitter=0)
    )
    async with database.transaction() as tx:
        await bus.publish(tx, TopicMessage("news", "hello", {"to": Attribute("String", to)}, subject="Hi"))
    async with running(worker.consumer()):
        await soon(until)


@pytest.mark.req(467)
@pytest.mark.parametrize("kind", ["https", "email"])
async def test_a_delivery_is_tried_again_until_the_endpoint_accepts_it(bus: PostgresBus, database: Database, kind: str):
    endpoint, senders = Endpoint(2, BackendUnavailable("endpoint", "down")), EndpointSenders()
    senders.add(kind, endpoint.send)
    await deliver(bus, database, senders, kind, endpoint.is_done.wait())
    assert len(endpoint.attempts) == 3
    record = endpoint.attempts[-1]
    assert (record.kind, record.endpoint, record.body, record.subject) == (kind, f"{kind}-endpoint", "hello", "Hi")
    assert record.attributes == {"to": Attribute("String", kind)}
    assert record.source.startswith("arn:aws:sns:us-east-1:000000000000:news:")
    assert [one.visible + one.in_flight for one in await bus.counts()] == [0, 0]


@pytest.mark.req(467)
async def test_a_refused_delivery_goes_to_the_dead_letters_of_its_subscription(bus: PostgresBus, database: Database):
    endpoint, senders = Endpoint(1, PermanentFailure("no such mailbox")), EndpointSenders()
    senders.add("email", endpoint.send)
    found = asyncio.ensure_future(bus.receive("lost", wait_s=20))
    await deliver(bus, database, senders, "email", asyncio.shield(found))
    (letter,) = await found
    assert letter.body == "hello"
    assert letter.attributes["ERROR_MESSAGE"].value == "PermanentFailure: no such mailbox"
    assert len(endpoint.attempts) == 1


async def test_a_kind_without_a_sender_is_refused(bus: PostgresBus, database: Database):
    found = asyncio.ensure_future(bus.receive("lost", wait_s=20))
    await deliver(bus, database, EndpointSenders(), "https", asyncio.shield(found))
    assert "Nothing here delivers to" in str((await found)[0].attributes["ERROR_MESSAGE"].value)


def test_two_senders_of_one_kind_are_a_mistake():
    senders = EndpointSenders()
    senders.add("https", Endpoint(0, Exception()).send)
    with pytest.raises(ValueError, match="two senders"):
        senders.add("https", Endpoint(0, Exception()).send)
