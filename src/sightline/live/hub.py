"""Brings what is new on the streams to every connection of this process."""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

import structlog

from sightline.contracts import Caller
from sightline.contracts.live import ErrorCode
from sightline.db import Database, Listener
from sightline.errors import BackendUnavailable, Throttled
from sightline.live import store
from sightline.live.acks import AckWriter
from sightline.live.catch_up import Reception, Wish, gap
from sightline.live.channel import Channel
from sightline.live.client_requests import Conversation
from sightline.live.connection_timers import Upkeep
from sightline.live.follower import Connection, Follower
from sightline.live.metrics import LiveMetrics
from sightline.live.redelivery import REDELIVER_AFTER_S
from sightline.live.resume import Reason, Standing
from sightline.live.retry import BACKOFF, BroadcastRetryMetrics, broadcast_with_retry
from sightline.live.settings import LiveSettings
from sightline.live.store import News
from sightline.live.streams import STREAMS, stream_named
from sightline.live.transport import Carrier, Hints
from sightline.supervisor import Every
from sightline.timing import Backoff

READ_AT_ONCE = 500
# Under a burst, messages that come within this time go out together; one that comes alone goes out at once.
COALESCE_S = 0.005

log = structlog.get_logger(__name__)


class LiveHub:
    """A service; connections are handed to it by whoever holds the sockets.

    The database is the feed. A notification only says that there is something to read, and the poll finds what no notification
    told of; so a lost connection, to the database or between a notification and its reader, delays messages and loses none.
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
        carrier: Carrier | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.retries = retry_metrics
        self._carrier = carrier
        self._database = database
        self._listener = listener
        self._settings = settings
        self._metrics = metrics
        self._backoff = backoff
        self._clock = clock
        self._channels: Mapping[str, Channel] = {
            stream.name: Channel(stream.name, buffer_size=settings.buffer_size, metrics=metrics) for stream in STREAMS
        }
        self._reception = Reception(
            database, settings, metrics, refresh=self._read_stored, clock=clock, redeliver_after_s=redeliver_after_s
        )
        self._conversation = Conversation(
            self._reception, AckWriter(database), metrics, refresh=self._read_stored, clock=clock
        )
        self._upkeep = Upkeep(settings, metrics, shortest_redelivery_s=min(redeliver_after_s))
        self._is_warm = False
        self._reading = asyncio.Lock()
        self._stir = asyncio.Event()
        self._hints = Hints(self._tops, self._stir.set)
        self._is_back = asyncio.Event()

    async def follow(
        self, stream: str, connection: Connection, caller: Caller, wish: Wish, *, ends_at: float | None = None
    ) -> Follower:
        """From now on the connection gets what the caller may see of the stream. `ends_at` is a time of the hub's clock."""
        channel = self._channels[stream_named(stream).name]
        if not self._is_warm:
            raise BackendUnavailable("live", "the live feed is not running yet")
        if sum(one.size for one in self._channels.values()) >= self._settings.max_connections:
            raise Throttled("too many connections", retry_after=timedelta(seconds=self._settings.heartbeat_s))
        return await self._reception.admit(channel, connection, caller, wish, ends_at=ends_at)

    async def hear(self, stream: str, follower: Follower, text: str | None) -> None:
        """What the client said; None is something binary."""
        await self._conversation.hear(self._channels[stream], follower, text)

    async def acknowledge(self, stream: str, caller: Caller, client_id: str, sequences: Collection[int]) -> int:
        """A device says, on no connection of its own, that it has these messages; its mark."""
        channel = self._channels[stream_named(stream).name]
        if not self._is_warm:
            raise BackendUnavailable("live", "the live feed is not running yet")
        device = (caller.user_id, client_id)
        return await self._conversation.acknowledge(channel, device, sequences, since=max(sequences))

    def is_there(self, follower: Follower) -> None:
        """The client took what it was sent; that counts for one that has no way to say so."""
        follower.heard_at = self._clock()

    def standing(self, stream: str) -> Standing:
        """Where this process stands."""
        return self._channels[stream].standing

    def refuse(self, follower: Follower, code: ErrorCode, message: str) -> None:
        self._conversation.refuse(follower, code, message)

    def leave(self, stream: str, follower: Follower) -> None:
        follower.is_open = False
        self._channels[stream].leave(follower)

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        with self._listener.subscribe(store.CHANNEL, self._heard):
            if not self._is_warm:  # after a restart, the cursors are still right
                await self._warm()
            ready()
            async with asyncio.TaskGroup() as tasks:
                timers = Every("live-timers", self._upkeep.every_s, self._look)
                going = [tasks.create_task(timers.run(stop, lambda: None)), tasks.create_task(self._broadcast())]
                if self._carrier is not None:
                    going.append(tasks.create_task(self._carrier.run(self._places, self._stir.set)))
                await stop.wait()
                for task in going:
                    task.cancel()

    async def _warm(self) -> None:
        async with self._database.transaction() as tx:
            await store.ensure_streams(tx, list(self._channels))
            for channel in self._channels.values():
                found = await store.standing(tx, channel.name)
                buffered = await store.read_last(tx, channel.name, top=found.top, most=self._settings.buffer_size)
                channel.begin(found.epoch, found.top, buffered)
        self._is_warm = True

    async def _broadcast(self) -> None:
        while True:
            self._stir.clear()
            count = await broadcast_with_retry(self._read, self._pause, self.retries, backoff=self._backoff) or 0
            if count:
                await asyncio.sleep(COALESCE_S)
            if count < READ_AT_ONCE:
                await _wait(self._stir, self._settings.poll_s)

    async def _read(self) -> int:
        """Hands out what was brought, or else what the database has; how many messages that were."""
        return await self._hand_out_brought() or await self._read_stored()

    async def _hand_out_brought(self) -> int:
        if self._carrier is None:
            return 0
        async with self._reading:
            count = 0
            for channel in self._channels.values():
                if found := self._carrier.take(channel.name, channel.epoch, after=channel.top):
                    news = News(channel.name, channel.epoch, found[-1].sequence, found)
                    count += await self._hand_out(news, self._clock())
            return count

    async def _read_stored(self) -> int:
        async with self._reading:
            async with self._database.transaction() as tx:
                found = await store.read_new(tx, self._tops(), most=READ_AT_ONCE)
            read_at = self._clock()
            return sum([await self._hand_out(news, read_at) for news in found])

    def _tops(self) -> dict[str, int]:
        return {channel.name: channel.top for channel in self._channels.values()}

    def _places(self) -> dict[str, tuple[str, int]]:
        return {channel.name: (channel.epoch, channel.top) for channel in self._channels.values()}

    async def _hand_out(self, news: News, read_at: float) -> int:
        channel = self._channels[news.stream]
        if news.epoch != channel.epoch or news.top < channel.top:
            await self._begin_again(channel, news, "epoch_changed")
            return 0
        if not news.messages:
            if news.top > channel.top:  # removed before this process came to read them
                await self._begin_again(channel, news, "buffer_exceeded")
            return 0
        await channel.broadcast(news.messages, read_at)
        took = self._clock() - read_at
        observe = self._metrics.broadcast_seconds.labels(channel.name).observe
        for message in news.messages:
            observe(max(0.0, message.age_s) + took)
        return len(news.messages)

    async def _begin_again(self, channel: Channel, news: News, reason: Reason) -> None:
        """An older state was restored, or this process slept for a week: everybody has to load afresh."""
        log.warning("live.began_again", stream=channel.name, reason=reason, top=news.top, was_top=channel.top)
        async with self._database.transaction() as tx:
            buffered = await store.read_last(tx, channel.name, top=news.top, most=self._settings.buffer_size)
        channel.begin(news.epoch, news.top, buffered)
        for _, follower in channel.followers():
            if follower.tell(gap(channel, reason, None)):
                self._metrics.gaps.labels(channel.name, reason).inc()

    async def _look(self) -> None:
        self._upkeep.look(self._channels.values(), self._clock())

    def _heard(self, payload: str) -> None:
        if payload and self._carrier is not None:
            self._hints.heard(payload)
            return
        self._stir.set()
        if not payload:
            self._is_back.set()  # the listener has a new connection: the database answers again

    async def _pause(self, seconds: float) -> None:
        self._is_back.clear()
        await _wait(self._is_back, seconds)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
