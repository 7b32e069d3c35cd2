"""Pairs of people in three phases, as joints in a picture, and looks made of them. Poses from GrappleMap (public domain)."""

import json
from pathlib import Path

import numpy as np

from sightline.techniques.pose.pairing import Pair
from sightline.techniques.pose.people import SeenPerson
from sightline.techniques.pose.pose_parts import PeopleLook

LOOK_MS = 250
WHITE, BLUE, BLACK = (235, 235, 230), (40, 60, 160), (20, 20, 25)
_STORED = json.loads((Path(__file__).parents[1] / "unit/techniques/pose/pairs.json").read_text())


def posed(phase: str, *, shift: float = 0.0, scale: float = 1.0) -> Pair:
    """The first is above the second, in white; the second wears blue."""
    joints = np.array(_STORED[phase]["joints"], np.float32)
    joints[..., :2] = (joints[..., :2] - 0.5) * scale + 0.5
    joints[..., 0] += np.float32(shift)
    return Pair(SeenPerson(joints[0], WHITE, WHITE), SeenPerson(joints[1], BLUE, BLUE))


def people_of(pair: Pair) -> tuple[SeenPerson, SeenPerson]:
    return pair.first, pair.second


def upright(x: float, *, height: float = 0.6, colour: tuple[int, int, int] = BLACK) -> SeenPerson:
    """Somebody who stands apart, seen from the front."""
    places = [(0, 0)] + [(s * w, y) for w, y in ((0.1, 0.18), (0.14, 0.35), (0.15, 0.5)) for s in (-1, 1)]
    places += [(s * w, y) for w, y in ((0.07, 0.52), (0.07, 0.76), (0.07, 1.0)) for s in (-1, 1)]
    joints = np.array([(x + dx * height, 0.2 + dy * height, 1) for dx, dy in places], np.float32)
    return SeenPerson(joints, colour, colour)


def looks_of(*parts: tuple[str | None, int]) -> list[PeopleLook]:
    """Looks of so many seconds each of a phase; None is a mat without people."""
    found: list[PeopleLook] = []
    for phase, seconds in parts:
        for _ in range(seconds * 1000 // LOOK_MS):
            people = () if phase is None else people_of(posed(phase))
            found.append(PeopleLook(len(found) * LOOK_MS, people))
    return found
