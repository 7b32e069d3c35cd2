"""Schedules as EventBridge Scheduler keeps them: always what our table says, whoever else was at work there."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import pytest
import structlog

from conformance.aws_backend import serving
from sightline.errors import BackendUnavailable
from sightline.messages import NotificationRequest
from sightline.messages.schedules import store
from sightline.messages.schedules.eventbridge_client import open_eventbridge_scheduler
from sightline.messages.schedules.eventbridge_clock import EventBridgeClock
from sightline.messages.schedules.scheduler import first_tick
from sightline.supervisor import Every
from sightline.timing import Backoff
from support import emulators
from support.gate import Gate
from support.messaging import OWNER, Messaging
from support.waiting import until

QUEUE_ARN = "arn:aws:sqs:us-east-1:000000000000:rez-agent-schedule-queue-dev"
ROLE_ARN = "arn:aws:iam::000000000000:role/calls-sightline"

_groups = count(1)


class Scheduler:
    """EventBridge Scheduler of an emulator, in a group of the test's own, behind a gate."""

    def __init__(self, client: Any, gate: Gate, messaging: Messaging) -> None:
        self.client = client
        self.gate = gate
        self.group = f"test-{os.getpid()}-{next(_groups)}"
        self.messaging = messaging

    def clock(self, **options: Any) -> EventBridgeClock:
        return EventBridgeClock(
            self.client,
            self.messaging.database,
            group=self.group,
            queue_arn=QUEUE_ARN,
            role_arn=ROLE_ARN,
            **options,
        )

    async def add(self, expression: str, name: str = "s", zone: str = "UTC") -> store.Schedule:
        now = datetime.now(UTC)
        async with self.messaging.database.transaction() as tx:
            made = await store.add(
                tx,
                name=name,
                expression=expression,
                zone=zone,
                message_type="x",
                payload={},
                notification=NotificationRequest(),
                owner_id=OWNER,
                anchor=now,
                next_tick=first_tick(expression, zone, now=now),
            )
        assert made is not None
        return made

    async def kept(self, schedule: store.Schedule) -> dict[str, Any]:
        found: dict[str, Any] = await self.client.get_schedule(Name=str(schedule.schedule_id), GroupName=self.group)
        return found

    async def names(self) -> set[str]:
        return {one["Name"] for one in (await self.client.list_schedules(GroupName=self.group))["Schedules"]}


@pytest.fixture(params=["ministack", "moto"])
async def scheduler(request: pytest.FixtureRequest, messaging: Messaging) -> AsyncIterator[Scheduler]:
    emulator = emulators.shared(request.param)
    gate = Gate(urlsplit(emulator.endpoint).port or 0)
    await gate.open()
    async with open_eventbridge_scheduler(emulator.settings(endpoint=gate.endpoint)) as client:
        yield Scheduler(client, gate, messaging)
    await gate.close()


