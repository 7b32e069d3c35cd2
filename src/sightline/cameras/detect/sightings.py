"""Sightings in a recording, or in a video that is treated as a camera's: at most two for each object, by time. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sightline.cameras.detect.found_tracks import FoundTrack
from sightline.geometry import Box

MAX_PATH_POINTS = 16


@dataclass(frozen=True, slots=True)
class VideoSighting:
    """An object in a video, as a camera would have reported it."""

    track_id: str
    number: int
    """Counts the sightings of a track, so that a repeated report is the same one."""
    label: str
    score: float
    at: datetime
    box: Box
    has_picture: bool
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def source_id(self) -> str:
        return f"{self.track_id}:{self.number}"


def sightings_of(
    found: Sequence[FoundTrack], *, video_id: UUID | None, started_at: datetime, models: Sequence[str]
) -> list[VideoSighting]:
    """Of each object that moved or did something: the moment at which it is seen best, and its end. Without a video they are of
    the camera's own recording."""
    sightings = []
    for one in found:
        if not one.is_worth_reporting:
            continue
        last_ms, last_box = one.boxes[-1]
        best_box = next(box for at_ms, box in one.boxes if at_ms == one.best_ms)
        common: dict[str, Any] = {
            "track_id": one.track.track_id,
            "seconds": round((last_ms - one.boxes[0][0]) / 1000, 1),
            "path": [[round(point.x, 4), round(point.y, 4)] for point in one.track.path[-MAX_PATH_POINTS:]],
        }
        common |= {"is_from_recording": True} if video_id is None else {"video_id": str(video_id)}
        if models:
            common["model"] = "+".join(models)
        behaviours = [behaviour.as_attributes() for behaviour in one.behaviours]
        seen: tuple[tuple[int, int, Box, dict[str, Any]], ...] = (
            (1, one.best_ms, best_box, {"behaviours": behaviours, "direction": one.track.direction}),
            (2, last_ms, last_box, {"ended": True}),
        )
        for number, at_ms, box, details in seen:
            attributes = common | {name: value for name, value in details.items() if value}
            if video_id is not None:
                attributes["t_ms"] = at_ms
            moment = started_at + timedelta(milliseconds=at_ms)
            sightings.append(
                VideoSighting(
                    one.track.track_id,
                    number,
                    one.track.label,
                    one.track.best_score,
                    moment,
                    box,
                    number == 1,
                    attributes,
                )
            )
    return sorted(sightings, key=lambda one: (one.at, one.track_id, one.number))


def by_episode(sightings: Sequence[VideoSighting], *, idle_s: float, age_s: float) -> Iterator[list[VideoSighting]]:
    """Groups as a live camera would have batched them: a pause or a long time begins a new group."""
    group: list[VideoSighting] = []
    for one in sightings:
        if group and (
            (one.at - group[-1].at).total_seconds() > idle_s or (one.at - group[0].at).total_seconds() > age_s
        ):
            yield group
            group = []
        group.append(one)
    if group:
        yield group
