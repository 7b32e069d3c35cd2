"""Catch-up of a connection: greeting, replay of missed messages or a gap, and messages without an acknowledgement."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from sightline.contracts import Caller
from sightline.contracts.live import Gap, Hello, Resumed
from sightline.db import Database
from sightline.live import store
from sightline.live.channel import Channel
from sightline.live.follower import Connection, Follower
from sightline.live.frames import Frames
from sightline.live.message import FeedRecord, Numbered
from sightline.live.metrics import LiveMetrics
from sightline.live.redelivery import REDELIVER_AFTER_S
from sightline.live.resume import Reason, ResumePoint, StreamState, gap_reason
from sightline.live.settings import LiveSettings
from sightline.live.viewer import EVERYTHING, Viewer

# A thousand clients that reconnect at once must not use up the connection pool.
MAX_CONCURRENT_QUERIES = 4


@dataclass(frozen=True, slots=True)
class ConnectRequest:
    """What a client sends when it connects."""

    client_id: str | None = None
    position: ResumePoint | None = None
    patterns: frozenset[str] = EVERYTHING


@dataclass(frozen=True, slots=True)
class _Place:
    """A caller's number, and the place in the stream up to which it counts."""

    number: int
    up_to: int


@dataclass(frozen=True, slots=True)
class _Earlier:
    """The messages up to a place that the caller may see and that memory no longer holds; the last has the place's number."""

    messages: list[FeedRecord]
    place: _Place


