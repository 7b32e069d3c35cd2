"""From candidates to objects: certainty, one box per object across models and tiles, and a name that can be stood by. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sightline.vision.boxes import from_part, overlaps
from sightline.vision.detector import WHOLE, Box, DetectedObject
from sightline.vision.inference.candidates import Candidates
from sightline.vision.labels import OBJECT, PERSON, group_of
from sightline.vision.tiles import touches_inner_edge

FLOOR = 0.05
"""Candidates below are not looked at, whatever the thresholds."""
MIN_NAME_SHARE = 0.6
"""Share of a class in its group, below which the object is called by the name of the group."""
AGREEING_OVERLAP = 0.7
"""Models draw boxes differently: of two models, boxes that overlap by this share of the limit are one object already."""
DOUBTFUL_OVERLAP = 0.3
"""Above it, the less certain of two objects of a group is doubted."""
DOUBTFUL_OVERLAP_OF_GROUPS = 0.65
"""The same for objects of different groups: a rider overlaps the horse, but does not cover it."""
MAX_CANDIDATES = 300
"""Per picture and model; more are noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    model: str
    group: str
    """Objects of one group that overlap are one object; a class without a group is its own."""
    label: str
    score: float
    box: Box
    keypoints: tuple[tuple[float, float, float], ...] = ()


def findings_of(
    candidates: Candidates,
    labels: Sequence[str],
    calibration: Mapping[str, tuple[float, float]],
    *,
    model: str,
    part: Box = WHOLE,
) -> list[Finding]:
    """What a model sees in a part of the picture, with calibrated scores and boxes of the whole picture."""
    strengths = candidates.scores.max(axis=1, initial=0)
    likely = np.argsort(-strengths, kind="stable")[:MAX_CANDIDATES]
    chosen = candidates.only([int(one) for one in likely if strengths[one] >= FLOOR])
    boxes = from_part(chosen.boxes, part)
    found = []
    for row, box in enumerate(boxes):
        if part != WHOLE and touches_inner_edge(_as_box(chosen.boxes[row]), part):
            continue
        named = _named(chosen.scores[row], labels)
        if named is None:
            continue
        group, label, raw = named
        slope, offset = calibration.get(_kind(group), (1.0, 0.0))
        keypoints = None if chosen.keypoints is None else chosen.keypoints[row]
        found.append(
            Finding(
                model=model,
                group=group,
                label=label,
                score=calibrated(raw, slope, offset),
                box=_as_box(box),
                keypoints=_keypoints(keypoints, part),
            )
        )
    return found


def calibrated(score: float, slope: float, offset: float) -> float:
    """A logistic curve through the logit of the score; 1 and 0 leave it as it is."""
    bounded = min(max(score, 1e-6), 1 - 1e-6)
    logit = float(np.log(bounded / (1 - bounded)))
    return float(1 / (1 + np.exp(-(slope * logit + offset))))


def merge(findings: Iterable[Finding], max_overlap: float) -> list[Finding]:
    """One finding per object, the most certain first. Models that agree make an object more certain."""
    ordered = sorted(findings, key=lambda one: -one.score)
    boxes = _boxes(ordered)
    remaining = list(range(len(ordered)))
    merged: list[Finding] = []
    while remaining:
        first, *others = remaining
        best = ordered[first]
        repeated: list[Finding] = []
        remaining = []
        for other, share in zip(others, overlaps(boxes[first], boxes[others]).tolist(), strict=True):
            one = ordered[other]
            limit = max_overlap if one.model == best.model else max_overlap * AGREEING_OVERLAP
            if one.group == best.group and share > limit:
                repeated.append(one)
            else:
                remaining.append(other)
        merged.append(_together(best, repeated))
    return _doubted(sorted(merged, key=lambda one: -one.score))


def _doubted(findings: Sequence[Finding]) -> list[Finding]:
    """Lowers the score of what overlaps something more certain: it may be a part of it, or another name for it."""
    boxes = _boxes(findings)
    kept: list[Finding] = []
    for number, one in enumerate(findings):
        score = one.score
        for better, share in zip(kept, overlaps(boxes[number], boxes[:number]).tolist(), strict=True):
            if share > (DOUBTFUL_OVERLAP if better.group == one.group else DOUBTFUL_OVERLAP_OF_GROUPS):
                score *= 1 - share
        kept.append(replace(one, score=score))
    return sorted(kept, key=lambda one: -one.score)


def _boxes(findings: Sequence[Finding]) -> NDArray[np.float32]:
    return np.array([one.box for one in findings], np.float32).reshape(-1, 4)


def chosen_objects(
    findings: Iterable[Finding], *, min_score: float, min_scores: Mapping[str, float], objects: Sequence[str]
) -> list[DetectedObject]:
    """Those that are certain enough for their class, and wanted."""
    found = []
    for one in findings:
        lowest = min_scores.get(one.label, min_scores.get(one.group, min_score))
        wanted = "all" in objects or one.label in objects or one.group in objects
        if wanted and one.score >= lowest:
            found.append(DetectedObject(one.label, round(one.score, 4), one.box, one.keypoints))
    return found


def _named(scores: NDArray[np.float32], labels: Sequence[str]) -> tuple[str, str, float] | None:
    """Group, label and score of a candidate. The label is the group's where no class stands out."""
    by_group: dict[str, list[tuple[float, str]]] = {}
    for number in map(int, np.flatnonzero(scores >= FLOOR / 2)):
        if number < len(labels) and labels[number]:
            by_group.setdefault(_group(labels[number]), []).append((float(scores[number]), labels[number]))
    if not by_group:
        return None
    total, group = max((sum(score for score, _ in members), group) for group, members in by_group.items())
    best, label = max(by_group[group])
    return group, label if best >= MIN_NAME_SHARE * total else group, min(1.0, total)


def _group(label: str) -> str:
    group = group_of(label)
    return label if group == OBJECT else group


def _kind(group: str) -> str:
    """The group by which scores are calibrated: classes without a group share one."""
    return group if group_of(group) == group else OBJECT


def _together(best: Finding, repeated: Sequence[Finding]) -> Finding:
    others: dict[str, Finding] = {}
    for one in repeated:
        if one.model != best.model:
            others.setdefault(one.model, one)
    doubt = 1 - best.score
    for one in others.values():
        doubt *= 1 - one.score
    keypoints = best.keypoints or next((one.keypoints for one in others.values() if one.keypoints), ())
    return replace(best, score=1 - doubt, keypoints=keypoints if best.group == PERSON else ())


def _keypoints(points: NDArray[np.float32] | None, part: Box) -> tuple[tuple[float, float, float], ...]:
    if points is None:
        return ()
    x, y, width, height = part
    return tuple(
        (round(x + float(px) * width, 4), round(y + float(py) * height, 4), round(float(certainty), 3))
        for px, py, certainty in points
    )


def _as_box(row: NDArray[np.float32]) -> Box:
    x, y, width, height = (float(value) for value in row)
    return x, y, width, height
