"""Lanes of a fair queue: how many messages of each owner a consumer works on, and the limit of that."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sightline.bus.message import Received


class LaneShare:
    """No lane has more than `max_per_lane` messages in work at a time, so that others always find room."""

    def __init__(self, max_per_lane: int) -> None:
        self.max_per_lane = max_per_lane
        self._in_work: Counter[str] = Counter()
        self._waiting: set[asyncio.Event] = set()

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
        for event in self._waiting:
            event.set()

    @contextmanager
    def waking(self, event: asyncio.Event) -> Iterator[None]:
        """Sets the event when a lane gets room."""
        self._waiting.add(event)
        try:
            yield
        finally:
            self._waiting.discard(event)
