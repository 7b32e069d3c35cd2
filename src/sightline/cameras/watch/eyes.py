"""The eyes of one camera: from looks to sightings, through detector, tracker and behaviours, or from motion alone."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.cameras.behaviours import Behaviours, TrackBehaviour
from sightline.cameras.shapes import Shapes
from sightline.cameras.sources import CameraLook, Rest
from sightline.cameras.watch.leases_store import WatchedCamera
from sightline.cameras.watch.look_plan import LookPlanner
from sightline.cameras.watch.motion_episodes import MOTION_LABEL, MOTION_SCORE, MotionEpisodes, MotionSighting
from sightline.cameras.watch.resting import EmptyMotion, Enlarging, explains, rest_after
from sightline.cameras.watch.sighting import CameraSighting, SightingPolicy, attributes_of
from sightline.errors import PlatformError
from sightline.geometry import Box, foot_of
from sightline.vision import DetectedObject, Detector, Track, Tracker

Encode = Callable[[NDArray[np.uint8]], bytes]
_BLANK = np.zeros((64, 64, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look led to."""

    sightings: list[CameraSighting]
    boxes: list[Box]
    """Where objects are, whether reported or not."""
    rest: Rest | None = None
    """Until when no look is needed, unless something else moves."""
    is_known: bool = False
    """Everything that moved is followed and was reported, or is weather."""


class DetectingEyes:
    """With a detector: objects are followed, and reported when they have moved or done something."""

    def __init__(
        self,
        camera: WatchedCamera,
        detector: Detector,
        shapes: Shapes,
        *,
        labels: Collection[str],
        encode: Encode,
        aspect: float = 16 / 9,
    ) -> None:
        self._camera = camera
        self._detector = detector
        self._shapes = shapes
        self._labels = frozenset(labels)
        self._encode = encode
        self._models = [card.name for card in detector.models]
        self._tracker = Tracker(aspect=aspect)
        self._behaviours = Behaviours(shapes.zones, shapes.lines)
        self._policy = SightingPolicy()
        self._empty_motion = EmptyMotion()
        self._enlarging = Enlarging()
        self._planner = LookPlanner()
        self._is_known = False
        """Whether everything that moved at the last look was known."""

    @property
    def is_following(self) -> bool:
        return any(track.is_confirmed for track in self._tracker.live)

    async def prepare(self) -> None:
        """Lets the detector load its models before anybody comes: that takes seconds, and who walks by does not wait."""
        with suppress(PlatformError):  # which the first look reports
            await self._detector.detect(_BLANK, source=str(self._camera.camera_key))

    async def look(self, look: CameraLook) -> Seen:
        height, width = look.picture.shape[:2]
        aspect = width / height
        known = [track for track in self._tracker.live if self._policy.is_reported(track.track_id)]
        plan = self._planner.plan(self._tracker.live, look.regions, look.at, aspect=aspect)
        enlarged: Sequence[Box] | None = plan.enlarged
        if enlarged is None:
            enlarged = self._enlarging.regions(known, look.regions, look.at, aspect=aspect)
        found = await self._detector.detect(
            look.picture,
            regions=enlarged,
            source=str(self._camera.camera_key),
            is_urgent=not self._is_known,
            part=plan.part,
            is_brief=plan.is_brief,
        )
        objects = [one for one in found if self._counts(one)]
        due: list[tuple[Track, list[TrackBehaviour], int]] = []
        for track in self._tracker.update(look.at, objects):
            behaviours = self._behaviours.see(track, look.at)
            if not self._shapes.is_watched(foot_of(track.box)):
                continue  # followed all the same, so that one who enters a zone is known
            number = self._policy.see(track, behaviours, look.regions, look.at)
            if number is not None:
                due.append((track, behaviours, number))
            if number == 1:
                self._planner.see_report(look.at)
        picture = await asyncio.to_thread(self._encode, look.picture) if due else None
        sightings = [self._sighting(*one, at=look.at, picture=picture) for one in due]
        ended = self._ended(look.at)
        rest, self._is_known = self._what_next(look, aspect, is_empty=not objects)
        return Seen([*sightings, *ended], [one.box for one in objects], rest, self._is_known)

    def _what_next(self, look: CameraLook, aspect: float, *, is_empty: bool) -> tuple[Rest | None, bool]:
        """A rest, if there may be one, and whether everything that moved is known."""
        tracks = self._tracker.live
        if (rest := self._empty_motion.rest_after(look.at, is_empty=is_empty and not tracks)) is not None:
            return rest, True
        seen = [track for track in tracks if track.last_seen == look.at]
        self._planner.see_new([track for track in seen if self._is_awaited(track)])
        if any(self._is_awaited(track) for track in tracks):
            return None, False
        rest = rest_after(tracks, look.regions, look.at, borders=self._shapes.borders, aspect=aspect)
        return rest, explains(seen, look.regions, aspect=aspect)

    def _is_awaited(self, track: Track) -> bool:
        """Whether its first report may come with one of the next looks."""
        is_watched = self._shapes.is_watched(foot_of(track.box))
        return is_watched and not track.is_stationary and not self._policy.is_reported(track.track_id)

    def pass_time(self, at: float) -> list[CameraSighting]:
        """What follows from time alone: loitering, things left behind, tracks that ended."""
        tracks = {track.track_id: track for track in self._tracker.live}
        sightings = []
        for behaviour in self._behaviours.pass_time(at):
            track = tracks.get(behaviour.track_id)
            number = None if track is None else self._policy.act(behaviour.track_id, at)
            if track is not None and number is not None:
                sightings.append(self._sighting(track, [behaviour], number, at=at, picture=None))
        return [*sightings, *self._ended(at)]

    def finish(self, at: float) -> list[CameraSighting]:
        """The connection ended, and with it what was followed."""
        return self._end_of(self._tracker.finish(), at)

    def _counts(self, found: DetectedObject) -> bool:
        return found.label in self._labels and not self._shapes.is_masked(foot_of(found.box))

    def _ended(self, at: float) -> list[CameraSighting]:
        return self._end_of(self._tracker.ended(at), at)

    def _end_of(self, tracks: Sequence[Track], at: float) -> list[CameraSighting]:
        sightings = []
        for track in tracks:
            behaviours = self._behaviours.end(track, at)
            number = self._policy.end(track)
            if number is not None:
                sightings.append(
                    self._sighting(track, behaviours, number, at=track.last_seen, picture=None, is_end=True)
                )
        return sightings

    def _sighting(
        self,
        track: Track,
        behaviours: Sequence[TrackBehaviour],
        number: int,
        *,
        at: float,
        picture: bytes | None,
        is_end: bool = False,
    ) -> CameraSighting:
        attributes = attributes_of(track, behaviours, models=self._models)
        if is_end:
            attributes["ended"] = True
        return CameraSighting(
            camera_key=self._camera.camera_key,
            camera_id=self._camera.camera_id,
            label=track.label,
            score=track.best_score,
            at=moment(at),
            box=track.box,
            track_id=track.track_id,
            number=number,
            picture=picture,
            attributes=attributes,
        )


