"""The relay: whatever AWS, the network or the process does, what was said is sent, and receivers can tell repeats."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest
from prometheus_client import CollectorRegistry

from conformance.aws_backend import serving
from conformance.bus import LONG_S, BusNames
from sightline.bus import BusEvent, Names, QueueMessage, Received, TopicMessage
from sightline.bus.aws import AwsBus, AwsClients, AwsSender, Relay, open_clients, outbox
from sightline.bus.aws.outbox import NewEntry, OutboxDepth
from sightline.db import Database, Listener
from sightline.timing import Backoff
from support import relay_process
from support.emulators import Emulator, shared
from support.forks import Forks, forks_of
from support.gate import Action, Gate
from support.postgres import DatabaseAddresses
from support.waiting import soon, until

SEND = "AmazonSQS.SendMessageBatch"


@dataclass
class Scene:
    """A bus on an emulator, a gate on the relays' way to it, and no relay yet."""

    database: Database
    url: str
    emulator: Emulator
    gate: Gate
    names: BusNames
    bus: AwsBus
    gated: AwsClients
    listener: Listener
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)

    @asynccontextmanager
    async def relaying(self, **options: Any) -> AsyncIterator[Relay]:
        names = Names(account_id=self.emulator.account_id)
        given = {"backoff": Backoff(first_s=0.02, max_s=0.05), "poll_s": 3600.0, **options}
        relay = Relay(self.database, self.listener, AwsSender(self.gated, names), **given)
        async with serving(relay.service()):
            yield relay

    async def say(self, *bodies: str) -> list[str]:
        async with self.database.transaction() as tx:
            return await self.bus.send(tx, self.names.plain, *(QueueMessage(body) for body in bodies))

    async def measure(self) -> OutboxDepth:
        async with self.database.transaction() as tx:
            return await outbox.measure(tx)

    async def holds(self, *, pending: int, failed: int = 0) -> bool:
        found = await self.measure()
        return (found.pending, found.failed) == (pending, failed)

    async def arrived(self, queue: str) -> list[Received]:
        """All that is in the queue."""
        found: list[Received] = []
        while some := await self.bus.claim(queue, limit=100, wait_s=0, visibility_s=LONG_S):
            found += some
        return found


@pytest.fixture
async def scene(database: Database, fresh_database: DatabaseAddresses) -> AsyncIterator[Scene]:
    emulator = shared("ministack")
    gate = Gate(urlsplit(emulator.endpoint).port or 0)
    await gate.open()
    names, listener = BusNames(), Listener(fresh_database.url)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(gate.close)
        direct = await stack.enter_async_context(open_clients(emulator.settings()))
        gated = await stack.enter_async_context(open_clients(emulator.settings(endpoint=gate.endpoint)))
        await stack.enter_async_context(serving(listener))
        bus = AwsBus(database, direct, names.queues, Names(account_id=emulator.account_id))
        await bus.create()
        yield Scene(database, fresh_database.url, emulator, gate, names, bus, gated, listener)


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    with forks_of(relay_process.__name__) as opened:
        yield opened


@pytest.mark.req(302)
async def test_an_entry_is_sent_on_commit_without_waiting_for_the_poll(scene: Scene):
    async with scene.relaying(registry=scene.registry):
        ids = await scene.say("one")
        await until(lambda: scene.holds(pending=0))
    assert [one.message_id for one in await scene.arrived(scene.names.plain)] == ids
    assert scene.registry.get_sample_value("sightline_outbox_sent_total", {"kind": "queue"}) == 1


async def test_entries_share_calls_as_far_as_they_fit(scene: Scene):
    await scene.say(*(str(number) for number in range(25)), *("x" * 100_000 for _ in range(3)))
    async with scene.relaying():
        await until(lambda: scene.holds(pending=0))
    # 25 small ones and then two large ones fill three calls: ten, ten, and five with two; the third is on its own.
    assert sum(SEND in head for head in scene.gate.seen) == 4
    assert len(await scene.arrived(scene.names.plain)) == 28