class CatchUp:
    def __init__(
        self,
        database: Database,
        settings: LiveSettings,
        metrics: LiveMetrics,
        *,
        refresh: Callable[[], Awaitable[object]],
        clock: Callable[[], float],
        redeliver_after_s: Sequence[float] = REDELIVER_AFTER_S,
    ) -> None:
        self._database = database
        self._settings = settings
        self._metrics = metrics
        self._refresh = refresh
        self._clock = clock
        self._redeliver_after_s = redeliver_after_s
        self._query_slots = asyncio.Semaphore(MAX_CONCURRENT_QUERIES)

    async def admit(
        self,
        channel: Channel,
        connection: Connection,
        caller: Caller,
        request: ConnectRequest,
        *,
        ends_at: float | None = None,
    ) -> Follower:
        """Sends the greeting, missed messages and unacknowledged ones; from then on the follower gets new messages."""
        viewer = Viewer.of(caller, request.patterns)
        position = request.position
        client_id = request.client_id or str(uuid.uuid4())
        place = await self._read_place(channel, caller, viewer)
        earlier = await self._read_earlier(channel, caller, viewer, place, position) if position else None
        since, pending = channel.top, list[Numbered]()
        if request.client_id is not None:
            since, pending = await self._read_pending_acks(channel, caller, viewer, client_id, place, position)
        number = await self._number_at_top(channel, caller, viewer, place)
        # From here on nothing awaits: the replay ends exactly where the live messages begin.
        now = self._clock()
        follower = Follower(
            connection,
            caller,
            viewer,
            client_id=client_id,
            has_client_id=request.client_id is not None,
            since=since,
            now=now,
            heartbeat_s=self._settings.heartbeat_s,
            max_pending_bytes=self._settings.slow_consumer_bytes,
            on_slow=self._metrics.slow_consumers.labels(channel.name).inc,
            ends_at=ends_at,
            redeliver_after_s=self._redeliver_after_s,
        )
        follower.send_control(self._hello(channel.state_for(viewer, number), channel.name, client_id))
        replayed = self._catch_up(channel, follower, number, position, earlier) if position else ()
        if follower.has_client_id:
            added_since = [
                one for one in channel.missed(viewer, number, after=place.number) if one.message.requires_ack
            ]
            self._redeliver(channel, follower, [*pending, *added_since], replayed=replayed or ())
        channel.join(follower, number)
        return follower

    async def resume(self, channel: Channel, follower: Follower, position: ResumePoint) -> int:
        """Catches up on an open connection. Returns how many messages were replayed."""
        caller, viewer = follower.caller, follower.viewer
        place = await self._read_place(channel, caller, viewer)
        earlier = await self._read_earlier(channel, caller, viewer, place, position)
        await channel.settled()
        number = await self._number_at_top(channel, caller, viewer, place)
        return len(self._catch_up(channel, follower, number, position, earlier) or ())

    async def number(self, channel: Channel, caller: Caller) -> int:
        """The caller's newest number. It is that until the next await."""
        viewer = Viewer.of(caller)
        return await self._number_at_top(channel, caller, viewer, await self._read_place(channel, caller, viewer))

    async def sequence_of(self, channel: Channel, caller: Caller, number: int) -> int | None:
        """The place in the stream of the caller's message with a number; None if it was removed, or never was."""
        viewer = Viewer.of(caller)
        newest = await self.number(channel, caller)
        if (known := channel.sequence_of(viewer, newest, number)) is not None:
            return known
        up_to = channel.top
        if not 0 < number <= newest:
            return None
        async with self._query_slots, self._database.as_caller(caller.claims()) as tx:
            return await store.sequence_at(tx, channel.name, up_to=up_to, newer=newest - number)

    async def number_of(self, channel: Channel, caller: Caller, sequence: int) -> int:
        """The caller's number at a place in the stream."""
        newest, up_to = await self.number(channel, caller), channel.top
        async with self._query_slots, self._database.as_caller(caller.claims()) as tx:
            return newest - await store.count_after(tx, channel.name, after=sequence, up_to=up_to)

    async def _read_place(self, channel: Channel, caller: Caller, viewer: Viewer) -> _Place:
        if (known := channel.number_of(viewer)) is not None:
            return _Place(known, channel.top)
        up_to = channel.top
        async with self._query_slots, self._database.as_caller(caller.claims()) as tx:
            return _Place(await store.caller_number(tx, channel.name, up_to=up_to), up_to)

    async def _number_at_top(self, channel: Channel, caller: Caller, viewer: Viewer, place: _Place) -> int:
        """Awaits only if more came since than memory holds; after the last await, what it returns is true."""
        while (number := channel.number_at_top(viewer, place.number, place.up_to)) is None:
            place = await self._read_place(channel, caller, viewer)
        return number

    async def _read_earlier(
        self, channel: Channel, caller: Caller, viewer: Viewer, place: _Place, position: ResumePoint
    ) -> _Earlier | None:
        """Reads what memory lacks: newer messages if the client is ahead of this process, or older ones.

        Memory holds the last messages of all callers. A caller who sees only some of them gets as many of its own.
        """
        number = await self._number_at_top(channel, caller, viewer, place)
        reason = gap_reason(position, channel.state_for(viewer, number))
        if reason == "ahead":
            async with self._query_slots:
                await self._refresh()
            place = await self._read_place(channel, caller, viewer)
            number = await self._number_at_top(channel, caller, viewer, place)
            reason = gap_reason(position, channel.state_for(viewer, number))
        missing = place.number - position.last
        if reason != "buffer_exceeded" or not 0 < missing <= self._settings.buffer_size:
            return None
        async with self._query_slots, self._database.as_caller(caller.claims()) as tx:
            found = await store.read_last(tx, channel.name, top=place.up_to, limit=missing)
        return _Earlier(found, place) if len(found) == missing else None  # fewer: some were removed

    async def _read_pending_acks(
        self,
        channel: Channel,
        caller: Caller,
        viewer: Viewer,
        client_id: str,
        place: _Place,
        position: ResumePoint | None,
    ) -> tuple[int, list[Numbered]]:
        """The place since which the device acknowledges, and its unacknowledged messages up to the given place."""
        begin = place.up_to
        number = await self._number_at_top(channel, caller, viewer, place)
        reason = None if position is None else gap_reason(position, channel.state_for(viewer, number))
        if position is not None and reason in (None, "buffer_exceeded") and position.last < place.number:
            newer = place.number - position.last
            async with self._query_slots, self._database.as_caller(caller.claims()) as tx:
                begin = await store.sequence_at(tx, channel.name, up_to=place.up_to, newer=newer) or 0
        async with self._query_slots:
            async with self._database.transaction() as tx:
                since = await store.register_client(tx, channel.name, caller.user_id, client_id, since=begin)
            async with self._database.as_caller(caller.claims()) as tx:
                pending = await store.read_unacknowledged(
                    tx,
                    channel.name,
                    caller.user_id,
                    client_id,
                    since=since,
                    top=place.up_to,
                    number=place.number,
                    limit=self._settings.buffer_size,
                )
        return since, pending

    def _catch_up(
        self, channel: Channel, follower: Follower, number: int, position: ResumePoint, earlier: _Earlier | None
    ) -> list[Numbered] | None:
        """Sends all missed messages and returns them, or reports a gap and returns None."""
        viewer = follower.viewer
        state = channel.state_for(viewer, number)
        reason = gap_reason(position, state)
        missed: list[Numbered] = []
        if reason is None:
            missed = channel.missed(viewer, number, after=position.last)
        elif reason == "buffer_exceeded" and earlier is not None and earlier.place.number >= state.oldest - 1:
            first = earlier.place.number - len(earlier.messages) + 1
            numbered = [Numbered(first + index, message) for index, message in enumerate(earlier.messages)]
            missed = [one for one in numbered if viewer.wants(one.message)]
            missed += channel.missed(viewer, number, after=earlier.place.number)
            reason = None if number - position.last <= self._settings.buffer_size else reason
        if reason is not None:
            follower.send_control(gap(channel.name, state, reason, position.last))
            self._metrics.gaps.labels(channel.name, reason).inc()
            return None
        follower.send_control(
            Resumed(
                channel=channel.name,
                epoch=state.epoch,
                from_=position.last + 1,
                to=number,
                replayed=len(missed),
            )
        )
        self._replay(channel, follower, position, missed)
        return missed

    def _replay(self, channel: Channel, follower: Follower, position: ResumePoint, missed: Sequence[Numbered]) -> None:
        if not missed:
            return
        now, prev, payloads = self._clock(), position.last, []
        for one in missed:
            payloads.append(one.message.payload(one.number, prev=prev, replay=True))
            prev = one.number
            if one.message.requires_ack and follower.has_client_id:
                follower.pending_acks.add(one, now)
        follower.send(Frames(payloads))
        self._metrics.replayed.labels(channel.name).inc(len(missed))

    def _redeliver(
        self, channel: Channel, follower: Follower, pending: Sequence[Numbered], *, replayed: Sequence[Numbered]
    ) -> None:
        """Sends unacknowledged messages again, even across a gap, unless the replay has just sent them."""
        replayed_numbers = {one.number for one in replayed}
        unacknowledged = [
            one for one in pending if one.number not in replayed_numbers and follower.viewer.sees(one.message)
        ]
        if not unacknowledged:
            return
        now = self._clock()
        for one in unacknowledged:
            follower.pending_acks.add(one, now, redeliveries=1)
        follower.send(Frames([one.message.payload(one.number, redelivery=1) for one in unacknowledged]))
        self._metrics.redelivered.labels(channel.name).inc(len(unacknowledged))

    def _hello(self, state: StreamState, channel: str, client_id: str) -> Hello:
        return Hello(
            channel=channel,
            epoch=state.epoch,
            sequence=state.top,
            buffer_size=self._settings.buffer_size,
            heartbeat_seconds=self._settings.heartbeat_s,
            client_id=client_id,
        )


def gap(channel: str, state: StreamState, reason: Reason, last: int | None) -> Gap:
    """`state` is the stream as the receiver sees it."""
    # A sequence of another epoch, or one that was never assigned, cannot be resumed from.
    after = last if reason == "buffer_exceeded" and last is not None else 0
    return Gap(
        channel=channel,
        epoch=state.epoch,
        reason=reason,
        last_sequence=last,
        oldest_available=state.oldest,
        sequence=state.top,
        resync=f"/api/live/{channel}?after_sequence={after}",
    )
