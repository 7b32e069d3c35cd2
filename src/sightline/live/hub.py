"""The live hub: sends new messages of the streams to every connection of this process."""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta

import structlog

from sightline.contracts import Caller
from sightline.contracts.live import ErrorCode
from sightline.db import Database, Listener
from sightline.errors import BackendUnavailable, Throttled
from sightline.live import store
from sightline.live.acks import AckWriter
from sightline.live.catch_up import CatchUp, ConnectRequest, gap
from sightline.live.channel import Channel
from sightline.live.client_requests import ClientRequests
from sightline.live.connection_timers import ConnectionTimers
from sightline.live.follower import Connection, Follower
from sightline.live.metrics import LiveMetrics
from sightline.live.notified import NotifiedMessages
from sightline.live.redelivery import REDELIVER_AFTER_S
from sightline.live.resume import Reason, StreamState
from sightline.live.retry import BACKOFF, BroadcastRetryMetrics, broadcast_with_retry
from sightline.live.settings import LiveSettings
from sightline.live.store import StreamUpdate
from sightline.live.streams import STREAMS, stream_named
from sightline.live.transport import Hints, Transport
from sightline.live.viewer import AudienceKey
from sightline.supervisor import Every
from sightline.timing import Backoff, is_set_within

MAX_MESSAGES_PER_READ = 500
# In a burst, messages that arrive within this time are sent together; a single message is sent at once.
COALESCE_S = 0.005
RESTARTED = 1012
_NOT_YET = "the live feed is not running yet"

log = structlog.get_logger(__name__)