async def test_only_the_rejected_entries_of_a_batch_stay(scene: Scene):
    bodies = ["good", "control\x01character", "fine"]
    async with scene.database.transaction() as tx:  # past the checks of the bus, which would have refused it
        await outbox.add(tx, "queue", [NewEntry(scene.names.plain, body, {}) for body in bodies])
    async with scene.relaying(registry=scene.registry):
        await until(lambda: scene.holds(pending=0, failed=1))
    assert sorted(one.body for one in await scene.arrived(scene.names.plain)) == ["fine", "good"]
    async with scene.database.transaction() as tx:
        row = await tx.fetchrow("SELECT body, attempts, last_error FROM bus_outbox")
    assert row is not None
    assert (row["body"], row["attempts"]) == ("control\x01character", 1)
    assert "InvalidMessageContents" in row["last_error"]
    assert scene.registry.get_sample_value("sightline_outbox_failed_total", {"kind": "queue"}) == 1


async def test_an_invalid_entry_does_not_fail_the_rest_of_its_call(scene: Scene):
    def refuse_poison(head: str, body: bytes) -> Action:
        poison = json.dumps({"__type": "InvalidParameterValue", "message": "poison"}).encode()
        return (400, poison) if SEND in head and b"poison" in body else "pass"

    scene.gate.decide = refuse_poison
    await scene.say("one", "poison", "two")
    async with scene.relaying():
        await until(lambda: scene.holds(pending=0, failed=1))
    assert sorted(one.body for one in await scene.arrived(scene.names.plain)) == ["one", "two"]


async def test_what_a_person_can_mend_is_tried_for_long_and_can_be_tried_again(scene: Scene):
    topic = f"{scene.names.news}-missing"
    async with scene.database.transaction() as tx:
        await outbox.add(tx, "topic", [NewEntry(topic, "one", {})])
    async with scene.relaying(max_attempts=3, registry=scene.registry):
        await scene.say("goes on")
        await until(lambda: scene.holds(pending=0, failed=1))
        assert len(await scene.arrived(scene.names.plain)) == 1
        assert scene.registry.get_sample_value("sightline_outbox_retried_total", {"kind": "topic"}) == 2
        await scene.gated.sns.create_topic(Name=topic)
        async with scene.database.transaction() as tx:
            assert await outbox.retry_failed(tx) == 1
        await until(lambda: scene.holds(pending=0))


@pytest.mark.parametrize(
    "answer",
    [
        (400, b'{"__type": "RequestThrottled", "message": "slow down"}'),
        (503, b'{"__type": "ServiceUnavailable", "message": "away"}'),
        "drop",
    ],
    ids=["throttled", "unavailable", "cut off"],
)
async def test_a_throttling_or_failing_aws_is_retried_without_limit(scene: Scene, answer: Action):
    refusals = 0

    def refuse_at_first(head: str, body: bytes) -> Action:
        nonlocal refusals
        refusals += SEND in head
        return answer if SEND in head and refusals <= 4 else "pass"

    scene.gate.decide = refuse_at_first
    ids = await scene.say("one", "two")
    # Fewer attempts than there will be, because this is no fault of the entries.
    async with scene.relaying(max_attempts=1, registry=scene.registry):
        await until(lambda: scene.holds(pending=0))
    assert {one.message_id for one in await scene.arrived(scene.names.plain)} == set(ids)
    assert (_sample(scene, "sightline_outbox_retried_total", kind="queue") or 0) >= 2


@pytest.mark.req(274, 302)
async def test_entries_written_during_an_outage_of_aws_are_sent_afterwards(scene: Scene):
    await scene.gate.close()
    async with scene.relaying(registry=scene.registry):
        ids = await scene.say("one")
        await until(lambda: (_sample(scene, "sightline_outbox_retried_total", kind="queue") or 0) >= 2)
        assert await scene.holds(pending=1)
        await scene.gate.open()
        await until(lambda: scene.holds(pending=0))
    assert [one.message_id for one in await scene.arrived(scene.names.plain)] == ids


