"""Whether a client that returns can be given all that it missed, or must load afresh. Pure."""

from dataclasses import dataclass
from typing import Literal

Reason = Literal["epoch_changed", "ahead", "buffer_exceeded"]


@dataclass(frozen=True, slots=True)
class Position:
    """Where a client stands: the last number it has, and the epoch that the number is of, if it says so."""

    last: int
    epoch: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a stream stands; `oldest` is the first number that can still be replayed, `top` + 1 when none can."""

    epoch: str
    top: int
    oldest: int


def why_not(position: Position, standing: Standing) -> Reason | None:
    """None: everything after the position can be replayed. There is no partial replay."""
    if position.epoch is not None and position.epoch != standing.epoch:
        return "epoch_changed"
    if position.last > standing.top:
        return "ahead"
    # A client that has missed nothing needs no buffer: after a quiet night it is empty, and nobody missed anything.
    if position.last == standing.top or position.last >= standing.oldest - 1:
        return None
    return "buffer_exceeded"
