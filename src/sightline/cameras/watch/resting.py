"""When a camera may rest between looks: everything in its picture is followed steadily, was reported, and is easily found again.

The detector is most of what a camera with motion costs. One who walks through the picture is the same one after a second, so a
look each second follows them as well as five (ADR 0067). Pure.
"""

import math
from collections.abc import Sequence

from sightline.cameras.sources.rest import Rest
from sightline.geometry import Box, Point, foot_of, overlap, segments_cross
from sightline.vision import Track

REST_S = 1.0
"""The tracker is made for one to five looks a second."""
MIN_REST_S = 0.4
"""A shorter rest saves nothing."""
STEADY_LOOKS = 4
"""From so many looks on, the speed of an object is known."""
MAX_WAY = 1.2
"""An object may go so many of its sizes during a rest; farther, and another one could be taken for it."""
MARGIN = 0.35
"""Sizes of an object by which it may turn, reach out or cast a shadow, beside its way."""
MAX_OVERLAP = 0.05
"""Objects that overlap more than this and go different ways are about to pass each other, and are told apart by looking often."""

LARGE = 0.1
"""Objects as long as this, in widths of the picture, are found in the whole picture as well as in an enlarged part."""
FAR_EVERY_S = 0.9
KNOWN_S = 1.2
"""An object that was found so lately is known."""

EMPTY_LOOKS = 15
"""After so many looks in a row at motion in which nothing is to be seen, it is weather, leaves or shadows."""
EMPTY_REST_S = 0.5
SAME_MOTION_S = 2.0
"""Motion that begins again after a longer pause is new."""
WHOLE: Box = (0.0, 0.0, 1.0, 1.0)


class EmptyMotion:
    """Motion without anything to be seen in it, such as rain: looked at less often while it lasts. One per connection."""

    def __init__(self) -> None:
        self._looks = 0
        self._at = float("-inf")

    def rest_after(self, at: float, *, is_empty: bool) -> Rest | None:
        """`is_empty` says whether the look saw no object, and none is followed."""
        is_same = is_empty and 0 <= at - self._at < SAME_MOTION_S
        self._looks = self._looks + 1 if is_same else int(is_empty)
        self._at = at
        return Rest(EMPTY_REST_S, (WHOLE,)) if self._looks >= EMPTY_LOOKS else None


def rest_after(
    tracks: Sequence[Track],
    regions: Sequence[Box],
    at: float,
    *,
    borders: Sequence[tuple[Point, Point]] = (),
    aspect: float = 16 / 9,
) -> Rest | None:
    """The rest after a look at this time that had motion in these regions; None if there should be none.

    `tracks` are all that live. Nobody who may reach one of the borders during the rest is left alone: zones and lines are
    to be noticed as soon as without rests.
    """
    moving = [track for track in tracks if not track.is_stationary]
    if not moving or any(not _is_steady(track, at) for track in moving) or _may_pass(tracks):
        return None
    seconds = min((_rest_s(track, aspect) for track in moving), default=REST_S)
    if seconds < MIN_REST_S:
        return None
    if any(_is_touched(_ground(track, seconds, aspect), border) for track in moving for border in borders):
        return None
    rest = Rest(seconds, tuple(_place(track, seconds, aspect) for track in tracks))
    return rest if rest.covers(regions) else None


def explains(tracks: Sequence[Track], regions: Sequence[Box], *, aspect: float = 16 / 9) -> bool:
    """Whether these objects are all that moves."""
    return bool(tracks) and Rest(0.0, tuple(_place(track, 0.0, aspect) for track in tracks)).covers(regions)


class Enlarging:
    """Which regions a detector looks at enlarged too, so that far objects are found: all but those of known objects.

    Somebody who fills a part of the picture is found again in the whole of it; those who are far are enlarged once a second,
    which is enough to follow them. One per connection.
    """

    def __init__(self) -> None:
        self._far_at = float("-inf")

    def regions(self, tracks: Sequence[Track], regions: Sequence[Box], at: float, *, aspect: float) -> list[Box]:
        """`tracks` are those that were reported."""
        is_due = not 0 <= at - self._far_at < FAR_EVERY_S
        if is_due:
            self._far_at = at
        known = [
            track
            for track in tracks
            if at - track.last_seen <= KNOWN_S and (not is_due or length_of(track, aspect) >= LARGE)
        ]
        places = Rest(0.0, tuple(_place(track, at - track.last_seen, aspect, margin=0.1) for track in known))
        return [region for region in regions if not places.covers([region])]


def length_of(track: Track, aspect: float) -> float:
    """In widths of the picture."""
    return max(track.box[2], track.box[3] / aspect)


def _is_steady(track: Track, at: float) -> bool:
    return track.is_confirmed and track.looks >= STEADY_LOOKS and track.last_seen >= at


def _may_pass(tracks: Sequence[Track]) -> bool:
    """Whether two of them are about to pass each other. Those who walk side by side, or stand together, are not."""
    return any(
        one.direction != other.direction and overlap(one.box, other.box) > MAX_OVERLAP
        for n, one in enumerate(tracks)
        for other in tracks[:n]
    )


def _rest_s(track: Track, aspect: float) -> float:
    return min(REST_S, MAX_WAY * _size(track, aspect) / track.speed) if track.speed > 0 else REST_S


def _place(track: Track, seconds: float, aspect: float, *, margin: float = MARGIN) -> Box:
    """Where the object may be until then, in any direction: it may turn round."""
    return _grown(track.box, track.speed * seconds + margin * _size(track, aspect), aspect)


def _ground(track: Track, seconds: float, aspect: float) -> Box:
    """Where it may stand until then."""
    x, y = foot_of(track.box)
    return _grown((x, y, 0.0, 0.0), track.speed * seconds + MARGIN * _size(track, aspect), aspect)


def _is_touched(area: Box, border: tuple[Point, Point]) -> bool:
    left, top, right, bottom = area[0], area[1], area[0] + area[2], area[1] + area[3]
    if left <= border[0][0] <= right and top <= border[0][1] <= bottom:
        return True
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return any(
        segments_cross(*border, one, other) for one, other in zip(corners, (*corners[1:], corners[0]), strict=True)
    )


def _grown(box: Box, reach: float, aspect: float) -> Box:
    x, y, width, height = box
    left, top = max(0.0, x - reach / aspect), max(0.0, y - reach)
    right, bottom = min(1.0, x + width + reach / aspect), min(1.0, y + height + reach)
    return left, top, right - left, bottom - top


def _size(track: Track, aspect: float) -> float:
    """In heights of the picture, as its speed is."""
    return max(math.sqrt(track.box[2] * aspect * track.box[3]), 1e-3)
