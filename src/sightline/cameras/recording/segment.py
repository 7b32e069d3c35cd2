"""A finished segment as the camera process reports it: a self-contained fragmented MP4 file. Pure."""

import re
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Self, get_args

from sightline.errors import InvalidInput

VideoCodec = Literal["h264", "hevc"]
VIDEO_CODECS: tuple[str, ...] = get_args(VideoCodec)
MAX_SEGMENT_S = 30.0
"""A stream whose key frames are further apart is cut between them."""
MAX_SEGMENT_BYTES = 48 * 1024 * 1024
_NAME = re.compile(r"([0-9a-f]{32})-(\d{6,9})\.mp4")


@dataclass(frozen=True, slots=True)
class FinishedSegment:
    """Initialization and media in one file: the first `init_bytes` describe the tracks, the rest are their samples."""

    run: str
    """Segments of one run share a clock and have consecutive numbers; a player joins them without a break."""
    number: int
    started_at: datetime
    duration_s: float
    bytes: int
    init_bytes: int
    codec: VideoCodec
    width: int
    height: int
    has_audio: bool
    is_independent: bool
    """Whether it begins with a key frame."""

    @property
    def name(self) -> str:
        return segment_name(self.run, self.number)

    @property
    def ended_at(self) -> datetime:
        return self.started_at + timedelta(seconds=self.duration_s)

    def overlaps(self, since: datetime, until: datetime) -> bool:
        return self.started_at < until and self.ended_at > since

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"started_at": self.started_at.timestamp()}

    @classmethod
    def from_json(cls, found: object) -> Self:
        """Reads what a camera process reported, which may be compromised: every value is checked."""
        try:
            assert isinstance(found, dict)
            segment = cls(
                run=str(found["run"]),
                number=int(found["number"]),
                started_at=datetime.fromtimestamp(float(found["started_at"]), UTC),
                duration_s=float(found["duration_s"]),
                bytes=int(found["bytes"]),
                init_bytes=int(found["init_bytes"]),
                codec=found["codec"],
                width=int(found["width"]),
                height=int(found["height"]),
                has_audio=found["has_audio"] is True,
                is_independent=found["is_independent"] is True,
            )
        except (AssertionError, KeyError, TypeError, ValueError, OverflowError, OSError) as error:
            raise InvalidInput("the camera process reported a segment that cannot be read") from error
        if not segment._is_plausible():
            raise InvalidInput("the camera process reported a segment that cannot be")
        return segment

    def _is_plausible(self) -> bool:
        return (
            _NAME.fullmatch(self.name) is not None
            and self.codec in VIDEO_CODECS
            and 0 < self.duration_s <= 2 * MAX_SEGMENT_S
            and 0 < self.init_bytes < self.bytes <= 2 * MAX_SEGMENT_BYTES
            and 0 < self.width <= 16384
            and 0 < self.height <= 16384
        )


def new_run(began_s: float) -> str:
    """An id that begins with the time in milliseconds: runs of a camera are in order."""
    return f"{max(0, int(began_s * 1000)) & 0xFFFF_FFFF_FFFF:012x}{secrets.token_hex(10)}"


def segment_name(run: str, number: int) -> str:
    return f"{run}-{number:06}.mp4"


def is_segment_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None
