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
from sightline.live.message import FeedRecord
from sightline.live.metrics import LiveMetrics
from sightline.live.redelivery import REDELIVER_AFTER_S
from sightline.live.resume import Reason, ResumePoint, gap_reason
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
class _Earlier:
    """The messages up to a sequence that the caller may see and that memory no longer holds."""

    messages: list[FeedRecord]
    up_to: int


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
        earlier = await self._read_earlier(channel, caller, position) if position else None
        since, pending, read_up_to = channel.top, list[FeedRecord](), channel.top
        if request.client_id is not None:
            since, pending, read_up_to = await self._read_pending_acks(channel, caller, client_id, position)
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
        follower.send_control(self._hello(channel, client_id))
        replayed = self._catch_up(channel, follower, position, earlier) if position else ()
        if follower.has_client_id:
            added_since = [message for message in channel.missed(viewer, read_up_to) if message.requires_ack]
            self._redeliver(channel, follower, [*pending, *added_since], replayed=replayed or ())
        channel.join(follower)
        return follower

    async def resume(self, channel: Channel, follower: Follower, position: ResumePoint) -> int:
        """Catches up on an open connection. Returns how many messages were replayed."""
        earlier = await self._read_earlier(channel, follower.caller, position)
        await channel.settled()
        return len(self._catch_up(channel, follower, position, earlier) or ())

    async def _read_earlier(self, channel: Channel, caller: Caller, position: ResumePoint) -> _Earlier | None:
        """Reads what memory lacks: newer messages if the client is ahead of this process, or older ones.

        Memory holds the last messages of all callers. A caller who sees only some of them gets as many of its own.
        """
        reason = gap_reason(position, channel.state)
        if reason == "ahead":
            async with self._query_slots:
                await self._refresh()
            reason = gap_reason(position, channel.state)
        if reason != "buffer_exceeded":
            return None
        up_to, limit = channel.top, self._settings.buffer_size
        async with self._query_slots:
            async with self._database.as_caller(caller.claims()) as tx:
                found = await store.read_after(tx, channel.name, after=position.last, top=up_to, limit=limit + 1)
            async with self._database.transaction() as tx:
                kept = await store.stream_state(tx, channel.name)
        # Read after the messages: a message that still exists now existed then too.
        is_whole = position.last >= kept.oldest - 1 and len(found) <= limit
        return _Earlier(found, up_to) if is_whole else None

    async def _read_pending_acks(
        self, channel: Channel, caller: Caller, client_id: str, position: ResumePoint | None
    ) -> tuple[int, list[FeedRecord], int]:
        """The sequence since which the device acknowledges, its unacknowledged messages, and the sequence read up to."""
        top = channel.top
        is_known = position is not None and gap_reason(position, channel.state) in (None, "buffer_exceeded")
        begin = position.last if position is not None and is_known else top
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
                    top=top,
                    limit=self._settings.buffer_size,
                )
        return since, pending, top

    def _catch_up(
        self, channel: Channel, follower: Follower, position: ResumePoint, earlier: _Earlier | None
    ) -> list[FeedRecord] | None:
        """Sends all missed messages and returns them, or reports a gap and returns None."""
        state, viewer = channel.state, follower.viewer
        reason = gap_reason(position, state)
        missed: list[FeedRecord] = []
        if reason is None:
            missed = channel.missed(viewer, position.last)
        elif reason == "buffer_exceeded" and earlier is not None and earlier.up_to >= state.oldest - 1:
            missed = [message for message in earlier.messages if viewer.wants(message)]
            missed += channel.missed(viewer, earlier.up_to)
            reason = None if len(missed) <= self._settings.buffer_size else reason
        if reason is not None:
            follower.send_control(gap(channel, reason, position.last))
            self._metrics.gaps.labels(channel.name, reason).inc()
            return None
        follower.send_control(
            Resumed(
                channel=channel.name,
                epoch=channel.epoch,
                from_=position.last + 1,
                to=state.top,
                replayed=len(missed),
            )
        )
        self._replay(channel, follower, position, missed)
        return missed

    def _replay(
        self, channel: Channel, follower: Follower, position: ResumePoint, missed: Sequence[FeedRecord]
    ) -> None:
        if not missed:
            return
        now, prev, payloads = self._clock(), position.last, []
        for message in missed:
            payloads.append(message.payload(prev=prev, replay=True))
            prev = message.sequence
            if message.requires_ack and follower.has_client_id:
                follower.pending_acks.add(message, now)
        follower.send(Frames(payloads))
        self._metrics.replayed.labels(channel.name).inc(len(missed))

    def _redeliver(
        self, channel: Channel, follower: Follower, pending: Sequence[FeedRecord], *, replayed: Sequence[FeedRecord]
    ) -> None:
        """Sends unacknowledged messages again, even across a gap, unless the replay has just sent them."""
        replayed_sequences = {message.sequence for message in replayed}
        unacknowledged = [
            message
            for message in pending
            if message.sequence not in replayed_sequences and follower.viewer.sees(message)
        ]
        if not unacknowledged:
            return
        now = self._clock()
        for message in unacknowledged:
            follower.pending_acks.add(message, now, redeliveries=1)
        follower.send(Frames([message.payload(redelivery=1) for message in unacknowledged]))
        self._metrics.redelivered.labels(channel.name).inc(len(unacknowledged))

    def _hello(self, channel: Channel, client_id: str) -> Hello:
        return Hello(
            channel=channel.name,
            epoch=channel.epoch,
            sequence=channel.top,
            buffer_size=self._settings.buffer_size,
            heartbeat_seconds=self._settings.heartbeat_s,
            client_id=client_id,
        )


def gap(channel: Channel, reason: Reason, last: int | None) -> Gap:
    # A sequence of another epoch, or one that was never assigned, cannot be resumed from.
    after = last if reason == "buffer_exceeded" and last is not None else 0
    return Gap(
        channel=channel.name,
        epoch=channel.epoch,
        reason=reason,
        last_sequence=last,
        oldest_available=channel.state.oldest,
        sequence=channel.top,
        resync=f"/api/live/{channel.name}?after_sequence={after}",
    )
