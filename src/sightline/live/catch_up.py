"""How a connection begins, and how it catches up: greeting, replay or gap, and what it still owes an acknowledgement of."""

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
from sightline.live.message import StoredMessage
from sightline.live.metrics import LiveMetrics
from sightline.live.redelivery import REDELIVER_AFTER_S
from sightline.live.resume import Position, Reason, why_not
from sightline.live.settings import LiveSettings
from sightline.live.viewer import EVERYTHING, Viewer

# A thousand clients that return at once must leave connections of the pool to others.
QUESTIONS_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Wish:
    """What a client says when it connects."""

    client_id: str | None = None
    position: Position | None = None
    patterns: frozenset[str] = EVERYTHING


@dataclass(frozen=True, slots=True)
class _Earlier:
    """What a caller sees of the messages that memory no longer holds, up to a number."""

    messages: list[StoredMessage]
    up_to: int


class Reception:
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
        self._asking = asyncio.Semaphore(QUESTIONS_AT_ONCE)

    async def admit(
        self, channel: Channel, connection: Connection, caller: Caller, wish: Wish, *, ends_at: float | None = None
    ) -> Follower:
        """The greeting, what was missed, what is owed; from then on, the follower gets what is new."""
        viewer = Viewer.of(caller, wish.patterns)
        position = wish.position
        client_id = wish.client_id or str(uuid.uuid4())
        earlier = await self._look_back(channel, caller, position) if position else None
        since, owed, asked_at = channel.top, list[StoredMessage](), channel.top
        if wish.client_id is not None:
            since, owed, asked_at = await self._debts(channel, caller, client_id, position)
        # From here on nothing awaits: the replay ends exactly where the live messages begin.
        now = self._clock()
        follower = Follower(
            connection,
            caller,
            viewer,
            client_id=client_id,
            is_named=wish.client_id is not None,
            since=since,
            now=now,
            heartbeat_s=self._settings.heartbeat_s,
            most_pending=self._settings.slow_consumer_bytes,
            was_slow=self._metrics.slow_consumers.labels(channel.name).inc,
            ends_at=ends_at,
            redeliver_after_s=self._redeliver_after_s,
        )
        follower.tell(self._hello(channel, client_id))
        replayed = self._catch_up(channel, follower, position, earlier) if position else ()
        if follower.is_named:
            came_meanwhile = [message for message in channel.missed(viewer, asked_at) if message.requires_ack]
            self._offer(channel, follower, [*owed, *came_meanwhile], given=replayed or ())
        channel.join(follower)
        return follower

    async def resume(self, channel: Channel, follower: Follower, position: Position) -> int:
        """Catches up on an open connection; how many messages were replayed."""
        earlier = await self._look_back(channel, follower.caller, position)
        await channel.settled()
        return len(self._catch_up(channel, follower, position, earlier) or ())

    async def _look_back(self, channel: Channel, caller: Caller, position: Position) -> _Earlier | None:
        """What memory lacks: the newest messages, if the client knows later ones than this process, or older ones.

        Memory holds the last messages of everybody. Those who see only some of them are given as many of their own.
        """
        reason = why_not(position, channel.standing)
        if reason == "ahead":
            async with self._asking:
                await self._refresh()
            reason = why_not(position, channel.standing)
        if reason != "buffer_exceeded":
            return None
        up_to, most = channel.top, self._settings.buffer_size
        async with self._asking:
            async with self._database.as_caller(caller.claims()) as tx:
                found = await store.read_after(tx, channel.name, after=position.last, top=up_to, most=most + 1)
            async with self._database.transaction() as tx:
                kept = await store.standing(tx, channel.name)
        # Asked after reading: what was there then was there before.
        is_whole = position.last >= kept.oldest - 1 and len(found) <= most
        return _Earlier(found, up_to) if is_whole else None

    async def _debts(
        self, channel: Channel, caller: Caller, client_id: str, position: Position | None
    ) -> tuple[int, list[StoredMessage], int]:
        """Since when the device owes acknowledgements, which it owes, and the number up to which that was asked."""
        top = channel.top
        is_known = position is not None and why_not(position, channel.standing) in (None, "buffer_exceeded")
        begin = position.last if position is not None and is_known else top
        async with self._asking:
            async with self._database.transaction() as tx:
                since = await store.greet_client(tx, channel.name, caller.user_id, client_id, since=begin)
            async with self._database.as_caller(caller.claims()) as tx:
                owed = await store.read_unacknowledged(
                    tx,
                    channel.name,
                    caller.user_id,
                    client_id,
                    since=since,
                    top=top,
                    most=self._settings.buffer_size,
                )
        return since, owed, top

    def _catch_up(
        self, channel: Channel, follower: Follower, position: Position, earlier: _Earlier | None
    ) -> list[StoredMessage] | None:
        """Sends all that was missed, and returns it; or says that there is a gap, and returns None."""
        standing, viewer = channel.standing, follower.viewer
        reason = why_not(position, standing)
        missed: list[StoredMessage] = []
        if reason is None:
            missed = channel.missed(viewer, position.last)
        elif reason == "buffer_exceeded" and earlier is not None and earlier.up_to >= standing.oldest - 1:
            missed = [message for message in earlier.messages if viewer.wants(message)]
            missed += channel.missed(viewer, earlier.up_to)
            reason = None if len(missed) <= self._settings.buffer_size else reason
        if reason is not None:
            follower.tell(gap(channel, reason, position.last))
            self._metrics.gaps.labels(channel.name, reason).inc()
            return None
        follower.tell(
            Resumed(
                channel=channel.name,
                epoch=channel.epoch,
                from_=position.last + 1,
                to=standing.top,
                replayed=len(missed),
            )
        )
        self._replay(channel, follower, position, missed)
        return missed

    def _replay(
        self, channel: Channel, follower: Follower, position: Position, missed: Sequence[StoredMessage]
    ) -> None:
        if not missed:
            return
        now, prev, payloads = self._clock(), position.last, []
        for message in missed:
            payloads.append(message.payload(prev=prev, replay=True))
            prev = message.sequence
            if message.requires_ack and follower.is_named:
                follower.owed.owe(message, now)
        follower.send(Frames(payloads))
        self._metrics.replayed.labels(channel.name).inc(len(missed))

    def _offer(
        self, channel: Channel, follower: Follower, owed: Sequence[StoredMessage], *, given: Sequence[StoredMessage]
    ) -> None:
        """What was never acknowledged is sent again, even across a gap, unless the replay has just done so."""
        replayed = {message.sequence for message in given}
        offers = [message for message in owed if message.sequence not in replayed and follower.viewer.sees(message)]
        if not offers:
            return
        now = self._clock()
        for message in offers:
            follower.owed.owe(message, now, redeliveries=1)
        follower.send(Frames([message.payload(redelivery=1) for message in offers]))
        self._metrics.redelivered.labels(channel.name).inc(len(offers))

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
    # Numbers of another epoch, or that were never given, are no place to begin from.
    after = last if reason == "buffer_exceeded" and last is not None else 0
    return Gap(
        channel=channel.name,
        epoch=channel.epoch,
        reason=reason,
        last_sequence=last,
        oldest_available=channel.standing.oldest,
        sequence=channel.top,
        resync=f"/api/live/{channel.name}?after_sequence={after}",
    )