async def test_several_relays_send_each_entry_once(scene: Scene):
    ids = await scene.say(*(str(number) for number in range(250)))
    async with scene.relaying(), scene.relaying(), scene.relaying():
        await until(lambda: scene.holds(pending=0))
    found = await scene.arrived(scene.names.plain)
    assert sorted(one.message_id for one in found) == sorted(ids)


async def test_a_relay_outlives_its_database_connection(scene: Scene, fresh_database: DatabaseAddresses):
    hung = False

    def hang_once(head: str, body: bytes) -> Action:
        nonlocal hung
        if SEND not in head or hung:
            return "pass"
        hung = True
        return "pass and hang"

    scene.gate.decide = hang_once
    ids = await scene.say("one")
    async with scene.relaying():
        await soon(scene.gate.hanging.wait())
        admin = await asyncpg.connect(fresh_database.admin_url)
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND state = 'idle in transaction'"
        )
        await admin.close()
        await scene.gate.close()
        await scene.gate.open()
        await until(lambda: scene.holds(pending=0))
    assert {one.message_id for one in await scene.arrived(scene.names.plain)} == set(ids)


@pytest.mark.req(302, 303)
@pytest.mark.parametrize("at_call", [1, 2, 3])
@pytest.mark.parametrize("blow", ["hang", "pass and hang"], ids=["before AWS got it", "before AWS could answer"])
async def test_a_killed_relay_loses_nothing_and_receivers_can_deduplicate(
    scene: Scene, forks: Forks, at_call: int, blow: Action
):
    calls = 0

    def strike(head: str, body: bytes) -> Action:
        nonlocal calls
        calls += SEND in head
        return blow if SEND in head and calls == at_call else "pass"

    scene.gate.decide = strike
    ids = await scene.say(*(str(number) for number in range(30)))
    relay = await forks.start(scene.url, scene.gate.endpoint, scene.emulator.account_id)
    await soon(scene.gate.hanging.wait())
    await forks.kill(relay)
    assert await scene.holds(pending=30)
    async with scene.relaying():
        await until(lambda: scene.holds(pending=0))
    found = await scene.arrived(scene.names.plain)
    seen: dict[str, str] = {}
    for one in found:
        assert seen.setdefault(one.message_id, one.body) == one.body  # a repeat is the same in every way
    assert seen == {id_: str(number) for number, id_ in enumerate(ids)}
    if blow == "pass and hang":
        assert len(found) > 30  # there were repeats to tell


async def test_a_repeated_topic_message_and_event_have_the_id_of_the_first(scene: Scene):
    full = AwsBus(scene.database, scene.gated, scene.names.topics, Names(account_id=scene.emulator.account_id))
    await full.create()
    hung: set[str] = set()

    def lose_the_first_answer(head: str, body: bytes) -> Action:
        service = "events" if "PutEvents" in head else "sns" if b"Action=PublishBatch" in body else None
        if service is None or service in hung:
            return "pass"
        hung.add(service)
        return "pass and hang"

    async with scene.database.transaction() as tx:
        (message_id,) = await full.publish(tx, TopicMessage(scene.names.news, "one"))
        (event_id,) = await full.put_events(tx, BusEvent(scene.names.source, "to-queue", {"state": {"name": "ready"}}))
    scene.gate.decide = lose_the_first_answer
    async with scene.relaying():
        await until(lambda: len(hung) == 2)
        await scene.gate.close()  # the answers are lost
        await scene.gate.open()
        await until(lambda: scene.holds(pending=0))
    for queue, expected in (
        (scene.names.raw, message_id),
        (scene.names.wrapped, message_id),
        (scene.names.ruled, event_id),
    ):
        found = [one for _ in range(2) for one in await full.receive(queue, limit=10, wait_s=1, visibility_s=LONG_S)]
        assert [one.message_id for one in found] == [expected, expected]


def _sample(scene: Scene, name: str, **labels: str) -> float | None:
    return scene.registry.get_sample_value(name, labels)
