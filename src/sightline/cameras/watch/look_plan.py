"""What a look takes in where somebody new comes all the time. Pure.

In traffic nothing is ever known long enough for a rest (ADR 0067). Looks stay as frequent there, since vehicles that follow each
other are told apart by looking often; most of them see only what changed (ADR 0122).
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from sightline.cameras.watch.resting import WHOLE, length_of
from sightline.geometry import Box
from sightline.vision import Track, group_of

PERSON = "person"

BUSY_COUNT = 3
BUSY_S = 20.0
"""A scene in which so many objects were reported within this time is busy."""

FULL_EVERY_S = 0.9
"""The whole picture is looked at this often, by all models, and enlarged where something far moves."""
PEOPLE_S = 10.0
"""While people are about, all models look: they complete each other there."""
NEW_LOOKS = 4
FAR = 0.05
"""A person who is new and shorter than this, in widths of the picture, may not be found again without being enlarged."""

MARGIN = 0.5
"""What moves is often a part of an object: sizes of it that are looked at on each side …"""
MIN_MARGIN = 0.08
"""… but so much of the picture at least."""
GRID = 16
"""Parts begin and end at multiples of a sixteenth, since models take sizes in steps."""
MAX_PART = 0.8
"""A larger part saves nothing: the look is at the whole, and enlarged as elsewhere."""


@dataclass(frozen=True, slots=True)
class LookPlan:
    part: Box = WHOLE
    is_brief: bool = False
    """The first model alone looks."""
    enlarged: tuple[Box, ...] | None = None
    """Where far objects are looked for enlarged; None: wherever something moves."""


class LookPlanner:
    """One per connection."""

    def __init__(self) -> None:
        self._reported: deque[float] = deque()
        self._new: list[Track] = []
        self._full_at = self._person_at = float("-inf")

    def see_report(self, at: float) -> None:
        """An object was reported for the first time."""
        self._reported.append(at)

    def see_new(self, tracks: Sequence[Track]) -> None:
        """These were seen at this look, and may be reported soon."""
        self._new = [track for track in tracks if group_of(track.label) == PERSON and track.looks <= NEW_LOOKS]

    def plan(self, tracks: Sequence[Track], regions: Sequence[Box], at: float, *, aspect: float) -> LookPlan:
        """The next look, at motion in these regions. `tracks` are all that live."""
        people = [track.last_seen for track in tracks if group_of(track.label) == PERSON]
        self._person_at = max(people, default=self._person_at)
        if not self._is_busy(at) or not 0 <= at - self._full_at < FULL_EVERY_S:
            self._full_at = at
            return LookPlan()
        is_brief = not 0 <= at - self._person_at < PEOPLE_S
        part = _around([*regions, *(track.box for track in tracks if not track.is_stationary)])
        if part[2] * part[3] > MAX_PART:
            return LookPlan(is_brief=is_brief)
        return LookPlan(part, is_brief, tuple(one.box for one in self._new if length_of(one, aspect) < FAR))

    def _is_busy(self, at: float) -> bool:
        while self._reported and not 0 <= at - self._reported[0] < BUSY_S:
            self._reported.popleft()
        return len(self._reported) >= BUSY_COUNT


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
