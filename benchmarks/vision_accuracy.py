"""Precision and recall of the detector on real pictures, beside the raw models and OpenCV's HOG, and how true its scores are.

    make vision
    .venv/bin/python benchmarks/vision_accuracy.py DIRECTORY LABELS.json [--fit]

LABELS.json: {"file.jpg": {"objects": [{"group": "person", "box": [x, y, width, height]}], "ignore": [[x, y, width, height]]}} with
boxes from 0 to 1. Objects that are too small or too many to label lie in `ignore`: finding them counts neither way. `--fit` prints
the calibration that fits these pictures. HOG is in OpenCV 4 only: put one on PYTHONPATH to see it beside.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from sightline.geometry import shared_area
from sightline.vision.boxes import Boxes, overlaps
from sightline.vision.inference.findings import Finding, chosen_objects, findings_of, merge
from sightline.vision.inference.model import OnnxModel
from sightline.vision.labels import GROUPS
from sightline.vision.model_spec import ModelSpec
from sightline.vision.models.catalogue import MODELS
from sightline.vision.models.install import installed_models
from sightline.vision.settings import VisionSettings

MIN_OVERLAP = 0.4
"""From which a box counts as found: labels were drawn by eye."""
SHOWN_GROUPS = ("person", "vehicle", "animal")
RAW_SCORE = 0.25
"""The usual threshold of such models."""

Seen = tuple[str, float, tuple[float, float, float, float]]
"""Group, score and box."""


@dataclass
class Tally:
    """What one detector did on all pictures."""

    found: dict[str, int] = field(default_factory=dict)
    false: dict[str, int] = field(default_factory=dict)
    missed: dict[str, int] = field(default_factory=dict)
    outcomes: list[tuple[float, bool, str]] = field(default_factory=list)
    cpu_s: float = 0.0

    def row(self, group: str) -> str:
        found, false, missed = (one.get(group, 0) for one in (self.found, self.false, self.missed))
        precision = found / (found + false) if found + false else float("nan")
        recall = found / (found + missed) if found + missed else float("nan")
        return f"{precision:.2f} / {recall:.2f} ({found}+{false} of {found + missed})"


def judge(seen: Sequence[Seen], truth: dict[str, Any], tally: Tally) -> None:
    """Matches each box with at most one label of its group, the most certain first."""
    ignored = np.array(truth["ignore"], np.float32).reshape(-1, 4)
    for group in SHOWN_GROUPS:
        labels = np.array([one["box"] for one in truth["objects"] if one["group"] == group], np.float32).reshape(-1, 4)
        taken: set[int] = set()
        for _, score, box in sorted((one for one in seen if one[0] == group), key=lambda one: -one[1]):
            row = np.array(box, np.float32)
            shares = overlaps(row, labels) if len(labels) else np.zeros(0, np.float32)
            best = max((at for at in range(len(labels)) if at not in taken), key=lambda at: shares[at], default=None)
            if best is not None and shares[best] >= MIN_OVERLAP:
                taken.add(best)
                tally.found[group] = tally.found.get(group, 0) + 1
                tally.outcomes.append((score, True, group))
            elif not any(shared_area(one, box) > 0.5 * box[2] * box[3] for one in ignored.tolist()):
                tally.false[group] = tally.false.get(group, 0) + 1
                tally.outcomes.append((score, False, group))
        tally.missed[group] = tally.missed.get(group, 0) + len(labels) - len(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--fit", action="store_true", help="print the calibration that fits these pictures")
    parser.add_argument("--sides", type=int, nargs=2, metavar=("YOLO", "MOVENET"), help="other input sizes")
    options = parser.parse_args()
    truth = json.loads(options.labels.read_text())
    sides = dict(zip((model.name for model in MODELS), options.sides or (), strict=False))
    models = [_open(one.known.name, str(one.file), sides) for one in installed_models(None)]
    settings = VisionSettings()
    detectors: dict[str, Callable[[Any], list[Seen]]] = {
        "Sightline": lambda picture: _sightline(picture, models, settings),
        **{f"{model.spec.name} alone": _raw(model) for model in models},
    }
    if hasattr(cv2, "HOGDescriptor"):
        detectors["OpenCV HOG"] = _hog()
    tallies = {name: Tally() for name in detectors}
    every: dict[str, Tally] = {model.spec.name: Tally() for model in models}
    for name, expected in truth.items():
        content = cv2.imread(str(options.directory / name))
        if content is None:
            raise SystemExit(f"{options.directory / name} cannot be read")
        picture = np.ascontiguousarray(content[:, :, ::-1])
        for detector, look in detectors.items():
            begun = time.process_time()
            seen = look(picture)
            tallies[detector].cpu_s += time.process_time() - begun
            judge(seen, expected, tallies[detector])
        if options.fit:
            for model in models:
                findings = merge(_findings(picture, model, {}), settings.max_overlap)
                judge([(one.group, one.score, one.box) for one in findings], expected, every[model.spec.name])
    print(f"{len(truth)} pictures; precision / recall (right + false of labelled)\n")
    print(f"| detector | {' | '.join(SHOWN_GROUPS)} | CPU ms a picture |\n|---|{'---|' * len(SHOWN_GROUPS)}--:|")
    for detector, tally in tallies.items():
        rows = " | ".join(tally.row(group) for group in SHOWN_GROUPS)
        print(f"| {detector} | {rows} | {1000 * tally.cpu_s / len(truth):.0f} |")
    print("\n" + reliability(tallies["Sightline"].outcomes))
    for name, tally in every.items() if options.fit else ():
        for group in SHOWN_GROUPS:
            outcomes = [(score, right) for score, right, kind in tally.outcomes if kind == group]
            if sum(right for _, right in outcomes) >= 5:
                slope, offset = fit(outcomes)
                print(f"{name} {group}: ({slope:.2f}, {offset:.2f}) from {len(outcomes)} boxes")


def reliability(outcomes: Sequence[tuple[float, bool, str]]) -> str:
    lines = ["| shown score | boxes | mean score | right |", "|---|--:|--:|--:|"]
    for low, high in ((0.3, 0.5), (0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.001)):
        inside = [(score, right) for score, right, _ in outcomes if low <= score < high]
        if inside:
            scores, rights = zip(*inside, strict=True)
            lines.append(
                f"| {low:.1f}–{min(high, 1):.1f} | {len(inside)} | {np.mean(scores):.2f} | {np.mean(rights):.2f} |"
            )
    return "\n".join(lines)


def fit(outcomes: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Slope and offset of a logistic curve on the logit of the score, by Newton's method, with a weak prior on slope 1."""
    scores = np.clip(np.array([score for score, _ in outcomes]), 1e-6, 1 - 1e-6)
    right = np.array([is_right for _, is_right in outcomes], float)
    inputs = np.stack([np.log(scores / (1 - scores)), np.ones(len(scores))], axis=1)
    values, prior = np.array([1.0, 0.0]), np.array([1.0, 0.0])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-inputs @ values))
        slope = inputs.T @ (right - chance) - (values - prior)
        curve = inputs.T @ (inputs * (chance * (1 - chance))[:, None]) + np.eye(2)
        values = values + np.linalg.solve(curve, slope)
    return float(values[0]), float(values[1])


