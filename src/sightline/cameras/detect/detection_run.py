"""One run over a video or a recording: motion gate, detector, tracker and behaviours, look by look."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID, uuid5

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.cameras.behaviours import Behaviours
from sightline.cameras.detect.found_tracks import FoundTrack, FoundTracks
from sightline.cameras.motion import MotionGate
from sightline.cameras.shapes import Shapes
from sightline.geometry import Box, foot_of
from sightline.vision import SeenObject, Track, Tracker

Picture = NDArray[np.uint8]
FOLLOW_EVERY_S = 1.0
"""What is followed is looked for so often though it does not move."""
QUIET_EVERY_S = 5.0
"""So often a look is taken though nothing moves, since a scene may begin with people who sit."""
THUMBNAIL_HEIGHT = 200
THUMBNAIL_MARGIN = 0.25
JPEG_QUALITY = 82


class VideoDetector(Protocol):
    """What is used of the detector."""

    async def detect(
        self, picture: Picture, *, regions: Sequence[Box] = (), source: str = ""
    ) -> Sequence[SeenObject]: ...


class DetectionRun:
    """`directory` gets `{track}.jpg`, a cut-out, and with `keeps_frames` `{track}.full.jpg`, the whole picture."""

    def __init__(
        self,
        source: UUID,
        detector: VideoDetector,
        shapes: Shapes,
        directory: Path,
        *,
        new_id: Callable[[], str],
        keeps_frames: bool,
    ) -> None:
        self._source = str(source)
        self._detector = detector
        self._shapes = shapes
        self._directory = directory
        self._keeps_frames = keeps_frames
        self._gate = MotionGate(masks=shapes.masks, only_in=shapes.watched_areas)
        self._behaviours = Behaviours(shapes.zones, shapes.lines)
        self._found = FoundTracks()
        self._tracker: Tracker | None = None
        self._new_id = new_id
        self._last_detected: float | None = None
        self._regions: tuple[Box, ...] = ()
        self.looks = 0
        self.detected = 0
        """Looks that the detector saw."""

    def wants_picture(self, at_ms: int, gray: Picture) -> bool:
        """Takes a look with the motion gate. Returns whether the whole picture is needed."""
        at = at_ms / 1000
        self.looks += 1
        motion = self._gate.look(gray, at)
        self._regions = motion.regions
        if motion.is_scene_change and not motion.is_open and self._tracker is not None:
            self._end(self._tracker.finish(), at)  # a cut, or another scene: nobody walks from one into the other
        since = float("inf") if self._last_detected is None else at - self._last_detected
        is_following = self._tracker is not None and bool(self._tracker.live)
        is_other = (
            motion.is_scene_change or motion.is_light_change
        )  # a moving camera changes the whole picture all the time
        return motion.is_open or is_other or since >= (FOLLOW_EVERY_S if is_following else QUIET_EVERY_S)

    async def see(self, at_ms: int, picture: Picture) -> None:
        """Looks at the whole picture."""
        at = at_ms / 1000
        self._last_detected = at
        self.detected += 1
        objects = await self._detector.detect(picture, regions=self._regions, source=self._source)
        objects = [one for one in objects if not self._shapes.is_masked(foot_of(one.box))]
        self._gate.explain([one.box for one in objects])
        if self._tracker is None:
            self._tracker = Tracker(aspect=picture.shape[1] / picture.shape[0], new_id=self._new_id)
        better = []
        for track in self._tracker.update(at, objects):
            if self._found.see(track, at_ms):
                better.append(track)
            self._found.behave(self._behaviours.see(track, at))
        self._end(self._tracker.ended(at), at)
        if better:
            await asyncio.to_thread(self._keep_pictures, picture, better)

    def pass_time(self, at_ms: int) -> None:
        """What follows from time alone."""
        self._found.behave(self._behaviours.pass_time(at_ms / 1000))
        if self._tracker is not None:
            self._end(self._tracker.ended(at_ms / 1000), at_ms / 1000)

    def finish(self, at_ms: int) -> list[FoundTrack]:
        """All that was found, in the order of time."""
        self.break_off(at_ms)
        return self._found.in_order

    def break_off(self, at_ms: int) -> None:
        """Ends all tracks: what comes next is not filmed right after what came before."""
        if self._tracker is not None:
            self._end(self._tracker.finish(), at_ms / 1000)

    def take_ended(self) -> list[FoundTrack]:
        """Tracks that have ended since the last call, which are forgotten here. Their pictures stay in the directory."""
        return self._found.take_ended()

    def unsettled_since(self, at_ms: int) -> int:
        """When the first of the tracks began that are still followed and have something to report; now, if there is none."""
        return min((one.boxes[0][0] for one in self._found.followed if one.is_worth_reporting), default=at_ms)

    def _end(self, tracks: Sequence[Track], at: float) -> None:
        for track in tracks:
            self._found.behave(self._behaviours.end(track, at))
            if not self._found.end(track):
                for file in (
                    thumbnail_file(self._directory, track.track_id),
                    frame_file(self._directory, track.track_id),
                ):
                    file.unlink(missing_ok=True)

    def _keep_pictures(self, picture: Picture, tracks: Sequence[Track]) -> None:
        whole = jpeg(picture) if self._keeps_frames else None
        for track in tracks:
            thumbnail_file(self._directory, track.track_id).write_bytes(jpeg(cut_out(picture, track.box)))
            if whole is not None:
                frame_file(self._directory, track.track_id).write_bytes(whole)


def numbered_ids(video_id: UUID, run_id: str) -> Callable[[], str]:
    """Ids that are the same when the run is repeated, so that what was reported before is known."""
    number = 0

    def new_id() -> str:
        nonlocal number
        number += 1
        return str(uuid5(video_id, f"{run_id}:{number}"))

    return new_id


def thumbnail_file(directory: Path, track_id: str) -> Path:
    return directory / f"{track_id}.jpg"


def frame_file(directory: Path, track_id: str) -> Path:
    return directory / f"{track_id}.full.jpg"


def cut_out(picture: Picture, box: Box) -> Picture:
    """The object with some of its surroundings, not larger than a thumbnail needs to be."""
    height, width = picture.shape[:2]
    margin_x, margin_y = THUMBNAIL_MARGIN * box[2], THUMBNAIL_MARGIN * box[3]
    left, top = int(max(box[0] - margin_x, 0) * width), int(max(box[1] - margin_y, 0) * height)
    right = max(int(min(box[0] + box[2] + margin_x, 1) * width), left + 1)
    bottom = max(int(min(box[1] + box[3] + margin_y, 1) * height), top + 1)
    part = picture[top:bottom, left:right]
    scale = min(1.0, THUMBNAIL_HEIGHT / max(part.shape[0], 1))
    size = max(round(part.shape[1] * scale), 1), max(round(part.shape[0] * scale), 1)
    small: Picture = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    return small


def jpeg(picture: Picture) -> bytes:
    swapped: Any = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
    _, data = cv2.imencode(".jpg", swapped, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    content: bytes = data.tobytes()
    return content
