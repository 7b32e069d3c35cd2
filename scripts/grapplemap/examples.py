"""Examples for training and test: labelled pairs in 3D, each with its family and fold."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grapplemap.data_file import Entry, read_entries
from grapplemap.families import FAMILIES, complete_linkage, distances, ends_of, folds_of, variants
from grapplemap.labels import Label, category_of_transition, extra_category, label_of_position
from sightline.contracts.technique_events import Category
from sightline.techniques.pose.vocabulary import CATEGORIES, NAMES, PHASE_OF, PHASES

HEADS = ("phase", "category", "name")
EXACT_END = 0.02
"""An end that differs more from every named position is a place without a name."""
SPLIT_SEED = 20261118


@dataclass(frozen=True, slots=True)
class Examples:
    frames: NDArray[np.float32]
    """(n, 2, 23, 3)."""
    labels: NDArray[np.int64]
    """(n, 3): phase, category and name, -1 where not known."""
    truths: NDArray[np.int64]
    """(n,): the category among all six, DEFENSE_ESCAPES last; -1 where figures leave it out."""
    families: NDArray[np.int64]
    folds: NDArray[np.int64]
    """(n, 2): of both ends. What lies between a fold that is trained on and one that is held out belongs to neither."""
    moves: NDArray[np.int64]
    """The transition that each frame is of; -1 for positions."""

    def held_out(self, fold: int) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (self.folds == fold).all(axis=1)
        return found

    def trained_on(self, fold: int | None) -> NDArray[np.bool_]:
        """With a label, and far from the fold that is held out."""
        found: NDArray[np.bool_] = (self.labels >= 0).any(axis=1) & (self.folds != fold).all(axis=1)
        return found

    def only(self, chosen: NDArray[np.bool_]) -> "Examples":
        return Examples(*(getattr(self, name)[chosen] for name in self.__slots__))


def read_examples(file: Path) -> Examples:
    entries = read_entries(file)
    positions = [one for one in entries if one.is_position]
    transitions = [one for one in entries if not one.is_position]
    found = [label_of_position(one) for one in positions]
    shapes = variants(np.concatenate([one.frames for one in positions]))
    apart = distances(shapes[0], shapes)
    families = complete_linkage(np.minimum(apart, apart.T), FAMILIES)
    folds = folds_of(families, [one.category for one in found], SPLIT_SEED)[families]
    parts = [
        _of_positions(positions, found, families, folds),
        _of_transitions(transitions, positions, found, families, folds),
    ]
    return Examples(*(np.concatenate([getattr(one, name) for one in parts]) for name in Examples.__slots__))


def _of_positions(
    positions: Sequence[Entry], found: Sequence[Label], families: NDArray[np.int64], folds: NDArray[np.int64]
) -> Examples:
    labels = [
        _numbers(one.category or extra_category(entry), one.name) for entry, one in zip(positions, found, strict=True)
    ]
    return Examples(
        np.concatenate([one.frames for one in positions]),
        np.array(labels),
        np.array([_truth(one.category) for one in found]),
        families,
        np.stack([folds, folds], axis=1),
        np.full(len(positions), -1),
    )


def _of_transitions(
    transitions: Sequence[Entry],
    positions: Sequence[Entry],
    found: Sequence[Label],
    families: NDArray[np.int64],
    folds: NDArray[np.int64],
) -> Examples:
    frames, labels, truths, of_family, of_fold, moves = [], [], [], [], [], []
    for number, (one, ends) in enumerate(zip(transitions, ends_of(transitions, positions), strict=True)):
        start = found[ends.start] if ends.start_miss < EXACT_END else Label()
        end = found[ends.end] if ends.end_miss < EXACT_END else Label()
        category = category_of_transition(start, end, one.properties, one.tags)
        for at, frame in enumerate(one.frames):
            part = at / (len(one.frames) - 1)
            frames.append(frame)
            labels.append(_between(start, end, part, category))
            truths.append(_truth(category))
            of_family.append(families[ends.start if part < 0.5 else ends.end])
            of_fold.append((folds[ends.start], folds[ends.end]))
            moves.append(number)
    return Examples(
        np.array(frames), np.array(labels), np.array(truths), np.array(of_family), np.array(of_fold), np.array(moves)
    )


def _between(start: Label, end: Label, part: float, category: Category | None) -> tuple[int, int, int]:
    """Near an end a frame shows that position; halfway it shows what both ends have in common."""
    near = start if part < 0.4 else end if part > 0.6 else None
    phases = {_phase(one.category) for one in ([start, end] if near is None else [near])}
    names = {one.name for one in ([start, end] if near is None else [near])}
    phase = phases.pop() if len(phases) == 1 else -1
    name = names.pop() if len(names) == 1 else None
    own = -1 if category not in CATEGORIES else CATEGORIES.index(category)
    # Who acts is not seen in a frame, so the category of the movement counts only while its frame is in that phase.
    fits = own >= 0 and PHASES.index(PHASE_OF[CATEGORIES[own]]) == phase
    return phase, own if fits else -1, -1 if name is None else NAMES.index(name)


def _phase(category: Category | None) -> int:
    return PHASES.index(PHASE_OF[category]) if category in PHASE_OF else -1


def _numbers(category: Category | None, name: str | None) -> tuple[int, int, int]:
    own = CATEGORIES.index(category) if category in CATEGORIES else -1
    return _phase(category), own, -1 if name is None else NAMES.index(name)


def _truth(category: Category | None) -> int:
    if category is None:
        return -1
    return CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES)
