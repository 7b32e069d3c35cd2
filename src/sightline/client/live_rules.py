"""What a follower of the live feed does with each frame, by the rules of docs/live.md. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

REMEMBERED_REDELIVERIES = 1000


@dataclass(frozen=True, slots=True)
class FeedPosition:
    """Where a client stands. Kept over a restart, it brings what was missed meanwhile."""

    sequence: int
    epoch: str


@dataclass(frozen=True, slots=True)
class FeedMessage:
    """Something that was said on the stream."""

    type: str
    sequence: int
    data: Mapping[str, Any]
    requires_ack: bool = False
    is_replay: bool = False


@dataclass(frozen=True, slots=True)
class FeedGap:
    """Something was missed that cannot be replayed: load afresh, `resync` says where."""

    reason: str
    resync: str


@dataclass(slots=True)
class FollowerStep:
    """What follows from a frame: something for the caller, and something to send."""

    item: FeedMessage | FeedGap | None = None
    send: list[dict[str, Any]] = field(default_factory=list)


class FeedFollower:
    """Follows one connection after another; `position` moves with what the caller was given."""

    def __init__(self, position: FeedPosition | None = None) -> None:
        self.position = position
        self._used: dict[int, None] = {}
        self._replay: tuple[int, int] | None = None
        """How many missed messages are still to come, and where we stand after them."""

    def take(self, frame: Mapping[str, Any]) -> FollowerStep:
        if isinstance(frame.get("sequence"), int):
            return self._message(frame)
        data = frame.get("data")
        data = data if isinstance(data, Mapping) else {}
        match frame.get("type"):
            case "hello":
                self._replay = None
                # Without a position of our own, the feed starts here.
                if self.position is None:
                    self.position = FeedPosition(data["sequence"], data["epoch"])
            case "gap":
                self.position = FeedPosition(data["sequence"], data["epoch"])
                return FollowerStep(FeedGap(data["reason"], data["resync"]))
            case "resumed":
                self._replay = (data["replayed"], data["to"])
                self._end_of_replay()
            case "subscribed" if self.position is not None:
                self.position = FeedPosition(data["sequence"], self.position.epoch)
            case "ping":
                step = FollowerStep(send=[{"type": "pong"}])
                if self.position is not None and frame.get("lastSeq", 0) > self.position.sequence:
                    step.send.append(self._resume())
                return step
        return FollowerStep()

    def _message(self, frame: Mapping[str, Any]) -> FollowerStep:
        assert self.position is not None, "a message before the greeting"
        sequence: int = frame["sequence"]
        last = self.position.sequence
        message = FeedMessage(
            frame["type"], sequence, frame["data"], bool(frame.get("requires_ack")), bool(frame.get("replay"))
        )
        if frame.get("redelivery"):
            # One from before a gap, or that our last run did not confirm, is new to us. The position stays where it is.
            return FollowerStep(send=[self.ack(sequence)]) if sequence in self._used else FollowerStep(message)
        if sequence <= last:
            return FollowerStep(send=[self.ack(sequence)] if message.requires_ack else [])
        if frame.get("prev", sequence - 1) > last:
            return FollowerStep(send=[self._resume()])
        self.position = FeedPosition(sequence, self.position.epoch)
        if self._replay is not None:
            self._replay = (self._replay[0] - 1, self._replay[1])
            self._end_of_replay()
        return FollowerStep(message)

    def _end_of_replay(self) -> None:
        """Numbers that are not for us may follow the last message that is."""
        assert self.position is not None
        if self._replay is not None and self._replay[0] <= 0:
            self.position = FeedPosition(max(self._replay[1], self.position.sequence), self.position.epoch)
            self._replay = None

    def used(self, message: FeedMessage) -> list[dict[str, Any]]:
        """The caller is done with the message: what to send."""
        if not message.requires_ack:
            return []
        self._used[message.sequence] = None
        if len(self._used) > REMEMBERED_REDELIVERIES:
            del self._used[next(iter(self._used))]
        return [self.ack(message.sequence)]

    def ack(self, sequence: int) -> dict[str, Any]:
        return {"type": "ack", "sequence": sequence}

    def _resume(self) -> dict[str, Any]:
        assert self.position is not None
        return {"type": "resume", "last_sequence": self.position.sequence, "epoch": self.position.epoch}
