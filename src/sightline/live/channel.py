"""One stream in one process: where it stands, what can be replayed from memory, and who is given what is new."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from sightline.live.follower import Follower
from sightline.live.frames import Frames
from sightline.live.message import StoredMessage
from sightline.live.metrics import LiveMetrics
from sightline.live.resume import Standing
from sightline.live.subscriptions import Group, Groups
from sightline.live.viewer import Viewer

# So many sockets are written to before others get a turn on the event loop.
SOCKETS_AT_A_STRETCH = 256


@dataclass(frozen=True, slots=True)
class _Lot:
    """What a group is given, and which of it is to be acknowledged."""

    frames: Frames
    members: tuple[Follower, ...]
    critical: list[StoredMessage]


class Channel:
    def __init__(self, name: str, *, buffer_size: int, metrics: LiveMetrics) -> None:
        self.name = name
        self.epoch = ""
        self.top = 0
        self.size = 0
        """How many connections follow it."""
        self._buffer: deque[StoredMessage] = deque(maxlen=buffer_size)
        self._groups = Groups()
        self._devices: dict[tuple[UUID, str], set[Follower]] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self._metrics = metrics
        self._connections = metrics.connections.labels(name)
        self._deliveries = metrics.deliveries.labels(name)

    @property
    def standing(self) -> Standing:
        return Standing(self.epoch, self.top, self._buffer[0].sequence if self._buffer else self.top + 1)

    @property
    def is_busy(self) -> bool:
        """While messages are on their way to the sockets: some followers have them by now, others not yet."""
        return not self._idle.is_set()

    async def settled(self) -> None:
        """Until nothing is on its way. What follows without an await finds every follower up to date."""
        while self.is_busy:
            await self._idle.wait()

    def begin(self, epoch: str, top: int, buffered: Sequence[StoredMessage]) -> None:
        """Stands where the database says it does."""
        self.epoch, self.top = epoch, top
        self._buffer.clear()
        self._buffer.extend(buffered)
        for group in self._groups:
            group.last = self._last_seen_by(group.viewer)

    def missed(self, viewer: Viewer, after: int) -> list[StoredMessage]:
        """What the viewer sees of the messages in memory that came after a number."""
        return [message for message in self._buffer if message.sequence > after and viewer.sees(message)]

    def followers(self) -> Iterator[tuple[Group, Follower]]:
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
        """The follower wants to see something else from now on. Not while the channel is busy."""
        self._groups.remove(follower)
        follower.viewer = viewer
        self._groups.add(follower, self._last_seen_by)

    async def broadcast(self, messages: Sequence[StoredMessage], now: float) -> None:
        """Gives new messages, which follow the top, to everybody who sees them.

        Whoever joins while this runs is not among the receivers: they are given the messages by replay.
        """
        lots = self._take_in(messages)
        self._idle.clear()
        turns = given = 0
        try:
            for lot in lots:
                frames, critical = lot.frames, lot.critical
                for follower in lot.members:
                    if follower.send(frames):
                        given += len(frames.payloads)
                        if critical and follower.is_named:
                            for message in critical:
                                follower.owed.owe(message, now)
                    turns += 1
                    if turns % SOCKETS_AT_A_STRETCH == 0:
                        await asyncio.sleep(0)
        finally:
            self._idle.set()
            self._deliveries.inc(given)
            self._metrics.messages.labels(self.name).inc(len(messages))

    def _take_in(self, messages: Sequence[StoredMessage]) -> list[_Lot]:
        if messages[0].sequence != self.top + 1:
            self._buffer.clear()  # some are gone for ever; a replay across the hole would hide it
        payloads: dict[Group, list[bytes]] = {}
        critical: dict[Group, list[StoredMessage]] = {}
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
        # Groups whose members get the same bytes share them, frames and all.
        shared: dict[tuple[bytes, ...], Frames] = {}
        lots = []
        for group, parts in payloads.items():
            key = tuple(parts)
            frames = shared.get(key) or shared.setdefault(key, Frames(parts))
            lots.append(_Lot(frames, tuple(group.members), critical.get(group, [])))
        return lots

    def _last_seen_by(self, viewer: Viewer) -> int:
        seen = (message.sequence for message in reversed(self._buffer) if viewer.sees(message))
        return next(seen, self.standing.oldest - 1)
