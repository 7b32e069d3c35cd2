"""A rest between looks: until when none is needed, as long as nothing moves but what is known already. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sightline.geometry import Box, shared_area

KNOWN_SHARE = 0.6
"""Motion of which so much lies at one of the places is that of the object there; the rest is its shadow."""


@dataclass(frozen=True, slots=True)
class Rest:
    seconds: float
    """Since the last look."""
    places: tuple[Box, ...]
    """Where the objects that are followed may be until then."""

    def to_json(self) -> dict[str, Any]:
        return {"rest_s": self.seconds, "places": [list(place) for place in self.places]}

    def covers(self, regions: Sequence[Box]) -> bool:
        """Whether everything that moves is known."""
        return all(any(_is_at(region, place) for place in self.places) for region in regions)


def grant(rest: Rest | None, *, is_known: bool) -> dict[str, Any]:
    """What the parent says when the next look may come; `is_known` if everything that moved is followed and was reported."""
    return {"known": is_known, **({} if rest is None else rest.to_json())}


def read_rest(fields: dict[str, Any]) -> Rest | None:
    """None for a message that asks for no rest."""
    if "rest_s" not in fields:
        return None
    return Rest(float(fields["rest_s"]), tuple((x, y, width, height) for x, y, width, height in fields["places"]))


def _is_at(region: Box, place: Box) -> bool:
    return shared_area(region, place) >= KNOWN_SHARE * region[2] * region[3]