class LiveHub:
    """A service; the API hands it the connections.

    The database is the feed. A notification brings a small message or says that there is something to read, and the poll finds
    messages whose notification was lost; so a lost database connection or a lost notification delays messages and loses none.
    """

    name = "live-hub"

    def __init__(
        self,
        database: Database,
        listener: Listener,
        settings: LiveSettings,
        metrics: LiveMetrics,
        retry_metrics: BroadcastRetryMetrics,
        *,
        backoff: Backoff = BACKOFF,
        redeliver_after_s: Sequence[float] = REDELIVER_AFTER_S,
        transport: Transport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.retries = retry_metrics
        self._transport = transport
        self._database = database
        self._listener = listener
        self._settings = settings
        self._metrics = metrics
        self._backoff = backoff
        self._clock = clock
        self._channels: Mapping[str, Channel] = {
            stream.name: Channel(stream.name, buffer_size=settings.buffer_size, metrics=metrics) for stream in STREAMS
        }
        self._catch_up = CatchUp(
            database, settings, metrics, refresh=self._read_stored, clock=clock, redeliver_after_s=redeliver_after_s
        )
        self._client_requests = ClientRequests(
            self._catch_up, AckWriter(database), metrics, refresh=self._read_stored, clock=clock
        )
        self._timers = ConnectionTimers(settings, metrics, shortest_redelivery_s=min(redeliver_after_s))
        self._is_warm = False
        self._reading = asyncio.Lock()
        self._wake = asyncio.Event()
        self._notified = NotifiedMessages()
        self._hints = Hints(self._tops, self._wake.set)
        self._reconnected = asyncio.Event()

    async def follow(
        self,
        stream: str,
        connection: Connection,
        caller: Caller,
        request: ConnectRequest,
        *,
        ends_at: float | None = None,
    ) -> Follower:
        """Sends the connection what the caller may see of the stream. `ends_at` is a time of the hub's clock."""
        channel = self._channels[stream_named(stream).name]
        if not self._is_warm:
            raise BackendUnavailable("live", _NOT_YET, public=_NOT_YET)
        if sum(one.size for one in self._channels.values()) >= self._settings.max_connections:
            raise Throttled("too many connections", retry_after=timedelta(seconds=self._settings.heartbeat_s))
        return await self._catch_up.admit(channel, connection, caller, request, ends_at=ends_at)

    async def receive(self, stream: str, follower: Follower, text: str | None) -> None:
        """Handles one message from the client; None is a binary one."""
        await self._client_requests.receive(self._channels[stream], follower, text)

    async def acknowledge(self, stream: str, caller: Caller, client_id: str, sequences: Collection[int]) -> int:
        """Acknowledges messages for a device without a connection. Returns its mark."""
        channel = self._channels[stream_named(stream).name]
        if not self._is_warm:
            raise BackendUnavailable("live", _NOT_YET, public=_NOT_YET)
        return await self._client_requests.acknowledge(channel, caller, client_id, sequences)

    def mark_active(self, follower: Follower) -> None:
        """Keeps the connection of a client that cannot send pongs: it read what it was sent."""
        follower.last_received_at = self._clock()

    def state(self, stream: str) -> StreamState:
        """The stream as this process knows it."""
        return self._channels[stream].state

    def refuse(self, follower: Follower, code: ErrorCode, message: str) -> None:
        self._client_requests.refuse(follower, code, message)

    def leave(self, stream: str, follower: Follower) -> None:
        follower.is_open = False
        self._channels[stream].leave(follower)

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        with self._listener.subscribe(store.CHANNEL, self._on_notification):
            if not self._is_warm:  # after a restart the cursors are still valid
                await self._warm()
            ready()
            async with asyncio.TaskGroup() as tasks:
                timers = Every("live-timers", self._timers.every_s, self._look)
                running = [tasks.create_task(timers.run(stop, lambda: None)), tasks.create_task(self._broadcast())]
                if self._transport is not None:
                    running.append(tasks.create_task(self._transport.run(self._positions, self._wake.set)))
                await stop.wait()
                for task in running:
                    task.cancel()

    async def _warm(self) -> None:
        async with self._database.transaction() as tx:
            await store.ensure_streams(tx, list(self._channels))
            for channel in self._channels.values():
                found = await store.stream_state(tx, channel.name)
                buffered = await store.read_last(tx, channel.name, top=found.top, limit=self._settings.buffer_size)
                channel.begin(found.epoch, found.top, buffered)
        self._is_warm = True

    async def _broadcast(self) -> None:
        while True:
            self._wake.clear()
            count = await broadcast_with_retry(self._read, self._pause, self.retries, backoff=self._backoff) or 0
            if count:
                await asyncio.sleep(COALESCE_S)
            if count < MAX_MESSAGES_PER_READ:
                await is_set_within(self._wake, self._settings.poll_s)

    async def _read(self) -> int:
        """Delivers what was received, and then what the database has, unless there can be no more. Returns how many."""
        has_notes = self._transport is None and not self._notified.is_empty
        count = await self._deliver_received()
        is_incomplete = self._notified.was_incomplete()
        is_all = count > 0 if self._transport is not None else has_notes and not is_incomplete
        return count if is_all else count + await self._read_stored()

    async def _deliver_received(self) -> int:
        received = self._transport or self._notified
        async with self._reading:
            count = 0
            for channel in self._channels.values():
                if found := received.take(channel.name, channel.epoch, after=channel.top):
                    news = StreamUpdate(channel.name, channel.epoch, found[-1].sequence, found)
                    count += await self._deliver(news, self._clock())
            return count

    async def _read_stored(self) -> int:
        async with self._reading:
            async with self._database.transaction() as tx:
                found = await store.read_new(tx, self._tops(), limit=MAX_MESSAGES_PER_READ)
            read_at = self._clock()
            return sum([await self._deliver(news, read_at) for news in found])

    def _tops(self) -> dict[str, int]:
        return {channel.name: channel.top for channel in self._channels.values()}

    def _positions(self) -> dict[str, tuple[str, int]]:
        return {channel.name: (channel.epoch, channel.top) for channel in self._channels.values()}

    async def _deliver(self, news: StreamUpdate, read_at: float) -> int:
        channel = self._channels[news.stream]
        if news.epoch != channel.epoch or news.top < channel.top:
            await self._reset(channel, news, "epoch_changed")
            return 0
        if not news.messages:
            if news.top > channel.top:  # removed before this process read them
                await self._reset(channel, news, "buffer_exceeded")
            return 0
        if news.messages[-1].sequence - channel.top != len(news.messages):
            # Some in between were removed before this process read them, so nobody's numbers can be carried on.
            await self._reset(channel, news, "buffer_exceeded")
            return 0
        await channel.broadcast(news.messages, read_at)
        took = self._clock() - read_at
        observe = self._metrics.broadcast_seconds.labels(channel.name).observe
        for message in news.messages:
            observe(max(0.0, message.age_s) + took)
        return len(news.messages)

    async def _reset(self, channel: Channel, news: StreamUpdate, reason: Reason) -> None:
        """Makes every client reload: an older backup was restored, or this process was suspended for too long."""
        log.warning("live.stream_reset", stream=channel.name, reason=reason, top=news.top, was_top=channel.top)
        async with self._database.transaction() as tx:
            buffered = await store.read_last(tx, channel.name, top=news.top, limit=self._settings.buffer_size)
        callers = {follower.viewer.audience: follower.caller for _, follower in channel.followers()}
        numbers: dict[AudienceKey, int] = {}
        for audience, caller in callers.items():
            async with self._database.as_caller(caller.claims()) as tx:
                numbers[audience] = await store.caller_number(tx, channel.name, up_to=news.top)
        channel.begin(news.epoch, news.top, buffered, numbers)
        for group, follower in channel.followers():
            if group.audience.key not in numbers:
                follower.close(RESTARTED, "the feed was reset")  # it came while the numbers were read; it reconnects
                continue
            state = channel.state_for(group.viewer, group.audience.number)
            if follower.send_control(gap(channel.name, state, reason, None)):
                self._metrics.gaps.labels(channel.name, reason).inc()

    async def _look(self) -> None:
        self._timers.look(self._channels.values(), self._clock())

    def _on_notification(self, payload: str) -> None:
        if payload and self._transport is not None:
            self._hints.notify(payload)
            return
        self._notified.add(payload)
        self._wake.set()
        if not payload:
            self._reconnected.set()  # the listener has reconnected, so the database is available again

    async def _pause(self, seconds: float) -> None:
        self._reconnected.clear()
        await is_set_within(self._reconnected, seconds)
