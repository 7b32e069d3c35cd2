"""The motion gate of one camera."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.cameras.motion.activity import Activity
from sightline.cameras.motion.background import Background, Gray, PixelChange
from sightline.cameras.motion.light import Drift, WholeChange, is_lit, relit, whole_change
from sightline.cameras.motion.regions import Blob, Blobs
from sightline.geometry import Box, Point, shared_area

MAX_GAP_S = 10.0
"""After a longer pause the background learns no more than after this one."""
CHANGING_S = 0.8
"""A lamp and the camera's exposure need so long to change; nothing can be told meanwhile."""
SETTLING_S = 3.0
"""Until then a large change is still part of it."""
SETTLED_SHARE = 0.1
ASKED_SHARE = 0.15
"""From this part of the picture on it is asked what changed it."""
MOVING_CHANGES = 3
MOVING_S = 15.0
"""A picture that changes as a whole so often within this time is of a moving camera, or of light that hides what moves."""
WHOLE: Box = (0.0, 0.0, 1.0, 1.0)
MAX_REGIONS = 8
MARGIN = 4
"""Pixels around a region, since the edge of a moving object may equal its background."""
LIT_AREA = 150


@dataclass(frozen=True, slots=True)
class MotionSettings:
    min_area: int = 6
    """Pixels of the small picture: a person of 10 pixels covers about 30, of which half move."""
    sure_area_share: float = 0.01
    """What covers this part of the picture counts at its first look; smaller things have to last two."""
    looks_to_count: int = 2
    learns_masks: bool = True


@dataclass(frozen=True, slots=True)
class Motion:
    """What moved at one look."""

    regions: tuple[Box, ...] = ()
    is_light_change: bool = False
    """A lamp, the exposure or the infrared filter changed the picture; nothing is known to move."""
    is_scene_change: bool = False
    """The camera was pushed or covered."""
    share: float = 0.0
    """The part of the picture that moves, ignored parts left out."""

    @property
    def is_open(self) -> bool:
        """Whether it is worth looking closer."""
        return bool(self.regions)


