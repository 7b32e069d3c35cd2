"""From a created message to a notification that was sent once, with the record of its way."""

import asyncio
import json
from datetime import timedelta
from functools import partial

import pytest
import structlog

from sightline.bus import Delivery, QueueMessage, unwrap
from sightline.contracts.message_events import parse_message_event
from sightline.messages import NotificationRequest
from support.messaging import ALERTS, QUEUE, Messaging
from support.ntfy_server import NtfyServer
from support.waiting import until


@pytest.mark.req(139, 140, 141, 142, 143, 149)
async def test_a_created_message_is_stored_and_announced_by_its_identifiers_alone(messaging: Messaging):
    with structlog.contextvars.bound_contextvars(correlation_id="corr-1"):
        new = await messaging.create(payload={"secret": "x" * 5000})
    kept = await messaging.get(new.message_id)
    assert (kept.status, kept.payload, kept.correlation_id) == ("created", {"secret": "x" * 5000}, "corr-1")
    (received,) = await messaging.bus.receive(QUEUE, wait_s=20)
    envelope = json.loads(received.body)
    assert envelope["Type"] == "Notification"
    assert envelope["TopicArn"].endswith(":rez-agent-messages-dev")
    assert envelope["MessageAttributes"] == {
        "event_type": {"Type": "String", "Value": "message_created"},
        "message_type": {"Type": "String", "Value": "manual_notification"},
        "stage": {"Type": "String", "Value": "dev"},
        "source": {"Type": "String", "Value": "web-api"},
    }
    body = envelope["Message"]
    assert len(body.encode()) < 1024
    assert "xxx" not in body
    event = json.loads(body)
    assert event["event_id"] != new.message_id
    assert event["timestamp"].endswith("Z")
    assert {key: event[key] for key in ("schema_version", "event_type", "source", "message", "metadata")} == {
        "schema_version": "1.0",
        "event_type": "message_created",
        "source": "web-api",
        "message": {
            "message_id": new.message_id,
            "message_type": "manual_notification",
            "stage": "dev",
            "created_by": "user:ana@example.com",
            "correlation_id": "corr-1",
        },
        "metadata": {"region": "us-east-1", "environment": "dev"},
    }


@pytest.mark.req(139)
async def test_neither_record_nor_event_outlives_a_transaction_that_fails(messaging: Messaging):
    with pytest.raises(RuntimeError):
        async with messaging.database.transaction() as tx:
            new, _ = await messaging.messages.create(
                tx,
                message_type="x",
                payload={},
                notification=NotificationRequest(),
                source="web-api",
                created_by="user:a",
            )
            raise RuntimeError("no")
    assert await messaging.store.get(new.message_id) is None
    assert await messaging.waiting() == 0


@pytest.mark.req(153, 156, 159, 162)
async def test_the_record_tells_the_way_from_created_to_completed(messaging: Messaging, server: NtfyServer):
    new = await messaging.create()
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: messaging.is_now(new.message_id, "completed"))
    kept = await messaging.get(new.message_id)
    assert [step.status for step in kept.history] == ["created", "processing", "completed"]
    assert kept.notification_id == server.published[0]["id"]
    assert kept.processing_started_at is not None
    assert kept.processing_completed_at is not None
    assert kept.processing_completed_at >= kept.processing_started_at
    assert (kept.retry_count, kept.error_message, kept.lease_until) == (0, None, None)
    assert kept.ttl == int(kept.created_date.timestamp()) + 90 * 86400


@pytest.mark.req(157, 159)
async def test_a_redelivered_completed_message_is_acknowledged_silently(messaging: Messaging, server: NtfyServer):
    new = await messaging.create()
    (received,) = await messaging.bus.receive(QUEUE, wait_s=20, visibility_s=0)
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: messaging.is_now(new.message_id, "completed"))
        async with messaging.database.transaction() as tx:
            await messaging.bus.send(tx, QUEUE, QueueMessage(received.body))
        outcome = {"message_type": "manual_notification", "outcome": "repeated"}
        await until(lambda: messaging.counted("sightline_messages_processed_total", **outcome) == 1)
        await until(lambda: messaging.is_now(new.message_id, "completed"))
    assert len(server.published) == 1
    assert await messaging.dead() == []


@pytest.mark.req(158)
async def test_two_processors_with_the_same_messages_send_each_once(messaging: Messaging, server: NtfyServer):
    created = [await messaging.create() for _ in range(20)]
    for received in await messaging.bus.receive(QUEUE, limit=10, wait_s=20, visibility_s=0):
        async with messaging.database.transaction() as tx:
            await messaging.bus.send(tx, QUEUE, QueueMessage(received.body), QueueMessage(received.body))
    async with messaging.working(messaging.worker(server=server), messaging.worker(server=server)):
        for new in created:
            await until(partial(_is_completed, messaging, new.message_id))
    await messaging.let_time_pass()
    async with messaging.working(messaging.worker(server=server), messaging.worker(server=server)):
        await until(lambda: messaging.is_now(created[0].message_id, "completed"))
    assert await messaging.dead() == []
    assert sorted(one["sequence_id"] for one in server.published) == sorted(new.message_id for new in created)


@pytest.mark.req(154, 155)
async def test_a_failed_notification_is_recorded_and_tried_again(messaging: Messaging, server: NtfyServer):
    server.answers = [(500, {}, b"oops")] * 3
    new = await messaging.create()
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: messaging.is_now(new.message_id, "completed"))
    kept = await messaging.get(new.message_id)
    statuses = [step.status for step in kept.history]
    assert statuses == ["created", "processing", "failed", "processing", "completed"]
    note = kept.history[2].note or ""
    assert "ntfy responded with 500" in note
    assert "oops" not in note  # a response may hold what the owner of the message must not see
    assert (kept.retry_count, kept.error_message) == (1, None)
    assert len(server.published) == 1


