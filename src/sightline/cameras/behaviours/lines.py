"""Lines: who crossed one, and in which direction."""

from collections.abc import Sequence

from sightline.cameras.behaviours.behaviour import TrackBehaviour
from sightline.cameras.shapes import Line
from sightline.geometry import Point, segments_cross, side_of

MARGIN = 0.15
"""Within so many widths of the object a foot is on neither side, so that somebody who stands on a line does not cross it."""
MIN_MARGIN = 0.004


class LineWatch:
    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._sides: dict[tuple[str, str], tuple[bool, Point]] = {}
        """Of a track and a line: the side on which it surely was, and where."""

    def see(self, track_id: str, label: str, foot: Point, width: float, at: float) -> list[TrackBehaviour]:
        found = []
        margin = max(MARGIN * width, MIN_MARGIN)
        for line in self._lines:
            distance = side_of(line.start, line.end, foot)
            if abs(distance) < margin:
                continue
            is_right, key = distance > 0, (track_id, line.name)
            before = self._sides.get(key)
            self._sides[key] = (is_right, foot)
            if before is None or before[0] == is_right or not segments_cross(before[1], foot, line.start, line.end):
                continue
            direction = "to_right" if is_right else "to_left"
            if line.direction in ("both", direction):
                found.append(TrackBehaviour("line_crossed", at, track_id, label, line.name, direction=direction))
        return found

    def forget(self, track_id: str) -> None:
        for line in self._lines:
            self._sides.pop((track_id, line.name), None)
