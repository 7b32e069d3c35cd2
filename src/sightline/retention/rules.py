"""Retention rules as people read them, and the removals that they announce. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sightline.retention.settings import RetentionSettings
from sightline.videos import Video, VideoPart

RuleName = Literal["videos", "originals", "frames", "clips", "recordings", "done_jobs", "failed_jobs"]


@dataclass(frozen=True, slots=True)
class RetentionRule:
    name: RuleName
    days: float | None = None
    max_bytes: int | None = None

    @property
    def is_in_force(self) -> bool:
        return self.days is not None or self.max_bytes is not None


@dataclass(frozen=True, slots=True)
class UpcomingRemoval:
    part: VideoPart
    at: datetime
    """The rule is applied some time after it."""


def retention_rules(settings: RetentionSettings, *, clip_keep_days: float) -> list[RetentionRule]:
    """In the order in which they are applied; those without limits are not in force."""
    return [
        RetentionRule("videos", settings.videos_days or None, settings.videos_max_bytes or None),
        RetentionRule("originals", settings.originals_days or None, settings.originals_max_bytes or None),
        RetentionRule("frames", settings.frames_days or None, settings.frames_max_bytes or None),
        RetentionRule("clips", clip_keep_days, settings.clips_max_bytes or None),
        RetentionRule("recordings", settings.recordings_days or None, settings.recordings_max_bytes or None),
        RetentionRule("done_jobs", settings.done_jobs_days or None),
        RetentionRule("failed_jobs", settings.failed_jobs_days or None),
    ]


def upcoming_removals(settings: RetentionSettings, video: Video, *, now: datetime) -> list[UpcomingRemoval]:
    """What rules will remove of the video by its age within the days of notice, soonest first.

    The deletion of the whole video makes what would come after it unnecessary.
    """
    if not video.status.is_final:
        return []
    due: dict[VideoPart, float] = {}
    if settings.videos_days:
        due[VideoPart.WHOLE] = settings.videos_days
    if settings.originals_days and video.original_removed_at is None:
        due[VideoPart.ORIGINAL] = settings.originals_days
    if settings.frames_days and video.frames_removed_at is None and video.index_status == "ready":
        due[VideoPart.FRAMES] = settings.frames_days
    whole_days = due.get(VideoPart.WHOLE, float("inf"))
    until = now + timedelta(days=settings.notice_days)
    found = [
        UpcomingRemoval(part, video.created_at + timedelta(days=days))
        for part, days in due.items()
        if part is VideoPart.WHOLE or days < whole_days
    ]
    return sorted((one for one in found if one.at <= until), key=lambda one: one.at)
