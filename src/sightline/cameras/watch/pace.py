"""The pace of looks in a busy scene, and how much of the picture each of them takes in. Pure.

Where somebody new comes all the time, as in traffic, nothing is ever known long enough for a rest (ADR 0067). There it matters that
each object is looked at some times while it is in view, and that a look sees what changed (ADR 0122).
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from sightline.cameras.sources.rest import Rest
from sightline.cameras.watch.resting import WHOLE, length_of
from sightline.geometry import Box
from sightline.vision import Track, group_of

PERSON = "person"

BUSY_COUNT = 3
BUSY_S = 20.0
"""A scene in which so many objects were reported within this time is busy."""

LOOKS_IN_VIEW = 5.0
"""Two or three looks are needed to be sure of an object, and some miss it."""
STAY_SHARE = 0.5
"""The pace follows the stay that this part of all objects does not reach."""
STAYS_S = 120.0
"""Stays are remembered for so long."""
MIN_PACE_S = 0.2
MAX_PACE_S = 0.4
"""Slower, vehicles that follow each other would be taken for one another."""

FULL_EVERY_S = 0.9
"""The whole picture is looked at this often, by all models, and enlarged where something far moves."""
PEOPLE_S = 10.0
"""While people are about, all models look: they complete each other there."""
DOUBTED_LOOKS = 4
DOUBTED_S = 2.5
"""After a look at somebody who may be a person and is not reported, looks do not become rarer for so long."""
FAR = 0.05
"""Somebody shorter than this, in widths of the picture, may not be found again without being enlarged."""

MARGIN = 0.25
"""What moves is often a part of an object: sizes of it that are looked at on each side …"""
MIN_MARGIN = 0.03
"""… but so much of the picture at least."""
GRID = 16
"""Parts begin and end at multiples of a sixteenth, since models take sizes in steps."""
MAX_PART = 0.8
"""A larger part saves nothing."""


@dataclass(frozen=True, slots=True)
class LookPlan:
    part: Box = WHOLE
    is_brief: bool = False
    """The first model alone looks."""
    enlarged: tuple[Box, ...] | None = None
    """Where far objects are looked for enlarged; None: wherever something moves."""


class Pace:
    """One per connection."""

    def __init__(self) -> None:
        self._reported: deque[float] = deque()
        self._stays: deque[tuple[float, float]] = deque(maxlen=50)
        self._doubted: list[Track] = []
        self._full_at = self._person_at = self._doubted_at = float("-inf")

    def see_report(self, at: float) -> None:
        """An object was reported for the first time."""
        self._reported.append(at)

    def see_end(self, track: Track, at: float) -> None:
        """An object that was reported is gone."""
        if not track.is_stationary:
            self._stays.append((at, track.seconds))

    def see_doubted(self, tracks: Sequence[Track], at: float) -> None:
        """These were seen at this look, and may be reported soon."""
        self._doubted = [track for track in tracks if group_of(track.label) == PERSON and track.looks <= DOUBTED_LOOKS]
        if self._doubted:
            self._doubted_at = at

    def plan(self, tracks: Sequence[Track], regions: Sequence[Box], at: float, *, aspect: float) -> LookPlan:
        """The next look, at motion in these regions. `tracks` are all that live."""
        people = [track.last_seen for track in tracks if group_of(track.label) == PERSON]
        self._person_at = max(people, default=self._person_at)
        if not self._is_busy(at) or not 0 <= at - self._full_at < FULL_EVERY_S:
            self._full_at = at
            return LookPlan()
        part = _around([*regions, *(track.box for track in tracks if not track.is_stationary)])
        return LookPlan(
            WHOLE if part[2] * part[3] > MAX_PART else part,
            is_brief=not 0 <= at - self._person_at < PEOPLE_S,
            enlarged=tuple(track.box for track in self._doubted if length_of(track, aspect) < FAR),
        )

    def rest(self, at: float) -> Rest | None:
        """Until the next look; nothing ends it. None if the scene is not busy, or a person is in doubt."""
        if not self._is_busy(at) or 0 <= at - self._doubted_at < DOUBTED_S:
            return None
        return Rest(min(max(self._stay_s(at) / LOOKS_IN_VIEW, MIN_PACE_S), MAX_PACE_S), (WHOLE,))

    def _is_busy(self, at: float) -> bool:
        while self._reported and not 0 <= at - self._reported[0] < BUSY_S:
            self._reported.popleft()
        return len(self._reported) >= BUSY_COUNT

    def _stay_s(self, at: float) -> float:
        stays = sorted(seconds for ended, seconds in self._stays if 0 <= at - ended < STAYS_S)
        return stays[int(STAY_SHARE * len(stays))] if stays else 0.0


def _around(boxes: Sequence[Box]) -> Box:
    """The part of the picture that holds all of these, with margins; the whole if there are none."""
    if not boxes:
        return WHOLE
    edges = []
    for axis in (0, 1):
        margins = [max(MARGIN * box[axis + 2], MIN_MARGIN) for box in boxes]
        start = min(box[axis] - margin for box, margin in zip(boxes, margins, strict=True))
        end = max(box[axis] + box[axis + 2] + margin for box, margin in zip(boxes, margins, strict=True))
        edges.append((max(0.0, math.floor(GRID * start) / GRID), min(1.0, math.ceil(GRID * end) / GRID)))
    (left, right), (top, bottom) = edges
    return left, top, right - left, bottom - top
