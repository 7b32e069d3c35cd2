"""Thousands of messages over the AWS endpoint while the whole platform, its database included, is killed again and again."""

import asyncio
import os
import random
import socket
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from support.aws_calls import AwsClients
from support.platform_process import kill, up

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SIGHTLINETEST_SOAK"), reason="a long run; make soak"),
    pytest.mark.time_limit(1800),
]

GROUPS, PER_GROUP = 20, 250
STANDARD = 5000
KILLS = 6
VISIBILITY_S = 5


class Traffic:
    """Producers and consumers that go on whatever happens to the server, and what they were told."""

    def __init__(self, aws: AwsClients) -> None:
        self.aws = aws
        self.accepted: set[str] = set()
        self.seen: dict[str, int] = defaultdict(int)
        self.first_seen: dict[str, list[int]] = defaultdict(list)

    async def persist(self, call: Callable[[], Awaitable[Any]]) -> Any:
        """Repeats the call until the server answers it."""
        while True:
            with suppress(BotoCoreError, ClientError):
                return await call()
            await asyncio.sleep(0.05)

    async def produce(self, url: str, group: str | None, count: int) -> None:
        for start in range(0, count, 10):
            names = [f"{group or 'standard'}:{number}" for number in range(start, start + 10)]
            fifo = {} if group is None else {"MessageGroupId": group}
            entries = [
                {"Id": str(index), "MessageBody": name, **fifo, **({"MessageDeduplicationId": name} if group else {})}
                for index, name in enumerate(names)
            ]
            answer = await self.persist(
                partial(self.aws.call, "sqs", "send_message_batch", QueueUrl=url, Entries=entries)
            )
            assert not answer.get("Failed"), answer["Failed"]
            self.accepted |= set(names)

    async def consume(self, url: str, done: asyncio.Event) -> None:
        while not done.is_set():
            received = await self.persist(
                lambda: self.aws.call(
                    "sqs",
                    "receive_message",
                    QueueUrl=url,
                    MaxNumberOfMessages=10,
                    WaitTimeSeconds=1,
                    VisibilityTimeout=VISIBILITY_S,
                )
            )
            messages = received.get("Messages", [])
            for message in messages:
                name = message["Body"]
                self.seen[name] += 1
                if self.seen[name] == 1:
                    group, _, number = name.partition(":")
                    self.first_seen[group].append(int(number))
            if messages:
                entries = [{"Id": str(i), "ReceiptHandle": one["ReceiptHandle"]} for i, one in enumerate(messages)]
                with suppress(BotoCoreError, ClientError):  # what is not deleted comes again
                    await self.aws.call("sqs", "delete_message_batch", QueueUrl=url, Entries=entries)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.mark.req(478)
async def test_ten_thousand_messages_survive_kills_of_the_whole_platform(tmp_path: Path):
    state, port = tmp_path / "state", str(free_port())
    aws = AwsClients(f"http://127.0.0.1:{port}")
    traffic, done = Traffic(aws), asyncio.Event()
    chance = random.Random(18)

    async def keep_serving(queues_made: asyncio.Event, until: asyncio.Event) -> None:
        for number in range(KILLS + 1):
            async with up(state, "--port", port) as running:
                if number == 0:
                    await aws.call("sqs", "create_queue", QueueName="plain")
                    await aws.call("sqs", "create_queue", QueueName="ordered.fifo", Attributes={"FifoQueue": "true"})
                    queues_made.set()
                if number == KILLS:
                    await until.wait()
                    return
                await asyncio.sleep(chance.uniform(2, 5))
                kill(running.tree())

    made, served = asyncio.Event(), asyncio.Event()
    server = asyncio.create_task(keep_serving(made, served))
    await made.wait()
    base = f"{aws.address}/000000000000"
    producing = [
        traffic.produce(f"{base}/plain", None, STANDARD),
        *(traffic.produce(f"{base}/ordered.fifo", f"g{number}", PER_GROUP) for number in range(GROUPS)),
    ]
    consuming = [
        asyncio.create_task(traffic.consume(f"{base}/{name}", done)) for name in ("plain",) * 3 + ("ordered.fifo",) * 3
    ]
    await asyncio.gather(*producing)
    expected = STANDARD + GROUPS * PER_GROUP
    assert len(traffic.accepted) == expected
    while len(traffic.seen) < expected:
        assert not server.done()
        await asyncio.sleep(0.5)
    done.set()
    served.set()
    await asyncio.gather(server, *consuming)
    assert set(traffic.seen) == traffic.accepted
    for group, numbers in traffic.first_seen.items():
        if group != "standard":
            assert numbers == sorted(numbers), f"out of order in {group}"
    print(f"{expected} messages, {KILLS} kills, {sum(traffic.seen.values()) - expected} received again")
