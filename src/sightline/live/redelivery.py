"""Redelivery: the messages of a connection without an acknowledgement, and when they are sent again. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.live.message import Numbered

REDELIVER_AFTER_S = (5.0, 15.0, 45.0)
"""Counted from when the message was first sent on the connection. After the last of them, it waits for the next connection."""


@dataclass(slots=True)
class _PendingAck:
    numbered: Numbered
    since: float
    step: int
    redeliveries: int


class PendingAcks:
    def __init__(self, after_s: Sequence[float] = REDELIVER_AFTER_S) -> None:
        self._after_s = tuple(after_s)
        self._pending: dict[int, _PendingAck] = {}

    def __len__(self) -> int:
        return len(self._pending)

    def add(self, numbered: Numbered, now: float, *, redeliveries: int = 0) -> None:
        """The message was just sent, for the first time or, on a new connection, again."""
        self._pending[numbered.message.sequence] = _PendingAck(numbered, now, 0, redeliveries)

    def remove(self, sequence: int) -> None:
        self._pending.pop(sequence, None)

    def due(self, now: float) -> list[tuple[Numbered, int]]:
        """The messages to send again now, each with its number of redeliveries. However late the call, each is sent once."""
        found = []
        for sequence, pending in sorted(self._pending.items()):
            if pending.step < len(self._after_s) and now - pending.since >= self._after_s[pending.step]:
                while pending.step < len(self._after_s) and now - pending.since >= self._after_s[pending.step]:
                    pending.step += 1
                pending.redeliveries += 1
                found.append((pending.numbered, pending.redeliveries))
            if pending.step == len(self._after_s):
                del self._pending[sequence]
        return found
