"""Interface of a transport: brings messages to a process faster than the database. What it lacks is read from the database."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from sightline.live.message import FeedRecord

# A message that the database announced and the transport has not delivered by then is read from the database.
GRACE_S = 0.1

StreamPositions = Callable[[], Mapping[str, tuple[str, int]]]
"""The process's epoch and last sequence, by stream."""


class Transport(Protocol):
    async def run(self, positions: StreamPositions, on_messages: Callable[[], None]) -> None:
        """Receives messages until it is cancelled, and calls `on_messages` when there are some. Survives every error."""

    def take(self, stream: str, epoch: str, *, after: int) -> list[FeedRecord]:
        """The received messages that follow `after` without a hole; the rest is dropped."""


class Hints:
    """Notifications of the database in a process with a transport: used only if the transport is late."""

    def __init__(self, tops: Callable[[], Mapping[str, int]], on_late: Callable[[], None]) -> None:
        self._tops = tops
        self._on_late = on_late
        self._announced: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None

    def notify(self, payload: str) -> None:
        stream, _, number = payload.partition(" ")
        self._announced[stream] = (
            int(number) if number.isdecimal() else 2**62
        )  # something is new, the sequence is unknown
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GRACE_S, self._check)

    def _check(self) -> None:
        self._timer = None
        announced, self._announced = self._announced, {}
        if any(top < announced.get(stream, 0) for stream, top in self._tops().items()):
            self._on_late()
