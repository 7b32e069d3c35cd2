"""The N+1 messages on an SNS that accepts only some of a batch: the completion comes after all events, and nothing is lost."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID, uuid4

import pytest
from prometheus_client import CollectorRegistry

from conformance.aws_backend import serving
from sightline.bus import Names, NotAccepted, Queue, Subscription, Topology
from sightline.bus.aws import AwsBus, AwsClients, open_clients, outbox
from sightline.contracts.technique_events import event_id
from sightline.db import Database, Listener
from sightline.techniques import Publisher
from sightline.techniques import publications_store as publications
from sightline.timing import Backoff
from support.emulators import shared
from support.gate import Action, Gate
from support.postgres import DatabaseAddresses
from support.technique_rig import FPS, clip
from support.waiting import soon, until

N = 23
CLIPS = [clip(number) for number in range(1, N + 1)]


@dataclass
class Scene:
    database: Database
    bus: AwsBus
    gate: Gate
    clients: AwsClients
    listener: Listener
    topology: Topology
    queue: str
    topic: str

    @asynccontextmanager
    async def relaying(self) -> AsyncIterator[None]:
        quick = Backoff(first_s=0.02, max_s=0.05)
        async with serving(self.bus.relay(self.listener, CollectorRegistry(), backoff=quick, poll_s=0.2).service()):
            yield

    async def start(self, topic: str | None = None) -> tuple[UUID, Publisher]:
        job_id = uuid4()
        async with self.database.transaction() as tx:
            await publications.start(
                tx, job_id=job_id, video_id=uuid4(), topic=topic or self.topic, total=N, result_key="r.json"
            )
        return job_id, Publisher(self.database, self.bus, batch=10)

    async def publish(self, job_id: UUID, publisher: Publisher) -> None:
        """As the analyze job does it."""
        publication = await publisher.publish_events(job_id, CLIPS, fps=FPS)
        async with self.database.transaction() as tx:
            await publisher.publish_completion(tx, publication, result_s3_uri=None)

    async def pending(self) -> int:
        async with self.database.transaction() as tx:
            return (await outbox.measure(tx)).pending

    async def received(self, count: int) -> list[dict[str, Any]]:
        """The bodies, in the order in which SNS accepted them."""
        found: list[Any] = []
        while len(found) < count:
            found += await self.bus.receive(self.queue, limit=10, wait_s=20, visibility_s=600)
        while more := await self.bus.receive(self.queue, limit=10, wait_s=0, visibility_s=600):
            found += more
        return [json.loads(one.body) for one in sorted(found, key=lambda one: one.sent_at)]


@pytest.fixture
async def scene(database: Database, fresh_database: DatabaseAddresses) -> AsyncIterator[Scene]:
    emulator = shared("ministack")
    gate, own = Gate(urlsplit(emulator.endpoint).port or 0), secrets.token_hex(4)
    await gate.open()
    names, listener = Names(account_id=emulator.account_id), Listener(fresh_database.url)
    topology = Topology(
        (f"events-{own}",), (Queue(f"queue-{own}"),), (Subscription(f"events-{own}", f"queue-{own}", is_raw=True),)
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(gate.close)
        clients = await stack.enter_async_context(open_clients(emulator.settings(endpoint=gate.endpoint)))
        await stack.enter_async_context(serving(listener))
        bus = AwsBus(database, clients, topology, names)
        await bus.create()
        yield Scene(database, bus, gate, clients, listener, topology, f"queue-{own}", f"events-{own}")


def _is_publish(body: bytes) -> bool:
    return b"Action=PublishBatch" in body


def _holds_completion(body: bytes) -> bool:
    return b"analysis_complete" in body


def _refuse(body: bytes, *, every: int = 1) -> bytes:
    """The answer of an SNS that did not accept every nth entry of the batch, through no fault of the sender."""
    numbers = [int(value) for name, value in parse_qsl(body.decode()) if name.endswith(".Id")]
    why = "<Code>InternalError</Code><Message>try again</Message><SenderFault>false</SenderFault>"
    failed = "".join(f"<member><Id>{number}</Id>{why}</member>" for number in numbers if number % every == 0)
    done = "".join(
        f"<member><Id>{number}</Id><MessageId>x</MessageId></member>" for number in numbers if number % every
    )
    return (
        '<PublishBatchResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishBatchResult>'
        f"<Failed>{failed}</Failed><Successful>{done}</Successful></PublishBatchResult></PublishBatchResponse>"
    ).encode()


@pytest.mark.req(2, 18, 455)
async def test_the_completion_waits_until_every_event_is_accepted_by_a_flaky_sns(scene: Scene):
    calls = 0

    def flaky(head: str, body: bytes) -> Action:
        """Whole batches are refused in several ways, and of others SNS says that it did not accept a part."""
        nonlocal calls
        if not _is_publish(body) or _holds_completion(body):
            return "pass"
        calls += 1
        match calls:
            case 1 | 4 | 6:
                return 200, _refuse(body)
            case 2:
                return 503, b"<ErrorResponse><Error><Code>ServiceUnavailable</Code></Error></ErrorResponse>"
            case 3 | 5:
                return "pass", 200, _refuse(body, every=2)
        return "pass"

    scene.gate.decide = flaky
    job_id, publisher = await scene.start()
    async with scene.relaying():
        await soon(scene.publish(job_id, publisher))
        await until(lambda: _is_empty(scene))
        bodies = await scene.received(N + 1)
    assert calls > 6
    # What SNS accepted and denied was sent again, with the same id.
    ids = {body["id"] for body in bodies if "id" in body}
    assert ids == {str(event_id(str(job_id), index)) for index in range(1, N + 1)}
    assert [body.get("total_event_count") for body in bodies if "id" not in body] == [N]
    assert "id" not in bodies[-1]


@pytest.mark.req(2, 455)
async def test_no_completion_is_sent_while_one_event_is_not_accepted(scene: Scene):
    last = str(event_id("", 0))
    completions = 0

    def hold_back(head: str, body: bytes) -> Action:
        nonlocal completions
        completions += _is_publish(body) and _holds_completion(body)
        return (200, _refuse(body)) if _is_publish(body) and last.encode() in body else "pass"

    job_id, publisher = await scene.start()
    last = str(event_id(str(job_id), N))
    scene.gate.decide = hold_back
    async with scene.relaying():
        publishing = asyncio.create_task(scene.publish(job_id, publisher))

        async def only_the_last_batch_is_left() -> bool:
            # The refused entry is sent again and again, together with whatever shared its batch.
            return 0 < await scene.pending() <= 10 and publishing.done() is False

        await until(only_the_last_batch_is_left)
        # A crash here: the worker is gone, and the next attempt of the job resumes.
        publishing.cancel()
        await asyncio.wait((publishing,))
        assert completions == 0
        scene.gate.decide = lambda head, body: "pass"
        await publisher.retry_refused(job_id)
        await soon(scene.publish(job_id, publisher))
        await until(lambda: _is_empty(scene))
        bodies = await scene.received(N + 1)
    assert len({body.get("id") for body in bodies}) == N + 1
    assert "id" not in bodies[-1]


@pytest.mark.req(454)
async def test_a_topic_that_disappears_while_its_events_are_sent_is_reported_with_the_reason_of_aws(scene: Scene):
    topic = (await scene.clients.sns.create_topic(Name=f"{scene.topic}-team"))["TopicArn"]
    job_id, publisher = await scene.start(topic)
    await scene.bus.check_topic(topic)
    await scene.clients.sns.delete_topic(TopicArn=topic)
    async with scene.relaying():
        with pytest.raises(NotAccepted, match="NotFound"):
            await soon(scene.publish(job_id, publisher))
        await until(lambda: _is_empty(scene))  # the first refusal is reported while other events are on their way
        await scene.clients.sns.create_topic(Name=f"{scene.topic}-team")
        # An operator retries the job after the topic is back.
        await publisher.retry_refused(job_id)
        await soon(scene.publish(job_id, publisher))
        await until(lambda: _is_empty(scene))


async def _is_empty(scene: Scene) -> bool:
    return await scene.pending() == 0
