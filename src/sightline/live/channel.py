"""One stream in one process: its newest sequence, the messages in memory, and its followers."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from sightline.live.follower import Follower
from sightline.live.frames import Frames
from sightline.live.message import FeedRecord
from sightline.live.metrics import LiveMetrics
from sightline.live.resume import StreamState
from sightline.live.subscriptions import Subscriptions, ViewerGroup
from sightline.live.viewer import Viewer

# After this many sockets, other tasks get a turn on the event loop.
SOCKETS_PER_TURN = 256


@dataclass(frozen=True, slots=True)
class _GroupDelivery:
    """The frames for a group, and the messages that need an acknowledgement."""

    frames: Frames
    members: tuple[Follower, ...]
    critical: list[FeedRecord]


class Channel:
    def __init__(self, name: str, *, buffer_size: int, metrics: LiveMetrics) -> None:
        self.name = name
        self.epoch = ""
        self.top = 0
        self.size = 0
        """How many connections follow it."""
        self._buffer: deque[FeedRecord] = deque(maxlen=buffer_size)
        self._groups = Subscriptions()
        self._devices: dict[tuple[UUID, str], set[Follower]] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self._metrics = metrics
        self._connections = metrics.connections.labels(name)
        self._deliveries = metrics.deliveries.labels(name)

    @property
    def state(self) -> StreamState:
        return StreamState(self.epoch, self.top, self._buffer[0].sequence if self._buffer else self.top + 1)

    @property
    def is_busy(self) -> bool:
        """While messages are on their way to the sockets: some followers have them by now, others not yet."""
        return not self._idle.is_set()

    async def settled(self) -> None:
        """Until nothing is on its way. What follows without an await finds every follower up to date."""
        while self.is_busy:
            await self._idle.wait()

    def begin(self, epoch: str, top: int, buffered: Sequence[FeedRecord]) -> None:
        """Starts at the state that the database has."""
        self.epoch, self.top = epoch, top
        self._buffer.clear()
        self._buffer.extend(buffered)
        for group in self._groups:
            group.last = self._last_seen_by(group.viewer)

    def missed(self, viewer: Viewer, after: int) -> list[FeedRecord]:
        """What the viewer sees of the messages in memory that came after a number."""
        return [message for message in self._buffer if message.sequence > after and viewer.sees(message)]

    def followers(self) -> Iterator[tuple[ViewerGroup, Follower]]:
        for group in tuple(self._groups):
            for follower in tuple(group.members):
                yield group, follower

    def of_device(self, device: tuple[UUID, str]) -> Iterable[Follower]:
        """All connections of a device, a user and its name: a browser has one id for all of its tabs."""
        return self._devices.get(device, ())

    def join(self, follower: Follower) -> None:
        self._groups.add(follower, self._last_seen_by)
        self._devices.setdefault(follower.device, set()).add(follower)
        self.size += 1
        self._connections.inc()

    def leave(self, follower: Follower) -> None:
        self._groups.remove(follower)
        siblings = self._devices[follower.device]
        siblings.discard(follower)
        if not siblings:
            del self._devices[follower.device]
        self.size -= 1
        self._connections.dec()

    def move(self, follower: Follower, viewer: Viewer) -> None:
        """Changes what the follower sees from now on. Not while the channel is busy."""
        self._groups.remove(follower)
        follower.viewer = viewer
        self._groups.add(follower, self._last_seen_by)

    async def broadcast(self, messages: Sequence[FeedRecord], now: float) -> None:
        """Sends new messages, which follow the top, to every follower who sees them.

        A follower that joins while this runs is not among the receivers: it gets the messages by replay.
        """
        deliveries = self._append(messages)
        self._idle.clear()
        turns = given = 0
        try:
            for delivery in deliveries:
                frames, critical = delivery.frames, delivery.critical
                for follower in delivery.members:
                    if follower.send(frames):
                        given += len(frames.payloads)
                        if critical and follower.has_client_id:
                            for message in critical:
                                follower.pending_acks.add(message, now)
                    turns += 1
                    if turns % SOCKETS_PER_TURN == 0:
                        await asyncio.sleep(0)
        finally:
            self._idle.set()
            self._deliveries.inc(given)
            self._metrics.messages.labels(self.name).inc(len(messages))

    def _append(self, messages: Sequence[FeedRecord]) -> list[_GroupDelivery]:
        if messages[0].sequence != self.top + 1:
            self._buffer.clear()  # some messages are lost; a replay across the hole would hide that
        payloads: dict[ViewerGroup, list[bytes]] = {}
        critical: dict[ViewerGroup, list[FeedRecord]] = {}
        for message in messages:
            self._buffer.append(message)
            self.top = message.sequence
            built: dict[int, bytes] = {}
            for group in self._groups.that_see(message):
                payload = built.get(group.last)
                if payload is None:
                    payload = built[group.last] = message.payload(prev=group.last)
                group.last = message.sequence
                payloads.setdefault(group, []).append(payload)
                if message.requires_ack:
                    critical.setdefault(group, []).append(message)
        # Groups whose members get the same bytes share one set of frames.
        shared: dict[tuple[bytes, ...], Frames] = {}
        deliveries = []
        for group, parts in payloads.items():
            key = tuple(parts)
            frames = shared.get(key) or shared.setdefault(key, Frames(parts))
            deliveries.append(_GroupDelivery(frames, tuple(group.members), critical.get(group, [])))
        return deliveries

    def _last_seen_by(self, viewer: Viewer) -> int:
        seen = (message.sequence for message in reversed(self._buffer) if viewer.sees(message))
        return next(seen, self.state.oldest - 1)
