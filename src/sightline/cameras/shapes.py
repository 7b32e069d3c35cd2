"""What people drew on a camera's picture: zones, lines and masks, in parts of its width and height. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from sightline.geometry import LineDirection, Point, contains


class DrawnShape(Protocol):
    """A zone, a mask or a line as it is stored."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def polygon(self) -> tuple[Point, ...]: ...
    @property
    def loiter_s(self) -> float | None: ...
    @property
    def direction(self) -> LineDirection | None: ...


@dataclass(frozen=True, slots=True)
class Zone:
    name: str
    kind: str
    polygon: tuple[Point, ...]
    loiter_s: float | None = None
    """Who stays longer than this loiters; None if that is of no interest here."""


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    start: Point
    end: Point
    direction: LineDirection = "both"
    """Only crossings in this direction count."""


@dataclass(frozen=True, slots=True)
class Shapes:
    zones: tuple[Zone, ...] = ()
    lines: tuple[Line, ...] = ()
    masks: tuple[tuple[Point, ...], ...] = ()
    only_in_zones: bool = False
    """What happens outside of all zones is of no interest; where no zone is drawn, everything is."""

    @property
    def watched_areas(self) -> tuple[tuple[Point, ...], ...]:
        """Where motion counts; empty: everywhere."""
        return tuple(zone.polygon for zone in self.zones) if self.only_in_zones else ()

    @property
    def borders(self) -> tuple[tuple[Point, Point], ...]:
        """Ways between two points that mean something when they are crossed: lines, and the edges of zones."""
        edges = (
            pair for zone in self.zones for pair in zip(zone.polygon, (*zone.polygon[1:], zone.polygon[0]), strict=True)
        )
        return (*((line.start, line.end) for line in self.lines), *edges)

    def is_watched(self, foot: Point) -> bool:
        areas = self.watched_areas
        return not areas or any(contains(area, foot) for area in areas)

    def counts(self, foot: Point) -> bool:
        """Whether an object that stands there is of interest."""
        return self.is_watched(foot) and not self.is_masked(foot)

    def is_masked(self, foot: Point) -> bool:
        """Objects that stand inside a mask are ignored."""
        return any(contains(mask, foot) for mask in self.masks)


def shapes_of(drawn: Iterable[DrawnShape], *, only_in_zones: bool = False) -> Shapes:
    """Areas, lines and masks apart."""
    areas, lines, masks = [], [], []
    for shape in drawn:
        match shape.kind:
            case "mask":
                masks.append(shape.polygon)
            case "line":
                lines.append(Line(shape.name, shape.polygon[0], shape.polygon[1], shape.direction or "both"))
            case _:
                areas.append(Zone(shape.name, shape.kind, shape.polygon, shape.loiter_s))
    return Shapes(tuple(areas), tuple(lines), tuple(masks), only_in_zones)
