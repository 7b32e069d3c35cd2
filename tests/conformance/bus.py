"""What every keeper of the bus has to do. A keeper's test module names the keeper; the promises are tested here once."""

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

from sightline.bus.bus import Bus
from sightline.bus.message import QueueMessage, Received
from sightline.bus.topology import Queue, Rule, Subscription, Topology
from sightline.db import Database, Transaction
from support.waiting import until

CLIP, DONE = "bjj_event_detected", "analysis_complete"
CATEGORIES = [{"exists": False}, "SUBMISSION_OFFENSE", "STANDUP_GAME"]


class Places:
    """Queues and topics of one test's own, with times short enough to wait for."""

    def __init__(self) -> None:
        own = secrets.token_hex(4)
        self.work = f"work-{own}"  # has a dead-letter queue
        self.plain = f"plain-{own}"  # has none
        self.late = f"late-{own}"  # delays
        self.news = f"news-{own}"  # a topic, and its subscribers:
        self.wrapped = f"wrapped-{own}"
        self.raw = f"raw-{own}"
        self.clips = f"clips-{own}"
        self.dones = f"dones-{own}"
        self.chosen = f"chosen-{own}"
        self.by_body = f"by-body-{own}"
        self.ruled = f"ruled-{own}"  # behind a rule
        self.alerts = f"alerts-{own}"  # a topic behind a rule, and its subscriber:
        self.alerted = f"alerted-{own}"
        self.source = f"test.{own}"

    @property
    def queues(self) -> Topology:
        """Queues alone."""
        queues = (_queue(self.work, max_receives=2), _queue(self.late, delay_s=1), _queue(self.plain))
        return Topology(topics=(), queues=queues)

    @property
    def topics(self) -> Topology:
        """Topics and rules, and the queues they deliver to."""
        news = [self.wrapped, self.raw, self.clips, self.dones, self.chosen, self.by_body]
        return Topology(
            topics=(self.news, self.alerts),
            queues=(_queue(self.work, max_receives=2), *map(_queue, (*news, self.ruled, self.alerted))),
            subscriptions=(
                Subscription(self.news, self.wrapped),
                Subscription(self.news, self.raw, is_raw=True),
                Subscription(self.news, self.clips, {"event_type": [CLIP]}),
                Subscription(self.news, self.dones, {"event_type": [DONE]}),
                Subscription(self.news, self.chosen, {"event_type": [CLIP, DONE], "category": CATEGORIES}),
                Subscription(self.news, self.by_body, {"video": {"state": ["ready"]}}, scope="MessageBody"),
                Subscription(self.alerts, self.alerted),
            ),
            rules=(
                Rule(f"{self.ruled}-rule", self._pattern("to-queue"), to_queue=self.ruled),
                Rule(f"{self.alerts}-rule", self._pattern("to-topic"), to_topic=self.alerts),
            ),
        )

    def _pattern(self, kind: str) -> dict[str, Any]:
        return {"source": [self.source], "detail-type": [kind], "detail": {"state": {"name": ["ready", "failed"]}}}


def _queue(name: str, **numbers: Any) -> Queue:
    return Queue(name, **{"visibility_s": 1, "wait_s": 1, "max_receives": None, **numbers})


class Keeper(Protocol):
    """What a keeper's test module provides."""

    database: Database

    def open(self, topology: Topology) -> AbstractAsyncContextManager[Bus]:
        """A bus with everything it needs to deliver, while the block runs."""

    async def settle(self) -> None:
        """Returns when everything said has been handed on."""


@dataclass
class Place:
    """One test's bus and places."""

    keeper: Keeper
    bus: Bus
    names: Places

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        return self.keeper.database.transaction()

    async def settle(self) -> None:
        await self.keeper.settle()

    async def send(self, queue: str, *messages: QueueMessage | str) -> list[str]:
        """Says it in a transaction of its own and waits until it is there."""
        given = [QueueMessage(one) if isinstance(one, str) else one for one in messages]
        async with self.transaction() as tx:
            ids = await self.bus.send(tx, queue, *given)
        await self.settle()
        return ids

    async def drain(self, queue: str, count: int) -> list[Received]:
        """So many messages, deleted; and no more than these are there."""
        found: list[Received] = []

        async def look() -> bool:
            found.extend(await self.bus.receive(queue, most=10, wait_s=1, visibility_s=30))
            return len(found) >= count

        await until(look)
        found += await self.bus.receive(queue, most=10, wait_s=0, visibility_s=30)
        assert await self.bus.acknowledge(None, found) == []
        assert len(found) == count, [one.body for one in found]
        return found

    async def count(self, queue: str) -> Sequence[int]:
        """Visible, in flight, delayed."""
        (found,) = [one for one in await self.bus.counts() if one.queue == queue]
        return found.visible, found.in_flight, found.delayed


class Suite:
    """A keeper's test module has the fixtures `keeper` and `lies`: names of tests to be left out, with the reason."""

    has_topics = False

    @pytest.fixture(autouse=True)
    def _skip_where_the_peer_lies(self, request: pytest.FixtureRequest, lies: Mapping[str, str]) -> None:
        if reason := lies.get(request.node.originalname):
            pytest.skip(reason)

    @pytest.fixture
    async def place(self, keeper: Keeper) -> AsyncIterator[Place]:
        names = Places()
        async with keeper.open(names.topics if self.has_topics else names.queues) as bus:
            await bus.create()
            yield Place(keeper, bus, names)
