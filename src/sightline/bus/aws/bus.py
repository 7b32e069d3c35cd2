"""The AWS backend: SNS, SQS and EventBridge behind an outbox.

`publish`, `put_events` and `send` validate messages, write them to the outbox in the caller's transaction and return the
ids that receivers will see; a relay sends them to AWS. Received messages are acknowledged after the commit, so work may
be done twice if a process dies in between.
"""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from prometheus_client import CollectorRegistry

from sightline.aws import translate_errors
from sightline.bus.aws import outbox, published
from sightline.bus.aws.clients import AwsClients, open_clients
from sightline.bus.aws.create import AwsCreator
from sightline.bus.aws.dead_letters import AwsDeadLetters
from sightline.bus.aws.errors import EVENT_BRIDGE, SNS, SQS
from sightline.bus.aws.outbox import NewEntry
from sightline.bus.aws.relay import Relay
from sightline.bus.aws.send import AwsSender
from sightline.bus.limits import BusRefusal, check_delay, check_message, check_subject
from sightline.bus.message import BusEvent, QueueMessage, TopicMessage
from sightline.bus.metrics import BusMetrics
from sightline.bus.names import (
    Names,
    NotAccepted,
    TopicRefused,
    own_topic,
    topic_arn_of,
    topic_name,
    unknown_topic,
)
from sightline.bus.policy import PatternIndex, compile_event_pattern
from sightline.bus.routing import event_json
from sightline.bus.settings import BusSettings
from sightline.bus.topology import Topology
from sightline.db import Database, Listener, Transaction
from sightline.errors import PlatformError, TransientFailure
from sightline.timing import Clock, utc_now

RESERVED_SOURCE = "aws."
ACCEPTED_POLL_S = 0.2