class MotionEyes:
    """Without a detector: motion is reported as motion, where the camera asks for that, and nothing is claimed of its cause."""

    def __init__(self, camera: WatchedCamera, *, reports: bool, encode: Encode) -> None:
        self._camera = camera
        self._reports = reports
        self._encode = encode
        self._episodes = MotionEpisodes()

    @property
    def is_following(self) -> bool:
        return False

    async def prepare(self) -> None:
        """Motion needs no models."""

    async def look(self, look: CameraLook) -> Seen:
        found = self._episodes.see(look.regions, look.at) if self._reports else None
        if found is None:
            return Seen([], [])
        picture = await asyncio.to_thread(self._encode, look.picture)
        return Seen([self._sighting(found, picture)], [])

    def pass_time(self, at: float) -> list[CameraSighting]:
        found = self._episodes.ended(at)
        return [] if found is None else [self._sighting(found, None)]

    def finish(self, at: float) -> list[CameraSighting]:
        found = self._episodes.finish()
        return [] if found is None else [self._sighting(found, None)]

    def _sighting(self, found: MotionSighting, picture: bytes | None) -> CameraSighting:
        attributes: dict[str, Any] = {"track_id": found.track_id, "behaviours": [], "seconds": round(found.seconds, 1)}
        if found.is_end:
            attributes["ended"] = True
        return CameraSighting(
            self._camera.camera_key,
            self._camera.camera_id,
            MOTION_LABEL,
            MOTION_SCORE,
            moment(found.at),
            found.box,
            found.track_id,
            found.number,
            picture,
            attributes,
        )


Eyes = DetectingEyes | MotionEyes


def jpeg_encoder(quality: int) -> Encode:
    def encode(picture: NDArray[np.uint8]) -> bytes:
        _, data = cv2.imencode(".jpg", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
        return data.tobytes()

    return encode


def moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
