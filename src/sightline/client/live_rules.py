"""Rules of a live feed client: how it handles each frame (docs/live.md). Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_REMEMBERED_ACKS = 1000


@dataclass(frozen=True, slots=True)
class FeedPosition:
    """The position of a client in the feed. Saved across a restart, it brings what was missed in the meantime."""

    sequence: int
    epoch: str


@dataclass(frozen=True, slots=True)
class FeedMessage:
    """A message of the stream."""

    type: str
    sequence: int
    data: Mapping[str, Any]
    requires_ack: bool = False
    is_replay: bool = False


@dataclass(frozen=True, slots=True)
class FeedGap:
    """Messages were missed that cannot be replayed: reload from the URL in `resync`."""

    reason: str
    resync: str


@dataclass(slots=True)
class FollowerStep:
    """The result of a frame: an item for the caller, and messages to send."""

    item: FeedMessage | FeedGap | None = None
    send: list[dict[str, Any]] = field(default_factory=list)


class FeedFollower:
    """Follows the feed across connections; `position` moves with what was passed to the caller."""

    def __init__(self, position: FeedPosition | None = None) -> None:
        self.position = position
        self._acknowledged: dict[int, None] = {}
        self._replay: tuple[int, int] | None = None
        """How many missed messages are still to come, and the position after them."""

    def handle(self, frame: Mapping[str, Any]) -> FollowerStep:
        if isinstance(frame.get("sequence"), int):
            return self._message(frame)
        data = frame.get("data")
        data = data if isinstance(data, Mapping) else {}
        match frame.get("type"):
            case "hello":
                self._replay = None
                # Without a position, the feed starts here.
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
        assert self.position is not None, "a message before hello"
        sequence: int = frame["sequence"]
        last = self.position.sequence
        message = FeedMessage(
            frame["type"], sequence, frame["data"], bool(frame.get("requires_ack")), bool(frame.get("replay"))
        )
        if frame.get("redelivery"):
            # A message from before a gap, or that the last run did not acknowledge, is new here. The position stays.
            return FollowerStep(send=[self.ack(sequence)]) if sequence in self._acknowledged else FollowerStep(message)
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
        """Sequence numbers of messages for other clients may follow the last one for this client."""
        assert self.position is not None
        if self._replay is not None and self._replay[0] <= 0:
            self.position = FeedPosition(max(self._replay[1], self.position.sequence), self.position.epoch)
            self._replay = None

    def acknowledge(self, message: FeedMessage) -> list[dict[str, Any]]:
        """What to send when the caller has handled the message."""
        if not message.requires_ack:
            return []
        self._acknowledged[message.sequence] = None
        if len(self._acknowledged) > MAX_REMEMBERED_ACKS:
            del self._acknowledged[next(iter(self._acknowledged))]
        return [self.ack(message.sequence)]

    def ack(self, sequence: int) -> dict[str, Any]:
        return {"type": "ack", "sequence": sequence}

    def _resume(self) -> dict[str, Any]:
        assert self.position is not None
        return {"type": "resume", "last_sequence": self.position.sequence, "epoch": self.position.epoch}
