"""Schedules and scheduled rules that say in their messages who calls and for which time, for tests that kill the clock."""

import json
from datetime import datetime
from typing import Any

import asyncpg

from support.event_rig import ACCOUNT, Events, arn

TO_PLAIN = {"Arn": arn("sqs", "plain")}
TO_FIFO = {"Arn": arn("sqs", "ordered.fifo"), "SqsParameters": {"MessageGroupId": "g"}}
TO_TOPIC = {"Arn": arn("sns", "news")}
QUEUES = ("plain", "ordered.fifo", "from-topic")


async def make_targets(events: Events) -> None:
    await events.queue("plain")
    await events.queue("ordered.fifo", FifoQueue="true")
    subscribed = await events.queue("from-topic")
    topic = (await events.aws.call("sns", "create_topic", Name="news"))["TopicArn"]
    raw = {"RawMessageDelivery": "true"}
    await events.aws.call("sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=subscribed, Attributes=raw)


async def schedule(events: Events, name: str, expression: str, target: dict[str, Any], **more: Any) -> None:
    told = json.dumps({"who": name, "at": "<aws.scheduler.scheduled-time>"})
    await events.aws.call(
        "scheduler",
        "create_schedule",
        Name=name,
        ScheduleExpression=expression,
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={**target, "Input": told, "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/scheduler"},
        **more,
    )


async def scheduled_rule(events: Events, name: str, expression: str, target: dict[str, Any]) -> None:
    await events("put_rule", Name=name, ScheduleExpression=expression)
    await events("put_targets", Rule=name, Targets=[{"Id": "t", **target}])


async def received(events: Events) -> dict[str, list[tuple[str, str]]]:
    """Who called each queue and for which time, in the order of the queue, until it is empty."""
    found: dict[str, list[tuple[str, str]]] = {queue: [] for queue in QUEUES}
    for queue, calls in found.items():
        while batch := await events.bodies(queue):
            calls.extend(map(_named, batch))
    return found


def _named(body: dict[str, Any]) -> tuple[str, str]:
    if "who" in body:
        return body["who"], body["at"]
    return body["resources"][0].rpartition("/")[2], body["time"]


async def due(connection: asyncpg.Connection, at: datetime) -> int:
    """How many schedules and rules are due and not yet called for."""
    found: int = await connection.fetchval(
        "SELECT (SELECT count(*) FROM sightline.bus_schedules WHERE fires_at <= $1)"
        " + (SELECT count(*) FROM sightline.bus_rule_clocks WHERE next_tick <= $1)",
        at,
    )
    return found
