"""Whether a client that reconnects can be sent all missed messages, or has to reload. Pure."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

Reason = Literal["epoch_changed", "ahead", "buffer_exceeded"]


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """The last sequence that a client has, and the epoch of that sequence if the client sends it."""

    last: int
    epoch: str | None = None


@dataclass(frozen=True, slots=True)
class StreamState:
    """The newest sequence of a stream; `oldest` is the first that can still be replayed, `top` + 1 when none can."""

    epoch: str
    top: int
    oldest: int


def epoch_for(epoch: str, team_ids: Collection[UUID]) -> str:
    """The epoch of a caller's numbers. With other teams other messages are counted, so those are other numbers."""
    if not team_ids:
        return epoch
    return hashlib.sha256(",".join((epoch, *sorted(map(str, team_ids)))).encode()).hexdigest()[:8]


def gap_reason(position: ResumePoint, state: StreamState) -> Reason | None:
    """Why the client has to reload; None if everything after the position can be replayed. There is no partial replay."""
    if position.epoch is not None and position.epoch != state.epoch:
        return "epoch_changed"
    if position.last > state.top:
        return "ahead"
    # A client that has missed nothing needs no buffer, which is empty after a quiet night.
    if position.last == state.top or position.last >= state.oldest - 1:
        return None
    return "buffer_exceeded"
