"""What every reader of MQTT messages has in common."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sightline.geometry import Box

WHOLE_PICTURE: Box = (0.0, 0.0, 1.0, 1.0)
MAX_PICTURE_BYTES = 4 * 1024**2
"""Larger than the snapshot of any camera as JPEG; what is larger is skipped."""


@dataclass(frozen=True, slots=True)
class FedSighting:
    """A sighting before it has a camera."""

    label: str
    score: float
    at: float
    box: Box
    track_id: str
    number: int
    """From the message's own content, so that a message that is delivered twice is one sighting."""
    picture: bytes | None = None
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FeedResult:
    sightings: Sequence[FedSighting] = ()
    picture: bytes | None = None
    """The newest picture of the camera."""


class Feed(Protocol):
    @property
    def topics(self) -> Sequence[str]:
        """What is subscribed to."""
        ...

    def read(self, topic: str, payload: bytes, *, is_retained: bool, now: float) -> FeedResult:
        """Anybody may publish anything: what has another form is passed over."""
        ...
