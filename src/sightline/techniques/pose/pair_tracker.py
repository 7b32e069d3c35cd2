"""The pair tracker: the same two people through a video, each with their own place in the pair. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sightline.techniques.pose.pairing import Pair, Silence, entanglement, possible_pairs
from sightline.techniques.pose.people import Colour, SeenPerson

FORGET_AFTER_MS = 4000
"""A pair that was not seen for longer may be anywhere; their clothes are remembered."""
CONTINUITY = 1.2
"""What it is worth to be where the pair was, beside contact, which is worth up to about 2."""
COLOUR_WORTH = 0.8
COLOUR_RANGE = 160.0
COLOUR_MEMORY = 0.92


@dataclass(slots=True)
class Athlete:
    """What is remembered of one of the two: the colours of their clothes, averaged."""

    upper: tuple[float, float, float] | None = None
    lower: tuple[float, float, float] | None = None

    def see(self, person: SeenPerson) -> None:
        self.upper = _mixed(self.upper, person.upper)
        self.lower = _mixed(self.lower, person.lower)

    def difference(self, person: SeenPerson) -> float:
        """0 for the same colours, 1 for others; 0.5 where one is not known."""
        pairs = ((self.upper, person.upper), (self.lower, person.lower))
        known = [
            min(1.0, float(np.linalg.norm(np.subtract(own, seen))) / COLOUR_RANGE)
            for own, seen in pairs
            if own is not None and seen is not None
        ]
        return float(np.mean(known)) if known else 0.5


@dataclass(slots=True)
class PairTracker:
    athletes: tuple[Athlete, Athlete] = field(default_factory=lambda: (Athlete(), Athlete()))
    _last: Pair | None = None
    _last_ms: int = 0

    def see(self, at_ms: int, people: Sequence[SeenPerson]) -> Pair | Silence:
        """The pair of this look, in the order of the looks before."""
        pairs = possible_pairs(people)
        if isinstance(pairs, Silence):
            return pairs
        if self._last is not None and at_ms - self._last_ms > FORGET_AFTER_MS:
            self._last = None
        orders = [order for pair in pairs for order in (pair, pair.swapped)]
        chosen = max(orders, key=lambda pair: entanglement(pair) + self._familiarity(pair))
        self._last, self._last_ms = chosen, at_ms
        for athlete, person in zip(self.athletes, (chosen.first, chosen.second), strict=True):
            athlete.see(person)
        return chosen

    def _familiarity(self, pair: Pair) -> float:
        """How well two people fit what is known of the pair."""
        people = pair.first, pair.second
        clothes = -COLOUR_WORTH * sum(
            athlete.difference(one) for athlete, one in zip(self.athletes, people, strict=True)
        )
        if self._last is None:
            return clothes
        moved = [
            float(np.linalg.norm(one.centre - before.centre))
            for one, before in zip(people, (self._last.first, self._last.second), strict=True)
        ]
        return clothes + CONTINUITY * float(np.exp(-2 * sum(moved) / max(self._last.size, 1e-6)))


def _mixed(old: tuple[float, float, float] | None, seen: Colour | None) -> tuple[float, float, float] | None:
    if seen is None or old is None:
        return old if seen is None else (float(seen[0]), float(seen[1]), float(seen[2]))
    red, green, blue = (COLOUR_MEMORY * own + (1 - COLOUR_MEMORY) * new for own, new in zip(old, seen, strict=True))
    return red, green, blue