@pytest.mark.req(154, 187)
async def test_what_ntfy_refuses_for_good_is_a_dead_letter_at_once(messaging: Messaging, server: NtfyServer):
    server.answers = [(400, {}, b"no such thing")]
    new = await messaging.create()
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: messaging.is_now(new.message_id, "failed"))
    assert len(server.asked) == 1
    assert "ntfy responded with 400" in ((await messaging.get(new.message_id)).error_message or "")
    assert "ntfy responded with 400" in (await messaging.dead())[0]


@pytest.mark.req(155)
async def test_a_message_whose_processor_vanished_is_taken_over(messaging: Messaging, server: NtfyServer):
    new = await messaging.create()
    assert await messaging.store.claim(new.message_id, by="gone", lease=timedelta(hours=1)) is not None
    assert await messaging.store.claim(new.message_id, by="other", lease=timedelta(hours=1)) is None
    await messaging.let_time_pass()
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: messaging.is_now(new.message_id, "completed"))
    assert [step.status for step in (await messaging.get(new.message_id)).history] == [
        *("created", "processing", "processing", "completed")
    ]
    assert len(server.published) == 1


@pytest.mark.req(150, 151, 152)
async def test_only_what_is_broken_goes_astray(messaging: Messaging, server: NtfyServer):
    good = [await messaging.create() for _ in range(3)]
    envelope = {"Type": "Notification", "TopicArn": "arn:aws:sns:us-east-1:0:t", "Message": "{not json"}
    async with messaging.database.transaction() as tx:
        await messaging.bus.send(tx, QUEUE, QueueMessage("not an envelope"), QueueMessage(json.dumps(envelope)))
    async with messaging.working(messaging.worker(server=server)):
        for new in good:
            await until(partial(messaging.is_now, new.message_id, "completed"))
    reasons = sorted(await messaging.dead())
    assert len(reasons) == 2
    assert all("not JSON" in reason for reason in reasons)
    assert len(server.published) == 3


@pytest.mark.req(160, 161)
async def test_versions_1_and_2_are_processed_and_others_die_by_name(messaging: Messaging, server: NtfyServer):
    created = [await messaging.create() for _ in range(2)]
    events = [json.loads(unwrap(one).body) for one in await messaging.bus.receive(QUEUE, limit=10, wait_s=20)]
    await messaging.bus.purge(QUEUE)
    second = events[0] | {"schema_version": "2.0", "priority": "high", "retry_policy": {"n": 1}, "else": 1}
    third = events[1] | {"schema_version": "3.0"}
    async with messaging.database.transaction() as tx:
        await messaging.bus.send(tx, QUEUE, QueueMessage(json.dumps(second)), QueueMessage(json.dumps(third)))
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: messaging.is_now(parse_message_event(second).message.message_id, "completed"))
    (reason,) = await messaging.dead()
    assert "unsupported schema version: 3.0" in reason
    assert len(created) - len(server.published) == 1


@pytest.mark.req(146, 296)
async def test_every_log_line_of_processing_carries_the_correlation_id(messaging: Messaging, server: NtfyServer):
    with structlog.contextvars.bound_contextvars(correlation_id="corr-7"):
        new = await messaging.create()
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        async with messaging.working(messaging.worker(server=server)):
            await until(lambda: messaging.is_now(new.message_id, "completed"))
    about = [line for line in lines if line["event"].startswith("message.")]
    assert [line["event"] for line in about] == ["message.completed"]
    assert {line["correlation_id"] for line in about} == {"corr-7"}
    assert {line["message_id"] for line in about} == {new.message_id}


async def test_alerts_have_a_queue_of_their_own(messaging: Messaging, server: NtfyServer):
    new = await messaging.create(message_type="alert_notification", priority="critical")
    assert (await messaging.waiting(), await messaging.waiting(ALERTS)) == (0, 1)
    async with messaging.working(messaging.worker(queue=ALERTS, server=server)):
        await until(lambda: messaging.is_now(new.message_id, "completed"))
    assert server.published[0]["priority"] == 5


async def test_a_stop_in_the_moment_of_marking_still_marks(messaging: Messaging, server: NtfyServer):
    new = await messaging.create()
    server.may_answer.clear()
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: len(server.published) == 1)
        asyncio.get_running_loop().call_soon(server.may_answer.set)  # after the stop
    assert (await messaging.get(new.message_id)).status == "completed"


async def test_an_unknown_message_is_a_dead_letter(messaging: Messaging, server: NtfyServer):
    await messaging.create()
    (received,) = await messaging.bus.receive(QUEUE, wait_s=20)
    event = Delivery(received, messaging.bus, messaging.database).payload()
    event["message"]["message_id"] = "660e9500-g49d-no-such"
    await messaging.bus.purge(QUEUE)
    async with messaging.database.transaction() as tx:
        await messaging.bus.send(tx, QUEUE, QueueMessage(json.dumps(event)))
    async with messaging.working(messaging.worker(server=server)):
        await until(lambda: _has_dead(messaging))
    assert "no message 660e9500-g49d-no-such" in (await messaging.dead())[0]


async def _is_completed(messaging: Messaging, message_id: str) -> bool:
    return (await messaging.get(message_id)).status == "completed"


async def _has_dead(messaging: Messaging) -> bool:
    return bool(await messaging.dead())
