"""One stream in one process: its newest sequence, the messages in memory, and its followers."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sightline.live.follower import Follower
from sightline.live.frames import Frames
from sightline.live.message import FeedRecord, Numbered
from sightline.live.metrics import LiveMetrics
from sightline.live.resume import StreamState, epoch_for
from sightline.live.subscriptions import Subscriptions, ViewerGroup
from sightline.live.viewer import AudienceKey, Viewer

# After this many sockets, other tasks get a turn on the event loop.
SOCKETS_PER_TURN = 256


@dataclass(frozen=True, slots=True)
class _GroupDelivery:
    """The frames for a group, and the messages that need an acknowledgement."""

    frames: Frames
    members: tuple[Follower, ...]
    critical: list[Numbered]


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
        """In numbers of the stream, which count the messages of all callers."""
        return StreamState(self.epoch, self.top, self._buffer[0].sequence if self._buffer else self.top + 1)

    @property
    def is_busy(self) -> bool:
        """While messages are on their way to the sockets: some followers have them by now, others not yet."""
        return not self._idle.is_set()

    async def settled(self) -> None:
        """Until nothing is on its way. What follows without an await finds every follower up to date."""
        while self.is_busy:
            await self._idle.wait()

    def begin(
        self, epoch: str, top: int, buffered: Sequence[FeedRecord], numbers: Mapping[AudienceKey, int] | None = None
    ) -> None:
        """Starts at the state that the database has; `numbers` are those of the audiences at that state."""
        self.epoch, self.top = epoch, top
        self._buffer.clear()
        self._buffer.extend(buffered)
        for audience in self._groups.audiences:
            audience.number = (numbers or {}).get(audience.key, audience.number)
        for group in self._groups:
            group.last = self._last_seen_by(group.viewer, group.audience.number)

    def epoch_for(self, viewer: Viewer) -> str:
        return epoch_for(self.epoch, viewer.team_ids)

    def state_for(self, viewer: Viewer, number: int) -> StreamState:
        """The stream as the viewer sees it; `number` is the viewer's newest."""
        visible = sum(viewer.may_see(message) for message in self._buffer)
        return StreamState(self.epoch_for(viewer), number, number - visible + 1)

    def number_of(self, viewer: Viewer) -> int | None:
        """The viewer's newest number, if it is known because a connection with the same rights is open."""
        return self._groups.number_of(viewer.audience)

    def number_at_top(self, viewer: Viewer, number: int, up_to: int) -> int | None:
        """The viewer's newest number, given that at an earlier place in the stream; None if memory does not reach back there."""
        known = self.number_of(viewer)
        if known is not None:
            return known
        if up_to > self.top or up_to < self.state.oldest - 1:
            return None
        return number + sum(message.sequence > up_to and viewer.may_see(message) for message in self._buffer)

    def numbered(self, viewer: Viewer, number: int) -> list[Numbered]:
        """The messages in memory that the viewer may see, oldest first; the newest has the given number."""
        visible = [message for message in self._buffer if viewer.may_see(message)]
        first = number - len(visible) + 1
        return [Numbered(first + index, message) for index, message in enumerate(visible)]

    def sequence_of(self, viewer: Viewer, newest: int, number: int) -> int | None:
        """The place in the stream of the viewer's message with a number, if memory holds it."""
        for message in reversed(self._buffer):
            if viewer.may_see(message):
                if newest == number:
                    return message.sequence
                newest -= 1
        return None

    def missed(self, viewer: Viewer, number: int, *, after: int) -> list[Numbered]:
        """What the viewer sees and follows of the messages in memory, after one of the viewer's numbers."""
        return [one for one in self.numbered(viewer, number) if one.number > after and viewer.wants(one.message)]

    def followers(self) -> Iterator[tuple[ViewerGroup, Follower]]:
        for group in tuple(self._groups):
            for follower in tuple(group.members):
                yield group, follower

    def of_device(self, device: tuple[UUID, str]) -> Iterable[Follower]:
        """All connections of a device, a user and its name: a browser has one id for all of its tabs."""
        return self._devices.get(device, ())

    def join(self, follower: Follower, number: int) -> None:
        """`number` is the newest of the follower's viewer."""
        self._groups.add(follower, number, self._last_seen_by)
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
        number = self._groups.number_of(follower.viewer.audience) or 0
        self._groups.remove(follower)
        follower.viewer = viewer
        self._groups.add(follower, number, self._last_seen_by)

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
                            for one in critical:
                                follower.pending_acks.add(one, now)
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
        critical: dict[ViewerGroup, list[Numbered]] = {}
        for message in messages:
            self._buffer.append(message)
            self.top = message.sequence
            built: dict[tuple[int, int], bytes] = {}
            for audience in self._groups.that_may_see(message):
                number = audience.number = audience.number + 1
                for group in audience.groups.values():
                    if not group.viewer.wants(message):
                        continue
                    payload = built.get((number, group.last))
                    if payload is None:
                        payload = built[number, group.last] = message.payload(number, prev=group.last)
                    group.last = number
                    payloads.setdefault(group, []).append(payload)
                    if message.requires_ack:
                        critical.setdefault(group, []).append(Numbered(number, message))
        # Groups whose members get the same bytes share one set of frames.
        shared: dict[tuple[bytes, ...], Frames] = {}
        deliveries = []
        for group, parts in payloads.items():
            key = tuple(parts)
            frames = shared.get(key) or shared.setdefault(key, Frames(parts))
            deliveries.append(_GroupDelivery(frames, tuple(group.members), critical.get(group, [])))
        return deliveries

    def _last_seen_by(self, viewer: Viewer, number: int) -> int:
        numbered = self.numbered(viewer, number)
        seen = (one.number for one in reversed(numbered) if viewer.wants(one.message))
        return next(seen, number - len(numbered))
