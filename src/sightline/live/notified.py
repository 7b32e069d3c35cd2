"""Messages that ride in notifications of the database, as far as they follow what the process has. What they lack is read."""

import time
from collections.abc import Callable
from uuid import UUID

from sightline.live.message import FeedRecord

# If more than this waits, a read from the database is cheaper than keeping it.
MAX_WAITING = 5000
_WORDS = 9
_NONE = "-"


class NotifiedMessages:
    """PostgreSQL delivers notifications in the order of commits, which is that of the numbers of a stream. But they may be lost
    with the connection, and long messages are only announced: what is not the next number of the same epoch is left to a read."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._waiting: dict[str, list[tuple[str, FeedRecord]]] = {}
        self._count = 0
        self._is_incomplete = False

    def add(self, payload: str) -> None:
        head, _, data = payload.partition("\n")
        words = head.split(" ")
        if not data or len(words) != _WORDS or self._count >= MAX_WAITING:
            self._is_incomplete = True
            return
        stream, sequence, epoch, kind, topic, requires_ack, owner_id, team_id, sent_at = words
        message = FeedRecord(
            int(sequence),
            kind,
            None if topic == _NONE else topic,
            requires_ack == "1",
            data,
            None if owner_id == _NONE else UUID(owner_id),
            None if team_id == _NONE else UUID(team_id),
            max(0.0, self._clock() - float(sent_at)),
        )
        self._waiting.setdefault(stream, []).append((epoch, message))
        self._count += 1

    @property
    def is_empty(self) -> bool:
        return not self._count

    def take(self, stream: str, epoch: str, *, after: int) -> list[FeedRecord]:
        """The messages that follow `after` without a hole; the rest is dropped, and has to be read."""
        found: list[FeedRecord] = []
        waiting = self._waiting.pop(stream, [])
        self._count -= len(waiting)
        for its_epoch, message in waiting:
            if its_epoch == epoch and message.sequence == after + 1:
                found.append(message)
                after += 1
            elif its_epoch != epoch or message.sequence > after:
                self._is_incomplete = True
        return found

    def was_incomplete(self) -> bool:
        """Whether there is more than was taken since the last call."""
        found, self._is_incomplete = self._is_incomplete, False
        return found
