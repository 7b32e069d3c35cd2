"""The video record and the allowed moves of its status. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sightline.errors import Conflict, Gone
from sightline.timing import iso_utc


class VideoStatus(StrEnum):
    CREATED = "CREATED"
    UPLOADING = "UPLOADING"
    UPLOADED = "UPLOADED"
    PROCESSING = "PROCESSING"
    SPLITTING = "SPLITTING"
    PRINTING = "PRINTING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"

    @property
    def is_final(self) -> bool:
        return self in (VideoStatus.COMPLETED, VideoStatus.FAILED)

    @property
    def is_before_uploaded(self) -> bool:
        return self in (VideoStatus.CREATED, VideoStatus.UPLOADING)


_NEXT: dict[VideoStatus, frozenset[VideoStatus]] = {
    VideoStatus.CREATED: frozenset({VideoStatus.UPLOADING, VideoStatus.UPLOADED, VideoStatus.FAILED}),
    VideoStatus.UPLOADING: frozenset({VideoStatus.UPLOADED, VideoStatus.FAILED}),
    VideoStatus.UPLOADED: frozenset({VideoStatus.PROCESSING, VideoStatus.FAILED}),
    VideoStatus.PROCESSING: frozenset({VideoStatus.SPLITTING, VideoStatus.FAILED}),
    VideoStatus.SPLITTING: frozenset({VideoStatus.PRINTING, VideoStatus.FAILED}),
    VideoStatus.PRINTING: frozenset({VideoStatus.COMPLETED, VideoStatus.FAILED}),
    VideoStatus.COMPLETED: frozenset(),
    VideoStatus.FAILED: frozenset(),
}

RESUMABLE = frozenset({VideoStatus.PROCESSING, VideoStatus.SPLITTING, VideoStatus.PRINTING})
"""Statuses from which a failed video can be resumed by hand."""


def sources_of(target: VideoStatus) -> tuple[VideoStatus, ...]:
    """The statuses from which a video may move to this one."""
    return tuple(status for status in VideoStatus if target in _NEXT[status])


_PROCESSING_ORDER = (
    VideoStatus.UPLOADED,
    VideoStatus.PROCESSING,
    VideoStatus.SPLITTING,
    VideoStatus.PRINTING,
    VideoStatus.COMPLETED,
)


def steps_between(status: VideoStatus, target: VideoStatus) -> tuple[VideoStatus, ...]:
    """The moves that processing makes from one status to another; none to a status before, or from one before UPLOADED."""
    if status not in _PROCESSING_ORDER or target not in _PROCESSING_ORDER:
        return ()
    return _PROCESSING_ORDER[_PROCESSING_ORDER.index(status) + 1 : _PROCESSING_ORDER.index(target) + 1]


class MoveRefused(Conflict):
    """No move leads from the current status of the video to the target."""

    def __init__(self, video_id: UUID, current: VideoStatus, target: VideoStatus) -> None:
        super().__init__(
            f"video {video_id} is {current} and cannot become {target}",
            details={"videoId": str(video_id), "status": current, "wanted": target},
        )


@dataclass(frozen=True, slots=True)
class Video:
    id: UUID
    owner_id: UUID
    team_id: UUID | None
    owner_email: str | None
    name: str
    status: VideoStatus
    index_status: str
    status_reason: str | None
    error_reason: str | None
    failed_from: VideoStatus | None
    moves: int
    size_bytes: int | None
    content_type: str | None
    duration_ms: int | None
    fps: float | None
    width: int | None
    height: int | None
    s3_original_path: str
    s3_proxy_path: str | None
    s3_thumb_path: str | None
    created_at: datetime
    updated_at: datetime
    original_removed_at: datetime | None = None
    frames_removed_at: datetime | None = None
    media_note: str | None = None
    """What people should know of the file, such as that it is cut off."""
    description: str | None = None
    tags: tuple[str, ...] = ()
    sprite_sheet: Mapping[str, Any] | None = None
    """How the pictures of the sprite sheet are laid out; None if there is none."""
    trashed_at: datetime | None = None
    """Since when it is in the trash."""

    def need_original(self) -> None:
        """Raises `Gone` if a retention rule removed the original."""
        if self.original_removed_at is not None:
            raise Gone(
                f"The original of this video was removed on {self.original_removed_at:%Y-%m-%d} by a retention rule. "
                "The video can still be watched and searched; upload the file again to download it or make clips.",
                code="ORIGINAL_REMOVED",
                details={"removedAt": iso_utc(self.original_removed_at)},
            )

    def need_frames(self) -> None:
        """Raises `Gone` if a retention rule removed the key frames."""
        if self.frames_removed_at is not None:
            raise Gone(
                f"The key frames of this video were removed on {self.frames_removed_at:%Y-%m-%d} by a retention rule. "
                "The video can still be watched and searched.",
                code="FRAMES_REMOVED",
                details={"removedAt": iso_utc(self.frames_removed_at)},
            )

    @property
    def measured_duration_ms(self) -> int | None:
        """None before it was transcoded: until then, the length is what the uploader said."""
        return None if self.s3_proxy_path is None else self.duration_ms


@dataclass(frozen=True, slots=True)
class NewVideo:
    """A video to create, before or after its bytes are stored."""

    id: UUID
    owner_id: UUID
    name: str
    owner_email: str | None = None
    team_id: UUID | None = None
    size_bytes: int | None = None
    content_type: str | None = None
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True)
class VideoMove:
    """One entry of a video's history."""

    move: int
    status: VideoStatus
    reason: str | None
    at: datetime