def _open(name: str, file: str, sides: dict[str, int]) -> OnnxModel:
    known = next(model for model in MODELS if model.name == name)
    spec = ModelSpec(
        name=name, file=file, side=sides.get(name, known.side), labels=known.labels, calibration=known.calibration
    )
    return OnnxModel(spec, threads=1)


def _findings(picture: Any, model: OnnxModel, calibration: Any) -> list[Finding]:
    return findings_of(model.look(picture), model.labels, calibration, model=model.spec.name)


def _sightline(picture: Any, models: Sequence[OnnxModel], settings: VisionSettings) -> list[Seen]:
    found = [one for model in models for one in _findings(picture, model, model.spec.calibration)]
    objects = chosen_objects(
        merge(found, settings.max_overlap),
        min_score=settings.min_score,
        min_scores=settings.lowest_scores(),
        objects=settings.objects,
    )
    return [(GROUPS[one.label], one.score, one.box) for one in objects]


def _raw(model: OnnxModel) -> Callable[[Any], list[Seen]]:
    """The model as it is used everywhere: its best class, a threshold, and repetitions removed per class."""

    def look(picture: Any) -> list[Seen]:
        found = model.look(picture)
        classes, scores = found.scores.argmax(axis=1), found.scores.max(axis=1)
        seen: list[Seen] = []
        for number in set(classes[scores >= RAW_SCORE].tolist()):
            rows = np.flatnonzero((classes == number) & (scores >= RAW_SCORE))
            kept = rows[suppress_repetitions(found.boxes[rows], scores[rows], 0.45)]
            group = GROUPS.get(model.labels[number], "")
            seen += [(group, float(scores[row]), tuple(map(float, found.boxes[row]))) for row in kept]  # type: ignore[misc]
        return seen

    return look


def suppress_repetitions(boxes: Boxes, scores: Any, max_overlap: float) -> list[int]:
    """Positions of the boxes that stay, the best first (non-maximum suppression)."""
    remaining = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    while len(remaining):
        best, others = int(remaining[0]), remaining[1:]
        kept.append(best)
        remaining = others[overlaps(boxes[best], boxes[others]) <= max_overlap]
    return kept


def _hog() -> Callable[[Any], list[Seen]]:
    opencv: Any = cv2  # version 5 has no HOG
    people = opencv.HOGDescriptor()
    people.setSVMDetector(opencv.HOGDescriptor_getDefaultPeopleDetector())

    def look(picture: Any) -> list[Seen]:
        scale = min(1.0, 640 / max(picture.shape[:2]))
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        if small.shape[0] < 128 or small.shape[1] < 64:
            return []
        boxes, weights = people.detectMultiScale(small, winStride=(8, 8), padding=(8, 8), scale=1.05)
        height, width = small.shape[:2]
        return [
            ("person", min(1.0, float(weight)), (x / width, y / height, w / width, h / height))
            for (x, y, w, h), weight in zip(boxes, np.ravel(weights), strict=True)
        ]

    return look


if __name__ == "__main__":
    main()
