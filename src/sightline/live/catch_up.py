"""Catch-up of a connection: greeting, replay of missed messages or a gap, and messages without an acknowledgement."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from sightline.contracts import Caller
from sightline.contracts.live import Gap, Hello, Resumed
from sightline.db import Database, Transaction
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


@dataclass(frozen=True, slots=True)
class _HandshakeReads:
    """What a handshake reads: the caller's place, and messages that memory lacks or that a device has to acknowledge."""

    place: _Place
    earlier: _Earlier | None = None
    since: int | None = None
    pending: tuple[Numbered, ...] = ()
    is_behind: bool = False
    """The client knows more than this process; nothing else was read."""


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
        stored = await self._read(channel, caller, viewer, position, request.client_id)
        place = stored.place
        number = await self._number_at_top(channel, caller, viewer, place)
        # From here on nothing awaits: the replay ends exactly where the live messages begin.
        now = self._clock()
        follower = Follower(
            connection,
            caller,
            viewer,
            client_id=client_id,
            has_client_id=request.client_id is not None,
            since=channel.top if stored.since is None else stored.since,
            now=now,
            heartbeat_s=self._settings.heartbeat_s,
            max_pending_bytes=self._settings.slow_consumer_bytes,
            on_slow=self._metrics.slow_consumers.labels(channel.name).inc,
            ends_at=ends_at,
            redeliver_after_s=self._redeliver_after_s,
        )
        follower.send_control(self._hello(channel.state_for(viewer, number), channel.name, client_id))
        replayed = self._catch_up(channel, follower, number, position, stored.earlier) if position else ()
        if follower.has_client_id:
            added_since = [
                one for one in channel.missed(viewer, number, after=place.number) if one.message.requires_ack
            ]
            self._redeliver(channel, follower, [*stored.pending, *added_since], replayed=replayed or ())
        channel.join(follower, number)
        return follower

    async def resume(self, channel: Channel, follower: Follower, position: ResumePoint) -> int:
        """Catches up on an open connection. Returns how many messages were replayed."""
        caller, viewer = follower.caller, follower.viewer
        stored = await self._read(channel, caller, viewer, position)
        await channel.settled()
        number = await self._number_at_top(channel, caller, viewer, stored.place)
        return len(self._catch_up(channel, follower, number, position, stored.earlier) or ())

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
        async with self._query_slots, self._database.as_caller(caller.claims()) as tx:
            return (await _place_and_number(tx, channel, viewer))[0]

    async def _number_at_top(self, channel: Channel, caller: Caller, viewer: Viewer, place: _Place) -> int:
        """Awaits only if more came since than memory holds; after the last await, what it returns is true."""
        while (number := channel.number_at_top(viewer, place.number, place.up_to)) is None:
            place = await self._read_place(channel, caller, viewer)
        return number

    async def _read(
        self,
        channel: Channel,
        caller: Caller,
        viewer: Viewer,
        position: ResumePoint | None,
        client_id: str | None = None,
    ) -> _HandshakeReads:
        """In one transaction, or in none if memory has everything; a client ahead of this process costs two more."""
        known = channel.number_of(viewer)
        if known is not None and client_id is None:
            reason = gap_reason(position, channel.state_for(viewer, known)) if position else None
            missing = self._missing(position, known) if reason == "buffer_exceeded" else None
            if reason != "ahead" and missing is None:
                return _HandshakeReads(_Place(known, channel.top))
        stored = await self._read_in_one(channel, caller, viewer, position, client_id)
        if stored.is_behind:
            async with self._query_slots:
                await self._refresh()
            stored = await self._read_in_one(channel, caller, viewer, position, client_id, is_refreshed=True)
        return stored

    async def _read_in_one(
        self,
        channel: Channel,
        caller: Caller,
        viewer: Viewer,
        position: ResumePoint | None,
        client_id: str | None,
        *,
        is_refreshed: bool = False,
    ) -> _HandshakeReads:
        async with self._query_slots, self._database.as_caller(caller.claims()) as tx:
            place, number = await _place_and_number(tx, channel, viewer)
            reason = gap_reason(position, channel.state_for(viewer, number)) if position else None
            if reason == "ahead" and not is_refreshed:
                return _HandshakeReads(place, is_behind=True)
            earlier, newer = None, None
            if reason == "buffer_exceeded" and (missing := self._missing(position, place.number)) is not None:
                # Memory holds the last messages of all callers. A caller who sees only some of them gets as many of its own.
                found = await store.read_last(tx, channel.name, top=place.up_to, limit=missing)
                earlier = _Earlier(found, place) if len(found) == missing else None  # fewer: some were removed
            if client_id is None:
                return _HandshakeReads(place, earlier)
            if position is not None and reason in (None, "buffer_exceeded") and position.last < place.number:
                newer = place.number - position.last
            since, pending = await store.follow_as_device(
                tx,
                channel.name,
                caller.user_id,
                client_id,
                up_to=place.up_to,
                number=place.number,
                newer=newer,
                limit=self._settings.buffer_size,
            )
        return _HandshakeReads(place, earlier, since, tuple(pending))

    def _missing(self, position: ResumePoint | None, number: int) -> int | None:
        """How many messages the client lacks, if they are few enough to be read for it."""
        missing = number - position.last if position else 0
        return missing if 0 < missing <= self._settings.buffer_size else None

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


async def _place_and_number(tx: Transaction, channel: Channel, viewer: Viewer) -> tuple[_Place, int]:
    """A place of the caller, and the newest number; nothing is awaited after they were found."""
    while (known := channel.number_of(viewer)) is None:
        up_to = channel.top
        place = _Place(await store.caller_number(tx, channel.name, up_to=up_to), up_to)
        if (number := channel.number_at_top(viewer, place.number, up_to)) is not None:
            return place, number
    return _Place(known, channel.top), known


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
