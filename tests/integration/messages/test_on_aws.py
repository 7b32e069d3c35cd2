"""The whole way as document 002 draws it: store → SNS → SQS → processor → ntfy, over HTTP to an emulator."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from conformance.aws_backend import AwsBackend, serving
from sightline.bus import default_topology, message_queue, schedule_queue
from sightline.contracts.message_events import Stage
from sightline.db import Database
from sightline.messages import (
    MessageMetrics,
    Messages,
    MessagesSettings,
    MessageStore,
    NotificationRequest,
    due_consumer,
)
from sightline.messages.announce import announcement
from sightline.messages.dynamodb.store import open_dynamodb_store
from sightline.messages.postgres.store import PostgresMessageStore
from sightline.messages.schedules import store as schedules
from sightline.messages.schedules.eventbridge_clock import open_eventbridge_clock
from support import emulators
from support.messaging import OWNER, Messaging
from support.ntfy_server import NtfyServer
from support.postgres import DatabaseAddresses
from support.waiting import until

ROLE_ARN = "arn:aws:iam::000000000000:role/calls-sightline"


@asynccontextmanager
async def _on_aws(
    addresses: DatabaseAddresses, database: Database, keeper: str, stage: Stage
) -> AsyncIterator[Messaging]:
    """The bus is AWS; records are in our database or in DynamoDB.

    Each test has a stage of its own: a receive that was broken off at the end of one may still wait in the emulator, and would take
    the messages of the next.
    """
    emulator = emulators.shared("ministack")
    topology = default_topology(stage=stage, bucket="videos")
    async with AsyncExitStack() as stack:
        bus = await stack.enter_async_context(AwsBackend(database, addresses, emulator).open(topology))
        await bus.create()
        for queue in (message_queue(stage), f"{message_queue(stage)}-dlq", schedule_queue(stage)):
            while received := await bus.receive(queue, limit=10, wait_s=0):  # what other tests of this process left
                await bus.delete(queue, [one.receipt for one in received])
        store: MessageStore = PostgresMessageStore(database, bus, region="us-east-1")
        if keeper == "dynamodb":
            settings = MessagesSettings(
                backend="dynamodb",
                dynamodb_table=f"rez-agent-messages-aws-{os.getpid()}",
                dynamodb_endpoint=emulator.endpoint,
                dynamodb_access_key_id="test",
                dynamodb_secret_access_key=SecretStr("test"),
            )
            opening = open_dynamodb_store(settings, database=database, bus=bus, stage=stage, region="us-east-1")
            dynamodb = await stack.enter_async_context(opening)
            await dynamodb.create()
            await stack.enter_async_context(serving(dynamodb.relay().service()))
            store = dynamodb
        registry = CollectorRegistry()
        metrics = MessageMetrics(registry)
        messages = Messages(store, stage=stage, metrics=metrics)
        yield Messaging(bus, database, addresses.url, store, registry, metrics, messages)


@pytest.mark.req(140, 149, 153, 154, 157, 188)
@pytest.mark.parametrize(("keeper", "stage"), [("postgres", "dev"), ("dynamodb", "stage")])
async def test_messages_go_over_sns_and_sqs_and_are_told_once(
    fresh_database: DatabaseAddresses, database: Database, server: NtfyServer, keeper: str, stage: Stage
):
    async with _on_aws(fresh_database, database, keeper, stage) as aws:
        queue = message_queue(stage)
        quick: dict[str, Any] = {
            "queue": queue,
            "server": server,
            "breaker_failures": 1,
            "breaker_open_s": 0.5,
            "tries": 1,
        }
        async with aws.working(aws.worker(**quick), aws.worker(**quick)):
            await _told_once(aws, server, queue)
            await _refused_for_good(aws, server, queue)
            await _down_for_a_while(aws, server, queue)


async def _told_once(aws: Messaging, server: NtfyServer, queue: str) -> None:
    new = await aws.create()
    await until(lambda: aws.is_now(new.message_id, "completed", queue))
    kept = await aws.get(new.message_id)
    assert [step.status for step in kept.history] == ["created", "processing", "completed"]
    # The same event once more, as SQS may deliver it.
    async with aws.database.transaction() as tx:
        await aws.bus.publish(tx, announcement(kept, region="us-east-1", at=kept.created_date))
    outcome = {"message_type": "manual_notification", "outcome": "repeated"}
    await until(lambda: aws.counted("sightline_messages_processed_total", **outcome) == 1)
    await until(lambda: aws.is_now(new.message_id, "completed", queue))
    assert [one["sequence_id"] for one in server.published] == [new.message_id]


async def _refused_for_good(aws: Messaging, server: NtfyServer, queue: str) -> None:
    server.answers = [(400, {}, b"no such thing")]
    new = await aws.create()
    await until(lambda: aws.is_now(new.message_id, "failed", queue))
    (reason,) = await aws.dead(queue)
    assert "ntfy responded with 400: no such thing" in reason


async def _down_for_a_while(aws: Messaging, server: NtfyServer, queue: str) -> None:
    """Waiting for the breaker costs none of the three receives, on SQS either."""
    server.answers = [(502, {}, b"bad gateway")] * 2  # opens the breakers of both workers
    created = [await aws.create() for _ in range(3)]
    for new in created:
        await until(partial(aws.is_now, new.message_id, "completed", queue))
    assert sorted(one["sequence_id"] for one in server.published[1:]) == sorted(new.message_id for new in created)
    assert len(await aws.dead(queue)) == 1  # the one from before


@pytest.mark.req(185, 186)
async def test_eventbridge_scheduler_is_the_clock(
    fresh_database: DatabaseAddresses, database: Database, server: NtfyServer
):
    """at() in a moment: kept by EventBridge, called for over SQS, created, announced over SNS, told."""
    settings = emulators.shared("ministack").settings().model_copy(update={"stage": "prod"})
    clock_settings = MessagesSettings(clock="eventbridge", eventbridge_role_arn=ROLE_ARN)
    async with (
        _on_aws(fresh_database, database, "postgres", "prod") as aws,
        open_eventbridge_clock(clock_settings, settings, database) as clock,
    ):
        await _add_schedule(database, at=datetime.now(UTC) + timedelta(seconds=1))
        due = due_consumer(aws.bus, database, aws.messages)
        worker = aws.worker(queue=message_queue("prod"), server=server)
        async with serving(clock.service()), serving(due), serving(worker):
            await until(lambda: len(server.published) == 1, within_s=60)  # the emulator looks every ten seconds
        async with database.transaction() as tx:
            (schedule,) = await schedules.find(tx, owner_id=OWNER)
        assert schedule.state == "finished"
        await clock.mirror()
        assert await clock.names() == []
    assert server.published[0]["title"] == "Now"


async def _add_schedule(database: Database, *, at: datetime) -> None:
    async with database.transaction() as tx:
        made = await schedules.add(
            tx,
            name="once",
            expression=f"at({at:%Y-%m-%dT%H:%M:%S})",
            zone="UTC",
            message_type="manual_notification",
            payload={},
            notification=NotificationRequest(channel="ntfy", target="topic", title="Now", body="It is time."),
            owner_id=OWNER,
            anchor=at,
            next_tick=at.replace(microsecond=0),
        )
    assert made is not None