class AwsBus(AwsDeadLetters):
    def __init__(
        self,
        database: Database,
        clients: AwsClients,
        topology: Topology,
        names: Names,
        *,
        event_bus: str = "default",
        metrics: BusMetrics | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(database, clients, topology, metrics or BusMetrics(None))
        self._names = names
        self._event_bus = event_bus
        self._clock = clock
        self._topics = frozenset(topology.topics)
        self._targets = {rule.name: rule for rule in topology.rules}
        self._rules: PatternIndex[str] = PatternIndex()
        for rule in topology.rules:
            self._rules.add(rule.name, compile_event_pattern(rule.pattern))

    def relay(self, listener: Listener, registry: CollectorRegistry | None = None, **options: Any) -> Relay:
        """The relay that empties the outbox; at least one process has to run it as a service."""
        sender = AwsSender(self._clients, self._names, event_bus=self._event_bus)
        return Relay(self._database, listener, sender, registry=registry, **options)

    async def create(self) -> None:
        await AwsCreator(self._clients, self.topology, self._names, event_bus=self._event_bus).create()

    async def check(self) -> None:
        """Requests one resource of the topology from each service."""
        await asyncio.gather(self._check_queue(), self._check_topic(), self._check_event_bus())

    async def publish(self, tx: Transaction, *messages: TopicMessage) -> list[str]:
        entries = []
        for message in messages:
            check_message(message.body, message.attributes)
            check_subject(message.subject)
            topic = own_topic(message.topic, self._names)
            if topic is None or topic not in self._topics:
                # A topic outside the topology is known to AWS alone, which `check_topic` and the relay ask.
                topic = message.topic
                if not topic.startswith("arn:"):
                    raise unknown_topic(topic)
            entries.append(
                NewEntry(
                    topic,
                    message.body,
                    message.attributes,
                    subject=message.subject,
                    context=message.context,
                    publication=message.publication,
                )
            )
        ids = await self._add_topic_entries(tx, entries)
        for entry in entries:
            self._metrics.published.labels(topic_name(entry.target)).inc()
        return ids

    async def _add_topic_entries(self, tx: Transaction, entries: Sequence[NewEntry]) -> list[str]:
        return await outbox.add(tx, "topic", await published.record(tx, entries) if entries else ())

    async def check_topic(self, topic: str) -> None:
        arn = topic_arn_of(topic, self._names)
        try:
            with translate_errors(SNS, topic=arn):
                await self._clients.sns.get_topic_attributes(TopicArn=arn)
        except TransientFailure:
            raise
        except PlatformError as error:
            raise TopicRefused(error.message, code="NotFound", details=error.details) from error

    async def wait_until_accepted(self, publication: str) -> None:
        while True:
            async with self._database.transaction() as tx:
                waiting, refusal = await outbox.state_of_publication(tx, publication)
            if refusal is not None:
                raise NotAccepted(f"AWS refused a message of {publication}: {refusal}")
            if waiting == 0:
                return
            await asyncio.sleep(ACCEPTED_POLL_S)

    async def retry_refused(self, tx: Transaction, publication: str) -> int:
        return await outbox.retry_publication(tx, publication)

    async def sweep(self) -> int:
        async with self._database.transaction() as tx:
            return await published.sweep(tx)

    async def put_events(self, tx: Transaction, *events: BusEvent) -> list[str]:
        ids: list[str] = []
        entries: dict[outbox.Kind, list[NewEntry]] = {"event": [], "queue": [], "topic": []}
        for event in events:
            message_id = uuid.uuid4()
            ids.append(str(message_id))
            content, entry = self._event_entry(event, message_id)
            if not event.source.startswith(RESERVED_SOURCE):
                entries["event"].append(entry)
                continue
            # EventBridge accepts these sources from AWS only, so the rules are applied here.
            for rule in (self._targets[name] for name in self._rules.matching(content)):
                if rule.to_queue is not None:
                    entries["queue"].append(replace(entry, target=rule.to_queue))
                elif rule.to_topic is not None:
                    entries["topic"].append(replace(entry, target=rule.to_topic))
        await self._add_topic_entries(tx, entries.pop("topic"))
        for kind, found in entries.items():
            await outbox.add(tx, kind, found)
        return ids

    async def send(self, tx: Transaction, queue: str, *messages: QueueMessage) -> list[str]:
        self._queue(queue)
        for message in messages:
            check_message(message.body, message.attributes)
            check_delay(message.delay_s or 0)
        return await outbox.add(tx, "queue", _queue_entries(queue, messages))

    def _event_entry(self, event: BusEvent, message_id: uuid.UUID) -> tuple[dict[str, Any], NewEntry]:
        # EventBridge assigns an id of its own; ours is carried in the event.
        content = event_json(event, event_id=str(message_id), at=self._clock(), names=self._names)
        try:
            body = json.dumps(content, ensure_ascii=False, allow_nan=False)
        except (ValueError, TypeError) as error:
            raise BusRefusal(f"Detail is malformed: {error}", "MalformedDetail") from error
        check_message(body, {})
        return content, NewEntry(self._event_bus, body, {}, message_id=message_id)

    async def _check_queue(self) -> None:
        for queue in self.topology.queues[:1]:
            url = await self._clients.queue_url(queue.name)
            with translate_errors(SQS, queue=queue.name):
                await self._clients.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])

    async def _check_topic(self) -> None:
        for topic in self.topology.topics[:1]:
            with translate_errors(SNS):
                await self._clients.sns.get_topic_attributes(TopicArn=self._names.topic_arn(topic))

    async def _check_event_bus(self) -> None:
        if self.topology.rules:
            with translate_errors(EVENT_BRIDGE):
                await self._clients.events.describe_event_bus(Name=self._event_bus)


@asynccontextmanager
async def open_aws_bus(
    settings: BusSettings, topology: Topology, database: Database, *, metrics: BusMetrics | None = None
) -> AsyncIterator[AwsBus]:
    names = Names(settings.region, settings.account_id)
    async with open_clients(settings) as clients:
        yield AwsBus(database, clients, topology, names, event_bus=settings.event_bus, metrics=metrics)


def _queue_entries(queue: str, messages: Sequence[QueueMessage]) -> list[NewEntry]:
    return [NewEntry(queue, one.body, one.attributes, delay_s=one.delay_s) for one in messages]
