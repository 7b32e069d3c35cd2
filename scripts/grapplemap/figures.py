"""Figures of a classifier on families that it has not seen: accuracy, confusion, calibration, and what it says when it is sure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grapplemap import camera
from grapplemap.examples import Examples
from sightline.contracts.technique_events import Category
from sightline.techniques.pose.phase_spans import MIN_LEAD
from sightline.techniques.pose.phase_windows import HEADS, Calibration, probabilities, softmax
from sightline.techniques.pose.skeleton import Poses
from sightline.techniques.pose.steadying import steadied
from sightline.techniques.pose.vocabulary import CATEGORIES, NAMES, PHASE_OF, PHASES

Array = NDArray[np.float32]
Classify = Callable[[Poses], Array]
"""Pairs in, logits out."""

CAMERAS = 16
"""Pictures of each position."""
WINDOW_LOOKS = 8
LOOK_MS = 250
APART_MS = 60_000
"""Between windows, so that none is steadied by the looks of another."""
PHASE_OF_TRUTH = np.array([*(PHASES.index(PHASE_OF[one]) for one in CATEGORIES), -1])


@dataclass(frozen=True, slots=True)
class Answers:
    """What was said about pictures, and what they show."""

    logits: Array
    truths: NDArray[np.int64]
    """Categories, DEFENSE_ESCAPES last."""
    names: NDArray[np.int64]

    @property
    def phases(self) -> NDArray[np.int64]:
        found: NDArray[np.int64] = PHASE_OF_TRUTH[self.truths]
        return found


def joined(parts: Sequence[Answers]) -> Answers:
    return Answers(*(np.concatenate([getattr(one, name) for one in parts]) for name in Answers.__slots__))


def about_frames(classify: Classify, examples: Examples, level: str, seed: int) -> Answers:
    """Single pictures of positions; `examples` are held out."""
    chosen = examples.only((examples.moves < 0) & (examples.truths >= 0))
    numbers = np.tile(np.arange(len(chosen.frames)), CAMERAS)
    rng = np.random.default_rng(seed)
    pairs = camera.photographed(chosen.frames[numbers], rng, camera.LEVELS[level])
    return Answers(classify(pairs), chosen.truths[numbers], chosen.labels[numbers, 2])


def about_windows(classify: Classify, examples: Examples, level: str, seed: int, *, of_moves: bool) -> Answers:
    """Eight looks of one camera, two seconds, steadied and averaged: of positions that are held, or of the movement of a
    transition. A real window has looks before and after it, these have none."""
    windows = _moves(examples) if of_moves else _held(examples)
    frames = np.concatenate([frames for frames, _, _ in windows])
    rng = np.random.default_rng(seed)
    pairs = camera.photographed(frames, rng, camera.LEVELS[level], looks_per_camera=WINDOW_LOOKS)
    logits = classify(steadied_windows(pairs, WINDOW_LOOKS)).reshape(len(windows), WINDOW_LOOKS, -1).mean(axis=1)
    truths, names = (np.array([one[number] for one in windows], np.int64) for number in (1, 2))
    return Answers(logits, truths, names)


def steadied_windows(pairs: Poses, looks: int) -> Poses:
    """`pairs` has so many looks of each window in a row."""
    starts_ms = np.arange(len(pairs) // looks) * APART_MS
    return steadied((starts_ms[:, None] + np.arange(looks) * LOOK_MS).reshape(-1), pairs)


def moved(frames: Array, looks: int) -> Array:
    """So many frames of a movement, at equal times."""
    at = np.linspace(0, len(frames) - 1, looks)
    low, high = np.floor(at).astype(int), np.ceil(at).astype(int)
    part = (at - low)[:, None, None, None].astype(np.float32)
    found: Array = frames[low] * (1 - part) + frames[high] * part
    return found


def _held(examples: Examples) -> list[tuple[Array, int, int]]:
    chosen = examples.only((examples.moves < 0) & (examples.truths >= 0))
    return [
        (np.repeat(frame[None], WINDOW_LOOKS, axis=0), int(truth), int(labels[2]))
        for frame, truth, labels in zip(chosen.frames, chosen.truths, chosen.labels, strict=True)
        for _ in range(CAMERAS // 4)
    ]


def _moves(examples: Examples) -> list[tuple[Array, int, int]]:
    found = []
    chosen = examples.only((examples.moves >= 0) & (examples.truths >= 0))
    for move in np.unique(chosen.moves):
        frames = chosen.frames[chosen.moves == move]
        truth = int(chosen.truths[chosen.moves == move][0])
        found.append((moved(frames, WINDOW_LOOKS), truth, -1))
    return found


def accuracies(said: Answers, calibration: Calibration) -> dict[str, float]:
    phases, categories, names = probabilities(said.logits, calibration)
    known, named = said.phases >= 0, said.names >= 0
    best = np.argsort(-names, axis=1)[:, :3]
    found = {
        "categories": float((categories.argmax(axis=1) == said.truths).mean()),
        "phases": float((phases.argmax(axis=1) == said.phases)[known].mean()),
    }
    if named.any():
        found["names_top1"] = float((best[:, 0] == said.names)[named].mean())
        found["names_top3"] = float((best == said.names[:, None]).any(axis=1)[named].mean())
    return {name: round(value, 3) for name, value in found.items()}


def confusion(said: Answers, calibration: Calibration) -> dict[str, dict[str, float]]:
    """For each category, how often each was said."""
    _, categories, _ = probabilities(said.logits, calibration)
    spoken = categories.argmax(axis=1)
    every = [*CATEGORIES, Category.DEFENSE_ESCAPES]
    return {
        truth.value: {
            one.value: round(float((spoken[said.truths == number] == column).mean()), 3)
            for column, one in enumerate(CATEGORIES)
        }
        for number, truth in enumerate(every)
        if (said.truths == number).any()
    }


def names_recalled(said: Answers, calibration: Calibration) -> dict[str, float]:
    """For each name, how often it was among the first three."""
    _, _, names = probabilities(said.logits, calibration)
    best = np.argsort(-names, axis=1)[:, :3]
    return {
        NAMES[number]: round(float((best[said.names == number] == number).any(axis=1).mean()), 2)
        for number in range(len(NAMES))
        if (said.names == number).any()
    }


def spoken_shares(said: Answers, calibration: Calibration, thresholds: Sequence[float]) -> list[dict[str, float]]:
    """How much is said of phases above each probability, and how much of that is right. What has no phase counts as wrong."""
    phases, _, _ = probabilities(said.logits, calibration)
    ordered = np.sort(phases, axis=1)
    best, lead = ordered[:, -1], ordered[:, -1] - ordered[:, -2]
    is_right = phases.argmax(axis=1) == said.phases
    found = []
    for threshold in thresholds:
        spoken = (best >= threshold) & (lead >= MIN_LEAD)
        precision = float(is_right[spoken].mean()) if spoken.any() else 1.0
        found.append(
            {"probability": threshold, "share": round(float(spoken.mean()), 3), "precision": round(precision, 3)}
        )
    return found


def fitted(said: Answers) -> Calibration:
    """Temperatures under which the answers are most likely."""
    known = {
        "phase": said.phases,
        "category": np.where(said.truths < len(CATEGORIES), said.truths, -1),
        "name": said.names,
    }
    found = {}
    for head, truth in known.items():
        logits, labels = said.logits[truth >= 0][:, HEADS[head]], truth[truth >= 0]
        options = np.geomspace(0.3, 4, 60)
        losses = [-np.log(softmax(logits / one)[np.arange(len(labels)), labels] + 1e-9).mean() for one in options]
        found[head] = round(float(options[int(np.argmin(losses))]), 3)
    return Calibration(**found)


def calibration_error(said: Answers, calibration: Calibration) -> float:
    """Expected difference between how sure a phase is said and how often that is right, in ten steps."""
    phases, _, _ = probabilities(said.logits, calibration)
    known = said.phases >= 0
    best, is_right = phases.max(axis=1)[known], (phases.argmax(axis=1) == said.phases)[known]
    bins = np.minimum((best * 10).astype(int), 9)
    total = sum(
        (bins == one).sum() * abs(best[bins == one].mean() - is_right[bins == one].mean()) for one in np.unique(bins)
    )
    return round(float(total / len(best)), 3)


def as_rows(figures: dict[str, Any]) -> str:
    """One line per entry, for people."""
    return "\n".join(f"{name}: {value}" for name, value in figures.items())
