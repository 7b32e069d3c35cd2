"""What may bring messages to a process faster and cheaper than the database does. What it lacks, the database has."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from sightline.live.message import StoredMessage

# A message that the database told of and nobody brought by then is read from the database.
GRACE_S = 0.1

Places = Callable[[], Mapping[str, tuple[str, int]]]
"""Where the process stands: epoch and last number, by stream."""


class Carrier(Protocol):
    async def run(self, places: Places, brought: Callable[[], None]) -> None:
        """Brings messages until it is cancelled, and calls `brought` when there are some. Outlives whatever goes wrong."""

    def take(self, stream: str, epoch: str, *, after: int) -> list[StoredMessage]:
        """Those that were brought and follow the number without a hole; the rest is forgotten."""


class Hints:
    """Notifications of the database, in a process that has a carrier: looked at only if the carrier is late."""

    def __init__(self, tops: Callable[[], Mapping[str, int]], is_late: Callable[[], None]) -> None:
        self._tops = tops
        self._is_late = is_late
        self._told: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None

    def heard(self, payload: str) -> None:
        stream, _, number = payload.partition(" ")
        self._told[stream] = int(number) if number.isdecimal() else 2**62  # that something is new, if not what
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GRACE_S, self._look)

    def _look(self) -> None:
        self._timer = None
        told, self._told = self._told, {}
        if any(top < told.get(stream, 0) for stream, top in self._tops().items()):
            self._is_late()
