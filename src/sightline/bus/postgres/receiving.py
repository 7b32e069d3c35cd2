"""Shared receives: all who wait for one queue share one claim, one wait and one look at the next due time.

A thousand waiting receives of an empty queue cost one timer. When messages arrive, one claim serves as many of them as there are
messages for, in the order in which they came.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sightline.bus.message import Received
from sightline.bus.postgres.waiting import Waiters
from sightline.bus.topology import Queue
from sightline.timing import is_set_within


class ClaimSource(Protocol):
    """The queues that messages are claimed from."""

    def settings_of(self, queue: str) -> Queue:
        """Raises if the queue does not exist (any more)."""

    def claim_now(
        self, queue: Queue, limit: int, visibility_s: float, *, with_times: bool
    ) -> Awaitable[list[Received]]: ...
    def next_due_s(self, queue: str) -> Awaitable[float]:
        """Seconds until a claim may find something even if nothing is sent."""

    def look_for_due(self, queue: str) -> None:
        """Makes the next claim look for messages whose delay has ended."""

    def return_unprocessed(self, received: Sequence[Received]) -> Awaitable[None]: ...


@dataclass(slots=True, eq=False)
class _Request:
    limit: int
    visibility_s: float
    deadline: float
    """On the clock of the event loop."""
    with_times: bool
    result: "asyncio.Future[list[Received]]"
    was_tried: bool = False


@dataclass(slots=True)
class _QueueReceives:
    """Those who wait for one queue."""

    name: str
    requests: list[_Request] = field(default_factory=list)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def drop_done(self) -> None:
        self.requests = [one for one in self.requests if not one.result.done()]

    def end_expired(self, now: float) -> None:
        """Those whose time is over get nothing, once a claim has shown that there is nothing for them."""
        for one in self.requests:
            if one.was_tried and one.deadline <= now and not one.result.done():
                one.result.set_result([])
        self.drop_done()

    def groups(self) -> list[list[_Request]]:
        """Those that one claim can serve: with the same visibility."""
        groups: dict[float, list[_Request]] = {}
        for one in self.requests:
            groups.setdefault(one.visibility_s, []).append(one)
        return list(groups.values())


class SharedReceives:
    def __init__(self, source: ClaimSource, waiters: Waiters, *, max_claimed: int) -> None:
        self._source = source
        self._waiters = waiters
        self._max_claimed = max_claimed
        self._queues: dict[str, _QueueReceives] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def receive(
        self, queue: str, *, limit: int, wait_s: float, visibility_s: float, with_times: bool = True
    ) -> list[Received]:
        loop = asyncio.get_running_loop()
        request = _Request(limit, visibility_s, loop.time() + wait_s, with_times, loop.create_future())
        shared = self._queues.get(queue)
        if shared is None:
            shared = self._queues[queue] = _QueueReceives(queue, [request])
            task = asyncio.create_task(self._serve(shared), name=f"receives of {queue}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            shared.requests.append(request)
            shared.woken.set()
        try:
            return await request.result
        except asyncio.CancelledError:
            # The caller went away at the moment at which it was given messages: others get them.
            if request.result.done() and not request.result.cancelled() and request.result.exception() is None:
                await self._source.return_unprocessed(request.result.result())
            raise

    def wake_all(self) -> None:
        """Makes everybody look again: the queue they wait for may be gone."""
        for shared in self._queues.values():
            shared.woken.set()

    async def _serve(self, shared: _QueueReceives) -> None:
        """Runs as long as anybody waits for the queue."""
        error: BaseException = asyncio.CancelledError()
        try:
            with self._waiters.waiting_for(shared.name, shared.woken):
                while shared.requests:
                    shared.woken.clear()
                    if await self._serve_now(shared):
                        await self._wait(shared)
        except Exception as failure:
            error = failure
        finally:
            # No request can have joined since the last look at them: there was no await in between.
            del self._queues[shared.name]
            for one in shared.requests:  # left over if something failed
                if not one.result.done():
                    one.result.set_exception(error)

    async def _serve_now(self, shared: _QueueReceives) -> bool:
        """Gives what is visible to those who wait. Returns whether nothing is left of it."""
        queue = self._source.settings_of(shared.name)  # a client may have changed or deleted it
        shared.drop_done()
        present = list(shared.requests)
        # Messages of a group have to go to one receiver, so each receiver of a FIFO queue has a claim of its own.
        groups = [[one] for one in present] if queue.is_fifo else shared.groups()
        is_exhausted = False
        for group in groups:
            wanted = min(sum(one.limit for one in group), self._max_claimed)
            with_times = any(one.with_times for one in group)
            found = await self._source.claim_now(queue, wanted, group[0].visibility_s, with_times=with_times)
            await self._distribute(group, found)
            if len(found) < wanted:
                is_exhausted = True
                break
        for one in present if is_exhausted else ():
            one.was_tried = True
        shared.drop_done()
        return is_exhausted

    async def _distribute(self, group: Sequence[_Request], found: list[Received]) -> None:
        start = 0
        for one in group:
            if start < len(found) and not one.result.done():
                one.result.set_result(found[start : start + one.limit])
                start += one.limit
        if start < len(found):
            await self._source.return_unprocessed(found[start:])  # a caller went away while the claim was under way

    async def _wait(self, shared: _QueueReceives) -> None:
        """Until there may be something again. Requests whose time ends before that cost no claim."""
        loop = asyncio.get_running_loop()
        shared.end_expired(loop.time())
        if not shared.requests or shared.woken.is_set():
            return
        due_at = loop.time() + await self._source.next_due_s(shared.name)
        while shared.requests:
            until = min(due_at, *(one.deadline for one in shared.requests))
            if await is_set_within(shared.woken, max(0.0, until - loop.time())):
                return
            if loop.time() >= due_at:
                self._source.look_for_due(shared.name)
                return
            shared.end_expired(loop.time())
