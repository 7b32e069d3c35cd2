"""The bus against AWS emulators over HTTP: publish → filtered fan-out to three queues → received and deleted.

.venv/bin/python benchmarks/bus_peers.py [--quick] [--json]
"""

import asyncio
import json
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from aiobotocore.session import get_session

import bus as ours
from harness import Result, main, postgres

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from support import emulators

BATCH = 10  # what SNS and SQS take in one call
WORKERS = 4


async def fan_out(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    notes: list[str] = [
        "emulators: calls of ten, which is what their API allows, by four workers; the backend: batches of 500"
    ]
    for name in ("ministack", "moto"):
        with tempfile.TemporaryDirectory() as directory:
            try:
                with emulators.running(name, Path(directory)) as emulator:
                    figures[f"{name} over HTTP"] = await _emulator_rate(emulator.endpoint, 200 if is_quick else 1_000)
            except RuntimeError as error:
                notes.append(f"{name} did not start: {error}")
    messages = 4_000 if is_quick else 40_000
    async with postgres() as server, AsyncExitStack() as stack:
        database = await ours.connect(server, stack)
        bus = await ours.start_bus(server, database, stack)
        rates = [
            await ours.measure_rate(messages, ours.publishing(bus, database), ours.consuming(bus, database))
            for _ in range(2)
        ]
    best = max(rates)
    ratios = {f"embedded backend / {name}": best / rate for name, rate in figures.items()}
    return Result("fan-out to 3 of 4 queues", {"embedded backend": best, **figures}, "messages/s", ratios, notes)


async def _emulator_rate(endpoint: str, messages: int) -> float:
    options = {
        "region_name": "us-east-1",
        "endpoint_url": endpoint,
        "aws_access_key_id": "test",
        "aws_secret_access_key": "test",
    }
    session = get_session()
    async with session.create_client("sns", **options) as sns, session.create_client("sqs", **options) as sqs:
        topic = (await sns.create_topic(Name="events"))["TopicArn"]
        urls = []
        for subscription in ours.TOPOLOGY.subscriptions:
            url = (await sqs.create_queue(QueueName=subscription.queue))["QueueUrl"]
            attributes = await sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
            await sns.subscribe(
                TopicArn=topic,
                Protocol="sqs",
                Endpoint=attributes["Attributes"]["QueueArn"],
                Attributes={"FilterPolicy": json.dumps(subscription.filter_policy)}
                if subscription.filter_policy
                else {},
            )
            urls.append(url)
        started = time.perf_counter()
        await asyncio.gather(
            *(_publish(sns, topic, messages // WORKERS) for _ in range(WORKERS)),
            *(_drain(sqs, url, messages) for url in urls[:3]),
        )
        return messages / (time.perf_counter() - started)


async def _publish(sns: Any, topic: str, messages: int) -> None:
    attributes = {name: {"DataType": one.data_type, "StringValue": one.value} for name, one in ours.ATTRIBUTES.items()}
    for _ in range(messages // BATCH):
        entries = [{"Id": str(n), "Message": ours.BODY, "MessageAttributes": attributes} for n in range(BATCH)]
        await sns.publish_batch(TopicArn=topic, PublishBatchRequestEntries=entries)


async def _drain(sqs: Any, url: str, messages: int) -> None:
    empty = 0
    while messages > 0 and empty < 5:  # emulators are known to lose some
        answer = await sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=BATCH, WaitTimeSeconds=1)
        found = answer.get("Messages", [])
        if found:
            entries = [{"Id": str(n), "ReceiptHandle": one["ReceiptHandle"]} for n, one in enumerate(found)]
            await sqs.delete_message_batch(QueueUrl=url, Entries=entries)
        messages -= len(found)
        empty = 0 if found else empty + 1


if __name__ == "__main__":
    main(__doc__ or "", {"peers": fan_out})
