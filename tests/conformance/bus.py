"""Conformance suite of the bus, run on every backend by the test module of that backend.

Tests of a class share a bus on the event loop of their module, since creating its queues takes longer than most tests. Each test
starts with empty queues. No test may cancel a receive: it could still wait in an emulator and receive a message of the next test.
"""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Protocol

import pytest
import pytest_asyncio

from sightline.bus import Bus, EventRule, Queue, QueueMessage, Received, Subscription, Topology
from sightline.db import Database, Transaction

CLIP, DONE = "bjj_event_detected", "analysis_complete"
CATEGORIES = [{"exists": False}, "SUBMISSION_OFFENSE", "STANDUP_GAME"]

LONG_S = 600
"""Longer than any test runs, even on a busy machine."""
MAX_WAIT_S = 20


class BusNames:
    """Unique names of queues and topics, and the topologies made of them."""

    def __init__(self) -> None:
        own = secrets.token_hex(4)
        self.work = f"work-{own}"  # has a dead-letter queue, and numbers short enough to wait for
        self.plain = f"plain-{own}"  # has neither
        self.late = f"late-{own}"  # delays for long
        self.soon = f"soon-{own}"  # delays for a second
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
        """A topology of queues only."""
        short, delaying = {"visibility_s": 1, "wait_s": 1}, {"late": LONG_S, "soon": 1}
        queues = (
            _queue(self.work, max_receives=2, **short),
            _queue(self.plain),
            *(_queue(getattr(self, name), delay_s=delay_s) for name, delay_s in delaying.items()),
        )
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
                EventRule(f"{self.ruled}-rule", self._pattern("to-queue"), to_queue=self.ruled),
                EventRule(f"{self.alerts}-rule", self._pattern("to-topic"), to_topic=self.alerts),
            ),
        )

    def _pattern(self, kind: str) -> dict[str, Any]:
        return {"source": [self.source], "detail-type": [kind], "detail": {"state": {"name": ["ready", "failed"]}}}


def _queue(name: str, **numbers: Any) -> Queue:
    return Queue(name, **{"visibility_s": LONG_S, "wait_s": MAX_WAIT_S, "max_receives": None, **numbers})


class Backend(Protocol):
    """What the test module of a backend provides."""

    database: Database

    def open(self, topology: Topology) -> AbstractAsyncContextManager[Bus]:
        """A bus with everything it needs to deliver, while the block runs."""

    async def settle(self) -> None:
        """Returns when every sent message has been delivered."""


@dataclass
class BusHarness:
    """A bus with helpers for tests."""

    backend: Backend
    bus: Bus
    names: BusNames
    _received: list[Received] = field(default_factory=list)

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        return self.backend.database.transaction()

    async def settle(self) -> None:
        await self.backend.settle()

    async def send(self, queue: str, *messages: QueueMessage | str) -> list[str]:
        """Sends in a transaction of its own and waits until the messages are delivered."""
        given = [QueueMessage(one) if isinstance(one, str) else one for one in messages]
        async with self.transaction() as tx:
            ids = await self.bus.send(tx, queue, *given)
        await self.settle()
        return ids

    async def next(self, queue: str, *, visibility_s: float | None = None) -> Received:
        """Waits for the next message without a time limit."""
        while True:
            if found := await self.bus.receive(queue, wait_s=MAX_WAIT_S, visibility_s=visibility_s):
                self._received += found
                return found[0]

    async def take(self, queue: str, count: int) -> list[Received]:
        """Receives `count` messages and holds them, in the order of their bodies."""
        found: list[Received] = []
        while len(found) < count:
            found += await self.bus.receive(queue, limit=10, wait_s=MAX_WAIT_S, visibility_s=LONG_S)
        self._received += found
        return sorted(found, key=lambda one: one.body)

    async def drain(self, queue: str, count: int) -> list[Received]:
        """Receives and deletes `count` messages, and checks that there are no more."""
        found = await self.take(queue, count)
        found += await self.bus.receive(queue, limit=10, wait_s=0, visibility_s=LONG_S)
        assert await self.bus.acknowledge(None, found) == []
        assert len(found) == count, [one.body for one in found]
        return found

    async def count(self, queue: str) -> Sequence[int]:
        """Visible, in flight, delayed."""
        (found,) = [one for one in await self.bus.counts() if one.queue == queue]
        return found.visible, found.in_flight, found.delayed

    async def empty(self) -> bool:
        """Deletes leftover messages; returns whether the queues are empty. SQS allows one purge per queue and minute."""
        received, self._received = self._received, []
        if not (used := await self._used()):
            return True
        for queue in used:
            await self.bus.acknowledge(None, [one for one in received if one.queue == queue])
            while found := await self.bus.receive(queue, limit=10, wait_s=0):
                await self.bus.acknowledge(None, found)
        return not await self._used()

    async def _used(self) -> list[str]:
        return [one.queue for one in await self.bus.counts() if one.visible or one.in_flight or one.delayed]


class SharedHarness:
    """The harness that the tests of a class share; recreated if a test left messages that cannot be deleted."""

    def __init__(self, backend: Backend, topology: Callable[[BusNames], Topology], stack: AsyncExitStack) -> None:
        self._backend = backend
        self._topology = topology
        self._stack = stack
        self._harness: BusHarness | None = None

    async def get(self) -> BusHarness:
        if self._harness is None:
            names = BusNames()
            bus = await self._stack.enter_async_context(self._backend.open(self._topology(names)))
            await bus.create()
            self._harness = BusHarness(self._backend, bus, names)
            await self._harness.empty()  # where names are fixed, other tests of this process may have left messages
        return self._harness

    async def clean(self) -> None:
        if self._harness is not None:
            await self._harness.settle()
            if not await self._harness.empty():
                await self._stack.aclose()
                self._harness = None


class Suite:
    """A backend's test module has the fixtures `backend`, one per module, and `unsupported`: tests to skip, with the reason."""

    @staticmethod
    def topology(names: BusNames) -> Topology:
        return names.queues

    @pytest.fixture(autouse=True)
    def _skip_unsupported(self, request: pytest.FixtureRequest, unsupported: Mapping[str, str]) -> None:
        if reason := unsupported.get(request.node.originalname):
            pytest.skip(reason)

    @pytest_asyncio.fixture(scope="class", loop_scope="module")
    @classmethod
    async def shared_harness(cls, backend: Backend) -> AsyncIterator[SharedHarness]:
        async with AsyncExitStack() as stack:
            yield SharedHarness(backend, cls.topology, stack)

    @pytest_asyncio.fixture(loop_scope="module")
    async def harness(self, shared_harness: SharedHarness) -> AsyncIterator[BusHarness]:
        yield await shared_harness.get()
        await shared_harness.clean()
