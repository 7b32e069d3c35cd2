"""A recording: one stored segment, and what a recorder says of itself. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

RecordMode = Literal["off", "events", "continuous"]
RecorderState = Literal["off", "waiting", "recording", "paused"]


@dataclass(frozen=True, slots=True)
class Recording:
    recording_id: UUID
    camera_key: UUID
    run: UUID
    number: int
    started_at: datetime
    ended_at: datetime
    key: str
    bytes: int
    init_bytes: int
    codec: str
    width: int
    height: int
    has_audio: bool
    is_independent: bool
    sequence: int = 0
    """Its number among all segments of the camera; 0 until it is stored."""
    breaks: int = 0
    """How many times segments could not be joined up to this one."""

    @property
    def duration_s(self) -> float:
        return (self.ended_at - self.started_at).total_seconds()

    def continues(self, before: "Recording") -> bool:
        """Whether it plays on from the one before without a break."""
        return self.run == before.run and self.number == before.number + 1


@dataclass(frozen=True, slots=True)
class RecordedSpan:
    """A time in which everything is recorded."""

    started_at: datetime
    ended_at: datetime
    bytes: int


@dataclass(frozen=True, slots=True)
class RecorderReport:
    """`reason` says why it is paused."""

    state: RecorderState
    reason: str | None = None
    dropped: int = 0
    since: datetime | None = None
