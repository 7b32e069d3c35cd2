"""The video record and the allowed moves of its status. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sightline.contracts import Caller
from sightline.errors import Conflict, Gone, NotAllowed
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
    uploaded_by: UUID | None = None
    """Of a team's video: who is notified of it, as long as they are a member."""

    @property
    def person_id(self) -> UUID:
        """The person who is notified of it; of a team's video whose uploader has left, the team, which nobody notifies."""
        return self.uploaded_by or self.owner_id

    @property
    def is_of_team(self) -> bool:
        """Whether it belongs to a team that was made here, rather than to a person."""
        return self.owner_id == self.team_id

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
    uploaded_by: UUID | None = None


def new_video(
    video_id: UUID,
    caller: Caller,
    name: str,
    *,
    team_id: UUID | None,
    size_bytes: int | None = None,
    content_type: str | None = None,
    duration_ms: int | None = None,
) -> NewVideo:
    """A video that a caller uploads: their own, which a team of the identity provider may see too, or one of a team of here."""
    role = caller.role_in(team_id)
    if team_id is not None and role is None and team_id not in caller.team_ids:
        raise NotAllowed(f"you are not a member of team {team_id}")
    if role == "viewer":
        raise NotAllowed("Viewers of a team cannot upload to it. Ask an owner of the team to make you an editor.")
    owning_team = None if role is None else team_id
    return NewVideo(
        video_id,
        owner_id=owning_team or caller.user_id,
        name=name,
        owner_email=caller.email,
        team_id=team_id,
        size_bytes=size_bytes,
        content_type=content_type,
        duration_ms=duration_ms,
        uploaded_by=None if owning_team is None else caller.user_id,
    )


@dataclass(frozen=True, slots=True)
class VideoMove:
    """One entry of a video's history."""

    move: int
    status: VideoStatus
    reason: str | None
    at: datetime
