"""Event buses, rules and queues over the AWS endpoint, for tests of EventBridge and Scheduler."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from botocore.exceptions import ClientError

from sightline.bootstrap import Platform
from sightline.queue_consumers import endpoint_deliveries
from support.aws_calls import AwsClients
from support.waiting import soon, until

ACCOUNT = "000000000000"


def arn(service: str, resource: str, account: str = ACCOUNT) -> str:
    return f"arn:aws:{service}:us-east-1:{account}:{resource}"


async def error_of(awaitable: Any) -> tuple[str, str]:
    with pytest.raises(ClientError) as caught:
        await awaitable
    error = caught.value.response["Error"]
    return error["Code"], error["Message"]


class Events:
    """`await events("put_rule", Name="r")`; queues are made by name."""

    def __init__(self, aws: AwsClients) -> None:
        self.aws = aws

    async def __call__(self, action: str, **parameters: Any) -> dict[str, Any]:
        return await self.aws.call("events", action, **parameters)

    async def queue(self, name: str, **attributes: str) -> str:
        """The ARN of a new queue."""
        await self.aws.call("sqs", "create_queue", QueueName=name, Attributes=attributes)
        return arn("sqs", name)

    async def rule(self, name: str, pattern: dict[str, Any], *targets: dict[str, Any], bus: str = "default") -> str:
        made = await self("put_rule", Name=name, EventBusName=bus, EventPattern=json.dumps(pattern))
        if targets:
            given = [{"Id": str(number), **target} for number, target in enumerate(targets)]
            await self("put_targets", Rule=name, EventBusName=bus, Targets=given)
        found: str = made["RuleArn"]
        return found

    async def put(self, detail: dict[str, Any], *, bus: str = "default", source: str = "shop", **more: Any) -> str:
        entry = {"Source": source, "DetailType": "Order", "Detail": json.dumps(detail), "EventBusName": bus, **more}
        result = await self("put_events", Entries=[entry])
        assert result["FailedEntryCount"] == 0, result
        found: str = result["Entries"][0]["EventId"]
        return found

    async def received(self, queue: str, **parameters: Any) -> list[dict[str, Any]]:
        """What is in the queue now; it is deleted."""
        url = f"{self.aws.address}/{ACCOUNT}/{queue}"
        found = await self.aws.call(
            "sqs", "receive_message", **{"QueueUrl": url, "MaxNumberOfMessages": 10, **parameters}
        )
        messages: list[dict[str, Any]] = found.get("Messages", [])
        for one in messages:
            await self.aws.call("sqs", "delete_message", QueueUrl=url, ReceiptHandle=one["ReceiptHandle"])
        return messages

    async def bodies(self, queue: str) -> list[Any]:
        return [json.loads(one["Body"]) for one in await self.received(queue)]

    async def arrival(self, queue: str, **parameters: Any) -> dict[str, Any]:
        """The next message, waited for."""

        messages: list[dict[str, Any]] = []

        async def has_arrived() -> bool:
            messages.extend(await self.received(queue, MaxNumberOfMessages=1, **parameters))
            return bool(messages)

        await until(has_arrived)
        return messages[0]


@asynccontextmanager
async def delivering(platform: Platform) -> AsyncIterator[None]:
    """Works off deliveries to everything but queues."""
    (consumer,) = endpoint_deliveries(platform)
    stop, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(consumer.run(stop, ready.set))
    await soon(ready.wait())
    try:
        yield
    finally:
        stop.set()
        await running
