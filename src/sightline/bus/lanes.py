"""Lanes of a fair queue: how many messages of each owner a consumer works on, and the limit of that."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sightline.bus.message import Received
from sightline.timing import is_set_within


class LaneShare:
    """No lane has more than `max_per_lane` messages in work at a time, so that others always find room."""

    def __init__(self, max_per_lane: int) -> None:
        self.max_per_lane = max_per_lane
        self._in_work: Counter[str] = Counter()
        self._waiting: set[asyncio.Event] = set()
        self._half_left = asyncio.Event()
        self._half = 0

    @property
    def left(self) -> dict[str, int]:
        """For each lane in work: how many more it may have."""
        return {lane: max(self.max_per_lane - count, 0) for lane, count in self._in_work.items()}

    @property
    def has_full_lane(self) -> bool:
        return any(count >= self.max_per_lane for count in self._in_work.values())

    def enter(self, received: Sequence[Received]) -> None:
        self._in_work.update(one.lane for one in received if one.lane is not None)

    def leave(self, received: Sequence[Received]) -> None:
        for lane in (one.lane for one in received if one.lane is not None):
            self._in_work[lane] -= 1
            if self._in_work[lane] <= 0:
                del self._in_work[lane]
        if self._in_work.total() <= self._half:
            self._half_left.set()
        for event in self._waiting:
            event.set()

    async def wait_for_half(self, at_most_s: float) -> None:
        """Until half of what is in work now has left, so that what is claimed next is more than one message."""
        if not self._in_work:
            return
        self._half = self._in_work.total() // 2
        self._half_left.clear()
        await is_set_within(self._half_left, at_most_s)

    @contextmanager
    def waking(self, event: asyncio.Event) -> Iterator[None]:
        """Sets the event when a lane gets room."""
        self._waiting.add(event)
        try:
            yield
        finally:
            self._waiting.discard(event)
