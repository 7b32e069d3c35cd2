"""Consumers: claim messages, call the handler, settle the outcome.

There are two kinds of handlers. A `Handler` gets one message per call, several run concurrently, and each may take long. A
`BatchHandler` gets a batch and the transaction that settles all of it; if it fails, each message is tried alone.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from sightline.bus.bus import Queues
from sightline.bus.delivery import ClaimLost, Delivery, RetryIn, settle
from sightline.bus.lanes import LaneShare
from sightline.bus.message import Received
from sightline.bus.metrics import BusMetrics
from sightline.db import Database, Transaction
from sightline.errors import Throttled, is_retryable
from sightline.observability import span, work_context
from sightline.timing import Backoff

Handler = Callable[[Delivery], Awaitable[None]]
BatchHandler = Callable[[Transaction, Sequence[Delivery]], Awaitable[None]]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ConsumerOptions:
    concurrency: int = 10
    """Messages (or batches) processed concurrently; no more are claimed than can be started."""
    batch: int = 10
    """Messages per batch, for batch handlers."""
    wait_s: float = 20.0
    backoff: Backoff = field(default_factory=lambda: Backoff(first_s=2.0, max_s=900.0))
    max_hold: timedelta = timedelta(hours=1)
    """Visibility is extended no longer than this; a handler that takes longer is presumed hung, and others get its message."""
    handler_timeout: timedelta = timedelta(hours=1)
    heartbeat_s: float | None = None
    """Seconds between visibility extensions. Unset: a third of the visibility of the queue."""
    max_per_lane: int | None = None
    """Messages of one lane of a fair queue processed concurrently. Unset: half of the concurrency."""
    grace_s: float = 3.0
    """Seconds that running handlers have to finish after a stop."""


class Consumer:
    def __init__(
        self,
        queue: str,
        *,
        queues: Queues,
        database: Database,
        handler: Handler | None = None,
        batch_handler: BatchHandler | None = None,
        options: ConsumerOptions | None = None,
        metrics: BusMetrics | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        if (handler is None) == (batch_handler is None):
            raise ValueError("a consumer needs either a handler or a batch handler")
        self.queue = queue
        self.name = f"consumer:{queue}"
        self._queues = queues
        self._database = database
        self._handler = handler
        self._batch_handler = batch_handler
        self._options = options or ConsumerOptions()
        self._metrics = metrics or BusMetrics(None)
        self._chance = chance
        # What is held, by group, and since when; keyed by identity, the cheapest key.
        self._held: dict[int, tuple[list[Received], float]] = {}
        max_per_lane = self._options.max_per_lane or max(1, self._options.concurrency // 2)
        self._share = LaneShare(max_per_lane)
        self._settings = next(one for one in queues.topology.all_queues if one.name == queue)

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        slots = asyncio.Semaphore(self._options.concurrency)
        working: set[asyncio.Task[None]] = set()
        heartbeat = asyncio.create_task(self._keep_hidden())
        stopping = asyncio.create_task(stop.wait())
        ready()
        try:
            while not stop.is_set():
                await _first(slots.acquire(), stopping)
                if stop.is_set():
                    break
                slots.release()
                claiming = asyncio.create_task(self._claim(self._free(working)))
                await asyncio.wait((claiming, stopping), return_when=asyncio.FIRST_COMPLETED)
                if stop.is_set():
                    await self._return_claimed(claiming)
                    break
                for group in claiming.result():
                    await slots.acquire()
                    task = asyncio.create_task(self._work(group))
                    working.add(task)
                    task.add_done_callback(working.discard)
                    task.add_done_callback(lambda _: slots.release())
        finally:
            stopping.cancel()
            await self._wind_down(working)
            heartbeat.cancel()

    # Claiming ----------------------------------------------------------------------------------------------------

    def _free(self, working: set[asyncio.Task[None]]) -> int:
        """Back-pressure: messages that cannot be started now are left for other consumers."""
        free = self._options.concurrency - len(working)
        return free if self._handler is not None else free * self._options.batch

    async def _claim(self, limit: int) -> list[list[Received]]:
        """Groups of messages that are worked on together."""
        received = await self._queues.claim(self.queue, limit=limit, wait_s=self._options.wait_s, share=self._share)
        if self._settings.is_fair:
            self._share.enter(received)
        size = 1 if self._handler is not None else self._options.batch
        groups = [received[start : start + size] for start in range(0, len(received), size)]
        self._hold(groups)
        return groups

    def _hold(self, groups: list[list[Received]]) -> None:
        now = time.monotonic()
        for group in groups:
            self._held[id(group)] = (group, now)

    async def _return_claimed(self, claiming: asyncio.Task[list[list[Received]]]) -> None:
        """Cancels a claim that is under way at the stop; messages it already received are returned."""
        claiming.cancel()
        await asyncio.wait((claiming,))
        if not claiming.cancelled() and claiming.exception() is None:
            received = [one for group in claiming.result() for one in group]
            await self._queues.return_unprocessed(received)
            self._leave(received)

    def _leave(self, group: list[Received]) -> None:
        if self._settings.is_fair:
            self._share.leave(group)

    # Working -----------------------------------------------------------------------------------------------------

    async def _work(self, group: list[Received]) -> None:
        try:
            await self._work_on(group)
        finally:
            self._leave(group)

    async def _work_on(self, group: list[Received]) -> None:
        started = time.perf_counter()
        try:
            await self._attempt(group)
        except asyncio.CancelledError:
            await self._queues.return_unprocessed(group)
            raise
        except Exception as error:
            if len(group) > 1:
                log.info("consumer.batch_split", queue=self.queue, messages=len(group), error=str(error))
                await self._work_one_by_one(group)
                return
            await self._settle_failure(group[0], error)
        else:
            self._metrics.handled.labels(self.queue, "done").inc(len(group))
        finally:
            self._metrics.handling_seconds.labels(self.queue).observe(time.perf_counter() - started)
            self._held.pop(id(group), None)

    async def _work_one_by_one(self, group: list[Received]) -> None:
        """Each is held by itself: one that is settled must not be hidden again with those that are not."""
        alone = [[one] for one in group]
        _, since = self._held.pop(id(group), (group, time.monotonic()))
        self._held.update((id(one), (one, since)) for one in alone)
        try:
            for one in alone:
                await self._work_on(one)
        finally:
            for one in alone:
                self._held.pop(id(one), None)

    async def _attempt(self, group: list[Received]) -> None:
        context = group[0].context
        async with asyncio.timeout(self._options.handler_timeout.total_seconds()):
            with (
                work_context(
                    correlation_id=context.get("correlation_id"), queue=self.queue, message_id=group[0].message_id
                ),
                span("bus.handle", carrier=context, **{"messaging.destination.name": self.queue}),
            ):
                if self._handler is not None:
                    await self._handle_one(group[0])
                else:
                    await self._handle_batch(group)

    async def _handle_one(self, received: Received) -> None:
        assert self._handler is not None
        delivery = Delivery(received, self._queues, self._database)
        await self._handler(delivery)
        if not delivery.is_settled:
            await self._queues.acknowledge(None, [received])

    async def _handle_batch(self, group: list[Received]) -> None:
        assert self._batch_handler is not None
        deliveries = [Delivery(one, self._queues, self._database) for one in group]
        async with self._database.transaction() as tx:
            await self._batch_handler(tx, deliveries)
            if self._queues.acknowledges_in_transaction:
                await settle(self._queues, tx, group)
        if not self._queues.acknowledges_in_transaction:
            await self._queues.acknowledge(None, group)

    async def _settle_failure(self, received: Received, error: Exception) -> None:
        """Releases the message for a retry or moves it to the dead letters, by the branch of the error."""
        reason = f"{type(error).__name__}: {error}"
        if isinstance(error, ClaimLost):
            outcome = "lost"  # another consumer has it now, so there is nothing to settle
        elif is_retryable(error):
            outcome = "retry"
            delay_s = self._options.backoff.delay_s(received.receive_count or 1, self._chance)
            if isinstance(error, Throttled):
                delay_s = max(delay_s, error.retry_after.total_seconds())
            elif isinstance(error, RetryIn):
                delay_s = error.delay_s
            max_receives = self._settings.max_receives
            if max_receives is not None and (received.receive_count or 0) >= max_receives:
                delay_s = 0.0  # the next receive moves it to the dead letters, which needs no delay
            await self._queues.release(received, delay_s=delay_s, reason=reason)
        else:
            outcome = "dead"
            await self._queues.bury(received, reason)
        self._metrics.handled.labels(self.queue, outcome).inc()
        log.warning(
            "consumer.failed",
            queue=self.queue,
            message_id=received.message_id,
            outcome=outcome,
            error=reason,
            exc_info=error,
        )

    # Holding and releasing ---------------------------------------------------------------------------------------

    async def _keep_hidden(self) -> None:
        """Extends the visibility of every held message until `max_hold` has passed."""
        visibility_s = self._settings.visibility_s
        every_s = visibility_s / 3 if self._options.heartbeat_s is None else self._options.heartbeat_s
        while True:
            await asyncio.sleep(every_s)
            oldest = time.monotonic() - self._options.max_hold.total_seconds()
            held = [one for group, since in self._held.values() if since > oldest for one in group]
            try:
                self._forget(await self._queues.extend(held, visibility_s))
            except Exception as error:
                log.warning("consumer.heartbeat_failed", queue=self.queue, error=str(error))

    def _forget(self, lost: list[Received]) -> None:
        """Others have received these, or they were settled in the meantime."""
        if not lost:
            return
        ids = set(map(id, lost))
        for key, (group, since) in self._held.items():
            self._held[key] = ([one for one in group if id(one) not in ids], since)

    async def _wind_down(self, working: set[asyncio.Task[None]]) -> None:
        """Lets running handlers finish within the grace period, then cancels the rest, which returns their messages."""
        if working:
            _, late = await asyncio.wait(working, timeout=self._options.grace_s)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=2.0)


async def _first(awaitable: Awaitable[object], other: "asyncio.Task[bool]") -> None:
    task = asyncio.ensure_future(awaitable)
    await asyncio.wait((task, other), return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