class MotionGate:
    """Looks at small grey pictures of one camera, about 320 pixels wide, 1 to 5 times a second."""

    def __init__(
        self,
        settings: MotionSettings | None = None,
        *,
        masks: Sequence[Sequence[Point]] = (),
        only_in: Sequence[Sequence[Point]] = (),
    ) -> None:
        """Motion outside of `only_in` does not open the gate; without any, the whole picture counts."""
        self._settings = settings or MotionSettings()
        self._masks = masks
        self._only_in = only_in
        self._background: Background | None = None
        self._at: float | None = None
        self._changed_at: float | None = None
        self._changes: list[float] = []
        """When the whole picture changed lately."""
        self._drift = Drift()

    def look(self, gray: Gray, at: float) -> Motion:
        picture: Gray = cv2.blur(gray, (3, 3))
        background = self._background
        if background is None or background.shape != gray.shape:
            self._start(picture, at)
            return Motion()
        seconds = min(max(at - (self._at if self._at is not None else at), 0.02), MAX_GAP_S)
        self._at = at
        known, drift = relit(background.picture, picture)
        change = background.compare(picture, known)
        is_switched, self._drift = drift.jumped_since(self._drift), drift
        found = self._whole_change(picture, known, change, at, is_switched=is_switched)
        if found is not None:
            background.reset(picture)
            self._blobs.nothing(seconds)
            self._drift = Drift()
            return Motion(
                (WHOLE,) if len(self._changes) >= MOVING_CHANGES else (),
                is_light_change=found is WholeChange.LIGHT,
                is_scene_change=found is WholeChange.SCENE,
                share=change.share,
            )
        motion = self._motion(picture, known, change, seconds)
        background.learn(picture, change, seconds)
        return motion

    def explain(self, boxes: Sequence[Box]) -> None:
        """A detector saw objects at these places after the last look, so their motion is real and will not be learned as a mask."""
        if self._background is not None:
            self._activity.explain(list(boxes))

    @property
    def learned_mask(self) -> NDArray[np.bool_] | None:
        """Cells whose motion is ignored, by rows and columns of 8 pixels; None before the first look."""
        return self._activity.learned.copy() if self._background is not None else None

    @property
    def state(self) -> tuple[Background, Activity] | None:
        """What has been learned, to be kept over a restart."""
        return (self._background, self._activity) if self._background is not None else None

    def resume(self, background: Background, activity: Activity) -> None:
        """Begins with what was learned before."""
        self._prepare(background.shape)
        self._background, self._activity = background, activity

    def _start(self, picture: Gray, at: float) -> None:
        self._background, self._at = Background(picture), at
        self._prepare(picture.shape)

    def _prepare(self, shape: tuple[int, ...]) -> None:
        height, width = shape[:2]
        self._activity = Activity(shape)
        self._blobs = Blobs(
            min_area=self._settings.min_area,
            sure_area=int(self._settings.sure_area_share * height * width),
            looks_to_count=self._settings.looks_to_count,
        )
        self._watched = self._drawn(self._only_in, shape) if self._only_in else None
        self._masked = self._drawn(self._masks, shape) if self._masks else None

    def _whole_change(
        self, picture: Gray, known: Gray, change: PixelChange, at: float, *, is_switched: bool
    ) -> WholeChange | None:
        since = at - self._changed_at if self._changed_at is not None else SETTLING_S
        if since <= CHANGING_S or (since < SETTLING_S and change.share > SETTLED_SHARE):
            return WholeChange.LIGHT
        found = whole_change(picture, known, change.foreground) if change.share >= ASKED_SHARE else None
        if found is None and is_switched:
            found = WholeChange.LIGHT
        if found is not None:
            self._changed_at = at
            self._changes = [*(before for before in self._changes if 0 <= at - before < MOVING_S), at]
        return found

    def _motion(self, picture: Gray, known: Gray, change: PixelChange, seconds: float) -> Motion:
        moving = change.moving
        if self._masked is not None:
            moving = cv2.bitwise_and(moving, cv2.bitwise_not(self._masked))
        if self._watched is not None:
            moving = cv2.bitwise_and(moving, self._watched)
        if cv2.countNonZero(moving):
            moving = self._blobs.without_drops(moving, seconds)
        ignored_cells = self._activity.observe(moving, seconds) if self._settings.learns_masks else None
        if not cv2.countNonZero(moving):
            self._blobs.nothing(seconds)
            return Motion()
        ignored = None
        if ignored_cells is not None and ignored_cells.any():
            ignored = self._activity.pixels(ignored_cells)
        blobs, numbers = self._blobs.find(moving, ignored, seconds)
        kept = [blob for blob in blobs if not self._is_light(picture, known, moving, numbers, blob)]
        if not kept:
            return Motion()
        is_kept = np.isin(numbers, [blob.number for blob in kept]) & (moving > 0)
        return Motion(_regions(kept, moving.shape), share=float(is_kept.mean()))

    def _is_light(self, picture: Gray, known: Gray, moving: Gray, numbers: NDArray[np.int32], blob: Blob) -> bool:
        if blob.area < LIT_AREA:
            return False
        rows, columns = slice(blob.top, blob.top + blob.height), slice(blob.left, blob.left + blob.width)
        pixels = (numbers[rows, columns] == blob.number) & (moving[rows, columns] > 0)
        return is_lit(picture[rows, columns], known[rows, columns], pixels)

    @staticmethod
    def _drawn(polygons: Sequence[Sequence[Point]], shape: tuple[int, ...]) -> Gray:
        plane = np.zeros(shape[:2], np.uint8)
        corners = [
            np.array([(x * shape[1], y * shape[0]) for x, y in polygon]).round().astype(np.int32)
            for polygon in polygons
        ]
        if corners:
            cv2.fillPoly(plane, corners, 255)
        return plane


def _regions(blobs: Sequence[Blob], shape: tuple[int, ...]) -> tuple[Box, ...]:
    """Boxes in parts of the picture; those that touch are one, and of many the largest are told."""
    height, width = shape[:2]
    boxes: list[Box] = []
    for blob in blobs:
        left, top = max(blob.left - MARGIN, 0), max(blob.top - MARGIN, 0)
        right, bottom = min(blob.left + blob.width + MARGIN, width), min(blob.top + blob.height + MARGIN, height)
        box = (left / width, top / height, (right - left) / width, (bottom - top) / height)
        while (touching := next((other for other in boxes if shared_area(box, other) > 0), None)) is not None:
            boxes.remove(touching)
            box = _around(box, touching)
        boxes.append(box)
    return tuple(sorted(boxes, key=lambda box: -box[2] * box[3])[:MAX_REGIONS])


def _around(one: Box, other: Box) -> Box:
    left, top = min(one[0], other[0]), min(one[1], other[1])
    right, bottom = max(one[0] + one[2], other[0] + other[2]), max(one[1] + one[3], other[1] + other[3])
    return left, top, right - left, bottom - top
