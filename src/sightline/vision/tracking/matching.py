"""Matching of tracks and looks: what a pair costs, and which looks are the same object seen twice."""

import math
from collections.abc import Sequence

from sightline.geometry import center_of, overlap
from sightline.vision.tracking.assignment import assign
from sightline.vision.tracking.labels import group_of
from sightline.vision.tracking.live_track import LiveTrack, Look
from sightline.vision.tracking.motion_model import MEASURED, Prediction
from sightline.vision.tracking.track import SeenObject

MAX_COST = 24.0
"""A pair that costs more is no pair."""
MAX_SIGMAS = 3.5
MAX_JUMP = 4.0
"""An object is never looked for further away than so many of its sizes."""
MAX_GROWTH = 2.5
"""Nor if it has become so many times larger or smaller."""
SIZE_DEVIATION = 0.35
SAME_PLACE = 0.3
"""Boxes that share so much are a pair whatever the deviation says: large objects jitter by parts."""
OTHER_LABEL_COST = 1.0
OTHER_GROUP_COST = 8.0
OTHER_GROUP_OVERLAP = 0.6
"""A person becomes a dog only in the very same place."""
WEAK_OVERLAP = 0.25
"""A look with a low score continues a track only if it overlaps the expected box."""
DOUBLE_IN_GROUP = 0.6
DOUBLE_ACROSS = 0.85
MAX_LOOKS = 200


def merged_looks(objects: Sequence[SeenObject], aspect: float) -> list[Look]:
    """One look for each object: a box that lies on a better one is another name for the same thing, and a vote for it."""
    kept: list[tuple[SeenObject, list[tuple[str, float]]]] = []
    for seen in sorted(objects, key=lambda seen: -seen.score)[:MAX_LOOKS]:
        if seen.box[2] <= 0 or seen.box[3] <= 0:
            continue
        double = next((votes for better, votes in kept if _is_double(better, seen)), None)
        if double is None:
            kept.append((seen, [(seen.label, seen.score)]))
        elif all(label != seen.label for label, _ in double):
            double.append((seen.label, seen.score))
    looks = []
    for seen, votes in kept:
        x, y = center_of(seen.box)
        looks.append(Look(tuple(votes), seen.score, seen.box, x * aspect, y, seen.box[2] * aspect, seen.box[3]))
    return looks


def match(
    tracks: Sequence[LiveTrack], looks: Sequence[Look], at: float, *, is_weak: bool = False
) -> list[tuple[LiveTrack, Look]]:
    """The cheapest pairs. Weak looks have to lie where the track is expected."""
    costs = {}
    for row, track in enumerate(tracks):
        expected, group, label, size = track.predict(at), track.group, track.label, track.size
        certainty = 2 * math.log(max(expected.deviation_x * expected.deviation_y / (MEASURED * size) ** 2, 1.0))
        reach = max(MAX_JUMP * size, expected.width, expected.height)
        for column, look in enumerate(looks):
            if abs(look.x - expected.x) > reach or abs(look.y - expected.y) > reach:
                continue
            cost = _cost(expected, size, look, is_weak=is_weak)
            if cost is None:
                continue
            cost += certainty
            if look.label != label:
                if group_of(look.label) == group:
                    cost += OTHER_LABEL_COST
                elif _overlap(expected, look) >= OTHER_GROUP_OVERLAP:
                    cost += OTHER_GROUP_COST
                else:
                    continue
            if cost < MAX_COST:
                costs[row, column] = cost
    return [(tracks[row], looks[column]) for row, column in assign(costs, unassigned=MAX_COST)]


def _cost(expected: Prediction, size: float, look: Look, *, is_weak: bool) -> float | None:
    growth = math.log(look.size / size)
    if abs(growth) > math.log(MAX_GROWTH):
        return None
    sigmas = ((look.x - expected.x) / expected.deviation_x) ** 2 + ((look.y - expected.y) / expected.deviation_y) ** 2
    shared = _overlap(expected, look)
    if sigmas > MAX_SIGMAS**2:
        if shared < SAME_PLACE:
            return None
        sigmas = MAX_SIGMAS**2
    if is_weak and shared < WEAK_OVERLAP:
        return None
    return sigmas + (growth / SIZE_DEVIATION) ** 2 + 3 * (1 - shared)


def _overlap(expected: Prediction, look: Look) -> float:
    box = (expected.x - expected.width / 2, expected.y - expected.height / 2, expected.width, expected.height)
    return overlap(box, (look.x - look.width / 2, look.y - look.height / 2, look.width, look.height))


def _is_double(better: SeenObject, seen: SeenObject) -> bool:
    same_group = group_of(better.label) == group_of(seen.label)
    return overlap(better.box, seen.box) >= (DOUBLE_IN_GROUP if same_group else DOUBLE_ACROSS)
