"""Pairing: which two of the people in a picture grapple. Referees and spectators are left out. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np

from sightline.techniques.pose.people import SeenPerson

MIN_JOINTS = 6
MIN_SIZE = 0.08
"""Of the picture's height. Smaller people are too coarse to tell their limbs apart."""
MIN_SIZE_RATIO = 0.4
"""Of the smaller to the larger: one in front of the other is no pair. Somebody who is bent looks small."""
MAX_GAP = 0.2
"""Between their nearest joints, in units of their mean size; more is not touching."""
MIN_INSIDE = 0.3
"""Share of the joints of one in the box around the other: people who stand side by side touch as well, and do not grapple."""
MAX_OTHERS = 2
"""A referee and a coach. In a crowd, who touches whom says nothing."""
SAME_SIZE = 0.6


class Silence(StrEnum):
    """Why nothing is said about a moment."""

    NOBODY = "nobody is seen"
    ONE_PERSON = "only one person is seen"
    TOO_FEW_JOINTS = "too little of two bodies is seen"
    NOT_TOUCHING = "no two people of similar size touch"
    CROWD = "several others of the same size are in the picture"
    FEW_LOOKS = "a pair is seen too rarely"
    UNSURE = "the poses fit several phases"


@dataclass(frozen=True, slots=True)
class Pair:
    first: SeenPerson
    second: SeenPerson

    @property
    def swapped(self) -> "Pair":
        return Pair(self.second, self.first)

    @property
    def size(self) -> float:
        return (self.first.size + self.second.size) / 2


def possible_pairs(people: Sequence[SeenPerson]) -> list[Pair] | Silence:
    """Pairs that touch; else why there is none."""
    if len(people) < 2:
        return Silence.ONE_PERSON if people else Silence.NOBODY
    clear = [one for one in people if one.seen_joints >= MIN_JOINTS and one.size >= MIN_SIZE]
    if len(clear) < 2:
        return Silence.TOO_FEW_JOINTS
    found = [Pair(one, other) for one, other in combinations(clear, 2) if is_touching(one, other)]
    if not found:
        return Silence.NOT_TOUCHING
    return [pair for pair in found if others_beside(pair, clear) <= MAX_OTHERS] or Silence.CROWD


def others_beside(pair: Pair, people: Sequence[SeenPerson]) -> int:
    """How many others are as large as the pair and not in the same place: a part of the pair may be seen as another person."""
    points = np.concatenate([pair.first.points, pair.second.points])
    low, high = points.min(axis=0), points.max(axis=0)
    return sum(
        one.size >= SAME_SIZE * pair.size and not ((one.centre >= low) & (one.centre <= high)).all() for one in people
    )


def is_touching(one: SeenPerson, other: SeenPerson) -> bool:
    smaller, larger = sorted((one.size, other.size))
    if smaller < MIN_SIZE_RATIO * larger or gap(one, other) > MAX_GAP * (smaller + larger) / 2:
        return False
    return max(_share_inside(one, other), _share_inside(other, one)) >= MIN_INSIDE


def gap(one: SeenPerson, other: SeenPerson) -> float:
    """Between their nearest joints."""
    apart = one.points[:, None] - other.points[None]
    return float(np.sqrt((apart**2).sum(axis=-1)).min())


def entanglement(pair: Pair) -> float:
    """How much two people are in contact, 0 to about 2: how much of each lies within the other, how near their nearest joints are,
    and how much of both is seen."""
    inside = [_share_inside(pair.first, pair.second), _share_inside(pair.second, pair.first)]
    near = 1 - min(1.0, gap(pair.first, pair.second) / max(MAX_GAP * pair.size, 1e-6))
    seen = (pair.first.seen_joints + pair.second.seen_joints) / 26
    return max(inside) * 0.7 + 0.5 * near + 0.5 * seen + 0.3 * min(1.0, pair.size / 0.5)


def best_pair(pairs: Iterable[Pair]) -> Pair:
    return max(pairs, key=entanglement)


def _share_inside(one: SeenPerson, other: SeenPerson) -> float:
    """Of the joints of one, how many lie in the box around the other."""
    low, high = other.points.min(axis=0), other.points.max(axis=0)
    return float(((one.points >= low) & (one.points <= high)).all(axis=1).mean())
