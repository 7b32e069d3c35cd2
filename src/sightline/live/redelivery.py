"""Which messages a connection owes an acknowledgement of, and when they are sent again. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.live.message import StoredMessage

REDELIVER_AFTER_S = (5.0, 15.0, 45.0)
"""Counted from when the message was first sent on the connection. After the last of them, it waits for the next connection."""


@dataclass(slots=True)
class _Debt:
    message: StoredMessage
    since: float
    step: int
    redeliveries: int


class Owed:
    def __init__(self, after_s: Sequence[float] = REDELIVER_AFTER_S) -> None:
        self._after_s = tuple(after_s)
        self._debts: dict[int, _Debt] = {}

    def __len__(self) -> int:
        return len(self._debts)

    def owe(self, message: StoredMessage, now: float, *, redeliveries: int = 0) -> None:
        """The message was just sent, for the first time or, on a new connection, again."""
        self._debts[message.sequence] = _Debt(message, now, 0, redeliveries)

    def settle(self, sequence: int) -> None:
        self._debts.pop(sequence, None)

    def due(self, now: float) -> list[tuple[StoredMessage, int]]:
        """What is to be sent again now, each with how many times it then will have been. However late, once."""
        found = []
        for sequence, debt in sorted(self._debts.items()):
            if debt.step < len(self._after_s) and now - debt.since >= self._after_s[debt.step]:
                while debt.step < len(self._after_s) and now - debt.since >= self._after_s[debt.step]:
                    debt.step += 1
                debt.redeliveries += 1
                found.append((debt.message, debt.redeliveries))
            if debt.step == len(self._after_s):
                del self._debts[sequence]
        return found