@pytest.mark.req(186)
async def test_each_schedule_is_kept_with_its_zone_and_calls_our_queue(scheduler: Scheduler):
    made = await scheduler.add("cron(0 9 ? * MON-FRI *)", zone="America/Sao_Paulo")
    await scheduler.clock().mirror()
    kept = await scheduler.kept(made)
    assert (kept["ScheduleExpression"], kept["ScheduleExpressionTimezone"], kept["State"]) == (
        "cron(0 9 ? * MON-FRI *)",
        "America/Sao_Paulo",
        "ENABLED",
    )
    assert kept["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert (kept["Target"]["Arn"], kept["Target"]["RoleArn"]) == (QUEUE_ARN, ROLE_ARN)
    assert json.loads(kept["Target"]["Input"]) == {
        "schedule_id": str(made.schedule_id),
        "scheduled_time": "<aws.scheduler.scheduled-time>",
    }


async def test_a_rate_counts_from_where_ours_does(scheduler: Scheduler):
    made = await scheduler.add("rate(2 hours)")
    assert made.next_tick is not None
    await scheduler.clock().mirror()
    begins = (await scheduler.kept(made))["StartDate"]
    assert timedelta() <= begins - made.next_tick < timedelta(seconds=1)


@pytest.mark.req(186)
async def test_pause_resume_and_delete_are_followed(scheduler: Scheduler):
    made = await scheduler.add("rate(1 hour)")
    clock = scheduler.clock()
    await clock.mirror()
    async with scheduler.messaging.database.transaction() as tx:
        assert await store.pause(tx, made.schedule_id)
    await clock.mirror()
    assert (await scheduler.kept(made))["State"] == "DISABLED"
    async with scheduler.messaging.database.transaction() as tx:
        assert await store.resume(tx, made.schedule_id, next_tick=made.ticks.next_after(datetime.now(UTC)))
    await clock.mirror()
    assert (await scheduler.kept(made))["State"] == "ENABLED"
    async with scheduler.messaging.database.transaction() as tx:
        assert await store.remove(tx, made.schedule_id)
    await clock.mirror()
    assert await scheduler.names() == set()


async def test_one_that_has_no_tick_any_more_is_removed(scheduler: Scheduler):
    made = await scheduler.add("at(2199-01-01T00:00:00)")
    clock = scheduler.clock()
    await clock.mirror()
    assert await scheduler.names() == {str(made.schedule_id)}
    async with scheduler.messaging.database.transaction() as tx:
        await store.moved_on(tx, made, tick=datetime.now(UTC), next_tick=None)
    await clock.mirror()
    assert await scheduler.names() == set()


async def test_what_did_not_change_is_not_said_again(scheduler: Scheduler):
    await scheduler.add("rate(1 hour)")
    clock = scheduler.clock()
    await clock.mirror()
    before = len(scheduler.gate.seen)
    await clock.mirror()
    assert len(scheduler.gate.seen) == before


async def test_a_new_process_mends_what_another_hand_did(scheduler: Scheduler):
    kept, lost = await scheduler.add("rate(1 hour)", "kept"), await scheduler.add("rate(1 hour)", "lost")
    await scheduler.clock().mirror()
    await scheduler.client.delete_schedule(Name=str(lost.schedule_id), GroupName=scheduler.group)
    left_over = {**await scheduler.kept(kept), "Name": "left-over"}
    wanted = ("Name", "GroupName", "ScheduleExpression", "FlexibleTimeWindow", "Target")
    await scheduler.client.create_schedule(**{name: left_over[name] for name in wanted})
    changed = {**left_over, "Name": str(kept.schedule_id), "ScheduleExpression": "rate(9 hours)"}
    await scheduler.client.update_schedule(**{name: changed[name] for name in wanted})
    await scheduler.clock().mirror()
    assert await scheduler.names() == {str(kept.schedule_id), str(lost.schedule_id)}
    assert (await scheduler.kept(kept))["ScheduleExpression"] == "rate(1 hour)"


async def test_many_clocks_at_once_agree(scheduler: Scheduler):
    made = [await scheduler.add("rate(1 hour)", f"s{number}") for number in range(4)]
    clocks = [scheduler.clock() for _ in range(3)]
    for _ in range(2):  # one that was beaten to it says so, and looks again
        await asyncio.gather(*(clock.mirror() for clock in clocks), return_exceptions=True)
    await clocks[0].mirror()
    assert await scheduler.names() == {str(one.schedule_id) for one in made}


async def test_one_that_is_refused_keeps_no_other_back(scheduler: Scheduler):
    refused, taken = await scheduler.add("rate(1 hour)", "refused"), await scheduler.add("rate(1 hour)", "taken")

    def decide(head: str, _: bytes) -> Any:
        if str(refused.schedule_id) in head:
            return 400, json.dumps({"__type": "ValidationException", "Message": "not this one"}).encode()
        return "pass"

    scheduler.gate.decide = decide
    clock = scheduler.clock()
    with structlog.testing.capture_logs() as lines:
        await clock.mirror()
        await clock.mirror()
    assert await scheduler.names() == {str(taken.schedule_id)}
    told = [line for line in lines if line["event"] == "message_clock.refused"]
    assert [(line["schedule"], "not this one" in line["error"]) for line in told] == [("refused", True)]


async def test_it_catches_up_when_eventbridge_is_back(scheduler: Scheduler):
    made = await scheduler.add("rate(1 hour)")
    scheduler.gate.decide = lambda head, body: (503, b'{"__type": "ServiceUnavailable", "Message": "away"}')
    clock = scheduler.clock()
    with pytest.raises(BackendUnavailable, match="away"):
        await clock.mirror()
    with structlog.testing.capture_logs() as lines:
        async with serving(Every("message-clock", 0.02, clock.mirror, backoff=Backoff(first_s=0.02, max_s=0.02))):
            await until(lambda: any(line["event"] == "message_clock.failed" for line in lines))
            scheduler.gate.decide = lambda head, body: "pass"
            await until(lambda: any(line["event"] == "message_clock.changed" for line in lines))
    assert await scheduler.names() == {str(made.schedule_id)}
