"""EventBridge Scheduler over the AWS endpoint: schedules, groups, and what they call."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sightline.bootstrap import Platform
from sightline.bus import PostgresBus
from sightline.bus.scheduler.clock import BusClock
from sightline.timing import utc_now
from support.aws_calls import aws_clients
from support.event_rig import ACCOUNT, Events, arn, delivering, error_of

ROLE = f"arn:aws:iam::{ACCOUNT}:role/scheduler"
OFF = {"Mode": "OFF"}


@pytest.fixture
async def events(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield Events(clients)


class Schedules:
    """`await schedules("get_schedule", Name="s")`; `create` fills in what every schedule needs."""

    def __init__(self, events: Events, platform: Platform) -> None:
        self._events = events
        self._platform = platform

    async def __call__(self, action: str, **parameters: Any) -> dict[str, Any]:
        return await self._events.aws.call("scheduler", action, **parameters)

    async def create(self, name: str, expression: str, target: dict[str, Any], **more: Any) -> str:
        given = {"FlexibleTimeWindow": OFF, "Target": {"RoleArn": ROLE, **target}, **more}
        made = await self("create_schedule", Name=name, ScheduleExpression=expression, **given)
        found: str = made["ScheduleArn"]
        return found

    async def run_at(self, at: datetime, chance: float = 0.0, clocks: int = 1) -> None:
        """What the clocks of several processes do at a time."""
        bus, registry = self._platform.bus, self._platform.open_bus.registry
        assert isinstance(bus, PostgresBus)
        assert registry is not None
        made = [
            BusClock(bus, self._platform.database, registry, clock=lambda: at, chance=lambda: chance)
            for _ in range(clocks)
        ]
        await asyncio.gather(*(one.run_due() for one in made))


@pytest.fixture
def schedules(events: Events, platform: Platform) -> Schedules:
    return Schedules(events, platform)


@pytest.mark.req(499)
async def test_the_life_of_a_schedule_and_its_group(events: Events, schedules: Schedules):
    queue = await events.queue("q")
    made = await schedules("create_schedule_group", Name="team", Tags=[{"Key": "a", "Value": "b"}])
    group = made["ScheduleGroupArn"]
    assert group == arn("scheduler", "schedule-group/team")
    end = (utc_now() + timedelta(days=400)).replace(microsecond=0)
    target = {"Arn": queue, "Input": "hello", "RetryPolicy": {"MaximumRetryAttempts": 3}}
    window = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 15}
    created = await schedules.create(
        "nightly",
        "cron(0 2 * * ? *)",
        target,
        GroupName="team",
        ScheduleExpressionTimezone="Europe/Berlin",
        FlexibleTimeWindow=window,
        EndDate=end,
        Description="d",
    )
    assert created == arn("scheduler", "schedule/team/nightly")
    found = await schedules("get_schedule", Name="nightly", GroupName="team")
    assert found["Arn"] == created
    assert found["EndDate"].timestamp() == end.timestamp()
    assert (found["State"], found["FlexibleTimeWindow"], found["ActionAfterCompletion"]) == ("ENABLED", window, "NONE")
    assert found["Target"]["RetryPolicy"] == {"MaximumRetryAttempts": 3, "MaximumEventAgeInSeconds": 86_400}
    await schedules(
        "update_schedule",
        Name="nightly",
        GroupName="team",
        ScheduleExpression="rate(1 hour)",
        FlexibleTimeWindow=OFF,
        Target={"Arn": queue, "RoleArn": ROLE},
        State="DISABLED",
    )
    changed = await schedules("get_schedule", Name="nightly", GroupName="team")
    assert (changed["State"], changed["ScheduleExpression"], "EndDate" in changed) == (
        "DISABLED",
        "rate(1 hour)",
        False,
    )
    await schedules.create("other", "rate(2 days)", {"Arn": queue})
    listed = (await schedules("list_schedules"))["Schedules"]
    assert [(one["GroupName"], one["Name"]) for one in listed] == [("default", "other"), ("team", "nightly")]
    first = await schedules("list_schedules", MaxResults=1)
    rest = await schedules("list_schedules", MaxResults=1, NextToken=first["NextToken"])
    assert [one["Name"] for one in (*first["Schedules"], *rest["Schedules"])] == ["other", "nightly"]
    for filters in ({"GroupName": "team"}, {"NamePrefix": "night"}, {"State": "DISABLED"}):
        assert [one["Name"] for one in (await schedules("list_schedules", **filters))["Schedules"]] == ["nightly"]
    await schedules("tag_resource", ResourceArn=group, Tags=[{"Key": "c", "Value": "d"}])
    await schedules("untag_resource", ResourceArn=group, TagKeys=["a"])
    assert (await schedules("list_tags_for_resource", ResourceArn=group))["Tags"] == [{"Key": "c", "Value": "d"}]
    groups = (await schedules("list_schedule_groups"))["ScheduleGroups"]
    assert [(one["Name"], one["State"]) for one in groups] == [("default", "ACTIVE"), ("team", "ACTIVE")]
    await schedules("delete_schedule_group", Name="team")
    assert (await error_of(schedules("get_schedule", Name="nightly", GroupName="team")))[0] == (
        "ResourceNotFoundException"
    )
    await schedules("delete_schedule", Name="other")
    assert await error_of(schedules("delete_schedule", Name="other")) == (
        "ResourceNotFoundException",
        "Schedule other does not exist.",
    )


@pytest.mark.req(499)
async def test_a_repeated_request_with_the_same_token_creates_nothing_new(events: Events, schedules: Schedules):
    queue = await events.queue("q")
    given: dict[str, Any] = {"target": {"Arn": queue}, "ClientToken": "t-1"}
    assert await schedules.create("s", "rate(1 day)", **given) == await schedules.create("s", "rate(1 day)", **given)
    for expression, token in (("rate(2 days)", "t-1"), ("rate(1 day)", "t-2")):
        code, message = await error_of(schedules.create("s", expression, {"Arn": queue}, ClientToken=token))
        assert (code, message) == ("ConflictException", "Schedule s already exists.")
    first = await schedules("create_schedule_group", Name="g", ClientToken="t-1")
    assert (await schedules("create_schedule_group", Name="g", ClientToken="t-1"))["ScheduleGroupArn"] == (
        first["ScheduleGroupArn"]
    )
    assert (await error_of(schedules("create_schedule_group", Name="g", ClientToken="t-2")))[0] == "ConflictException"


@pytest.mark.req(500)
async def test_a_schedule_fires_once_for_each_time_in_all_processes(events: Events, schedules: Schedules):
    queue = await events.queue("q")
    start = (utc_now() + timedelta(hours=1)).replace(microsecond=0)
    told = {
        "arn": "<aws.scheduler.schedule-arn>",
        "time": "<aws.scheduler.scheduled-time>",
        "id": "<aws.scheduler.execution-id>",
        "attempt": "<aws.scheduler.attempt-number>",
    }
    made = await schedules.create(
        "s",
        "rate(10 minutes)",
        {"Arn": queue, "Input": json.dumps(told)},
        StartDate=start,
        EndDate=start + timedelta(minutes=35),
    )
    await schedules.run_at(start - timedelta(seconds=1))
    assert await events.bodies("q") == []
    await schedules.run_at(start + timedelta(seconds=1), clocks=4)
    (body,) = await events.bodies("q")
    assert (body["arn"], body["attempt"]) == (made, "1")
    assert body["time"] == start.strftime("%Y-%m-%dT%H:%M:%SZ")
    await schedules.run_at(start + timedelta(minutes=25))  # after a downtime, the last missed time alone
    (late,) = await events.bodies("q")
    assert late["time"] == (start + timedelta(minutes=20)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert late["id"] != body["id"]
    await schedules.run_at(start + timedelta(days=1))
    (last,) = await events.bodies("q")
    assert last["time"] == (start + timedelta(minutes=30)).strftime("%Y-%m-%dT%H:%M:%SZ")
    await schedules.run_at(start + timedelta(days=2))
    assert await events.bodies("q") == []
    assert (await schedules("get_schedule", Name="s"))["State"] == "ENABLED"


@pytest.mark.req(500)
async def test_a_time_of_a_zone_a_window_and_deletion_after_completion(events: Events, schedules: Schedules):
    queue = await events.queue("q")
    target = {"Arn": queue}
    once = {"ActionAfterCompletion": "DELETE", "ScheduleExpressionTimezone": "America/New_York"}
    await schedules.create("once", "at(2199-07-01T12:00:00)", target, **once)
    window = {"FlexibleTimeWindow": {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 60}}
    await schedules.create("window", "at(2199-07-02T12:00:00)", target, **window)
    noon = datetime(2199, 7, 1, 16, tzinfo=UTC)  # summer time of New York
    await schedules.run_at(noon - timedelta(seconds=1))
    assert await events.bodies("q") == []
    await schedules.run_at(noon)
    (body,) = await events.bodies("q")
    assert (body["time"], body["resources"]) == ("2199-07-01T16:00:00Z", [arn("scheduler", "schedule/default/once")])
    assert (await error_of(schedules("get_schedule", Name="once")))[0] == "ResourceNotFoundException"
    await schedules.run_at(datetime(2199, 7, 2, 13, tzinfo=UTC))
    assert [one["time"] for one in await events.bodies("q")] == ["2199-07-02T12:00:00Z"]
    assert await schedules("get_schedule", Name="window")


@pytest.mark.req(501)
async def test_schedules_call_topics_event_buses_fifo_queues_and_actions(
    events: Events, schedules: Schedules, platform: Platform
):
    plain = await events.queue("plain")
    fifo = await events.queue("ordered.fifo", FifoQueue="true", ContentBasedDeduplication="true")
    topic = (await events.aws.call("sns", "create_topic", Name="news"))["TopicArn"]
    await events.aws.call(
        "sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=plain, Attributes={"RawMessageDelivery": "true"}
    )
    await events.rule("shop", {"source": ["shop"]}, {"Arn": plain, "InputPath": "$.detail"})
    bus = {"Arn": arn("events", "event-bus/default"), "EventBridgeParameters": {"Source": "shop", "DetailType": "D"}}
    universal = "arn:aws:scheduler:::aws-sdk"
    url = f"{events.aws.address}/{ACCOUNT}/plain"
    entry = {"Source": "shop", "DetailType": "D", "Detail": '{"n":5}'}
    dead = {"DeadLetterConfig": {"Arn": await events.queue("dead")}}
    targets: dict[str, dict[str, Any]] = {
        "topic": {"Arn": topic, "Input": '{"n":1}'},
        "bus": {**bus, "Input": '{"n":2}'},
        "send": {
            "Arn": f"{universal}:sqs:sendMessage",
            "Input": json.dumps({"QueueUrl": url, "MessageBody": '{"n":3}'}),
        },
        "publish": {"Arn": f"{universal}:sns:publish", "Input": json.dumps({"TopicArn": topic, "Message": '{"n":4}'})},
        "put": {"Arn": f"{universal}:eventbridge:putEvents", "Input": json.dumps({"Entries": [entry]})},
        "fifo": {"Arn": fifo, "Input": "x", "SqsParameters": {"MessageGroupId": "g"}},
        "gone": {"Arn": arn("sqs", "gone"), "Input": "x", **dead},
        "wrong": {"Arn": f"{universal}:sqs:sendMessage", "Input": '{"MessageBody": "x"}', **dead},
    }
    for name, target in targets.items():
        await schedules.create(name, "rate(1 day)", target)
    async with delivering(platform):
        await schedules.run_at(utc_now())
        assert sorted(one["n"] for one in await events.bodies("plain")) == [1, 2, 3, 4, 5]
        (ordered,) = await events.received("ordered.fifo", MessageSystemAttributeNames=["All"])
        assert ordered["Attributes"]["MessageGroupId"] == "g"
        told = {}
        for _ in range(2):
            letter = await events.arrival("dead", MessageAttributeNames=["All"])
            attributes = {key: value["StringValue"] for key, value in letter["MessageAttributes"].items()}
            told[attributes["SCHEDULE_ARN"].rpartition("/")[2]] = attributes["ERROR_CODE"]
            assert attributes["EXECUTION_ID"]
        assert told == {"gone": "NO_RESOURCE", "wrong": "INVALID_PARAMETER"}


@pytest.mark.req(499)
async def test_what_scheduler_refuses_is_refused_in_its_words(events: Events, schedules: Schedules):
    queue = arn("sqs", "q")
    past = utc_now() - timedelta(hours=1)
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("rate(10 seconds)", {}, "Invalid Schedule Expression rate(10 seconds)."),
        (" rate(10 minutes)", {}, "Invalid Schedule Expression  rate(10 minutes)."),
        ("at(2021-12-31T23:59:59Z)", {}, "Invalid Schedule Expression at(2021-12-31T23:59:59Z)."),
        ("rate(1 day)", {"ScheduleExpressionTimezone": "Mars/Olympus"}, "ScheduleExpressionTimezone is not valid"),
        ("rate(1 day)", {"StartDate": past}, "cannot be earlier than 5 minutes ago"),
        ("rate(1 day)", {"EndDate": past}, "must be in the future"),
        ("rate(1 day)", {"FlexibleTimeWindow": {"Mode": "FLEXIBLE"}}, "MaximumWindowInMinutes must be specified"),
        ("rate(1 day)", {"Target": {"Arn": "queue", "RoleArn": ROLE}}, "Provided Arn is not in correct format."),
        ("rate(1 day)", {"Target": {"Arn": queue, "RoleArn": "me"}}, "'target.roleArn' failed to satisfy constraint"),
        ("rate(1 day)", {"State": "PAUSED"}, "Member must satisfy enum value set: [ENABLED, DISABLED]"),
    ]
    for expression, more, message in cases:
        code, text = await error_of(schedules.create("s", expression, {"Arn": queue}, **more))
        assert code == "ValidationException", (expression, more)
        assert message in text
    assert (await error_of(schedules.create("s", "rate(1 day)", {"Arn": queue}, GroupName="none"))) == (
        "ResourceNotFoundException",
        "Schedule group none does not exist.",
    )
    assert (await error_of(schedules("delete_schedule_group", Name="default")))[0] == "ValidationException"
