"""Misreadings of a line, distinguished from lines that really change. Pure.

A run is a misreading of another run only at the same position, without a break longer than the gap limit between them, and

- if they differ only in look-alikes (0 and O, rn and m, a full stop), however long each was read;
- or if it is brief, less certain, only a few letters off, and has the same digits: `Room 101` and `Room 102` are two rooms.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from sightline.text.segments.fold import fold
from sightline.text.segments.runs import TextRun, is_same_line, may_have_moved, overlaps_line
from sightline.text.segments.segment import Box, TextReading
from sightline.text.segments.typos import skeleton

MAX_MISREADING_MS = 400
"""A different text that is shown for longer is not a misreading."""
MIN_DURATION_RATIO = 3
"""How many times longer than its misreading a text must be shown."""
LETTERS_PER_ERROR = 5

_SIGNIFICANT_SIGNS = frozenset("+-$€£¥%<>=")
"""Signs that matter next to a digit: +1 is not -1."""


def visual_form(normalized: str) -> str:
    """The text with everything that is often misread made equal. Signs between digits stay: 10.5 is not 105."""
    text = fold(normalized)
    around = f" {text} "
    kept = (
        letter
        for letter, before, after in zip(text, around, around[2:], strict=False)
        if letter.isalnum()
        or (before.isdigit() and after.isdigit())
        or (letter in _SIGNIFICANT_SIGNS and (before.isdigit() or after.isdigit()))
    )
    return skeleton("".join(kept))


def merge_misreadings(runs: list[TextRun], *, gap_ms: int) -> list[TextRun]:
    """Merges each misreading into the run of the correct text, until nothing is left to merge."""
    while True:
        settled = _join_equal(_merge_once(runs, gap_ms=gap_ms), gap_ms=gap_ms)
        if len(settled) == len(runs):
            return settled
        runs = settled


def _merge_once(runs: list[TextRun], *, gap_ms: int) -> list[TextRun]:
    compared = sorted(
        (_ComparedRun.of(run) for run in runs), key=lambda one: (one.run.t_start, one.run.t_end, one.run.normalized)
    )
    owners: dict[int, TextRun] = {}
    near: list[_ComparedRun] = []
    for one in compared:
        near = [other for other in near if one.run.t_start - other.run.t_end <= gap_ms]
        for other in near:
            # What moves is where it was when the later of both began.
            met = other.box_at(one.run.t_start)
            if not (is_same_line(one.box, other.box) or is_same_line(one.readings[0].box, met)):
                continue
            weak, strong = (one, other) if one.strength < other.strength else (other, one)
            if id(weak.run) not in owners and (
                one.visual_form == other.visual_form != "" or _is_brief_misreading(weak.run, strong.run)
            ):
                owners[id(weak.run)] = strong.run
        near.append(one)
    if not owners:
        return runs
    groups: dict[int, list[TextRun]] = {}
    for run in runs:
        groups.setdefault(id(_final_owner(run, owners)), []).append(run)
    return [_join(parts) for parts in groups.values()]


@dataclass(frozen=True, slots=True)
class _ComparedRun:
    """A run with the values that comparisons need."""

    run: TextRun
    readings: list[TextReading]
    """By time."""
    box: Box
    visual_form: str
    strength: tuple[float, float, str]

    @classmethod
    def of(cls, run: TextRun) -> "_ComparedRun":
        seen = sum(max(one.t_end - one.t_start, 1) * one.confidence for one in run.readings)
        by_time = sorted(run.readings, key=lambda one: one.t_start)
        return cls(run, by_time, run.box, visual_form(run.normalized), (seen, run.confidence, run.normalized))

    def box_at(self, at_ms: int) -> Box:
        """Where it was last shown by this time."""
        number = bisect_right(self.readings, at_ms, key=lambda one: one.t_start)
        return self.readings[max(0, number - 1)].box


def _join(parts: list[TextRun]) -> TextRun:
    return parts[0] if len(parts) == 1 else TextRun.of([one for part in parts for one in part.readings])


def _final_owner(run: TextRun, owners: dict[int, TextRun]) -> TextRun:
    """Strength grows with every step, so that the loop ends."""
    while id(run) in owners:
        run = owners[id(run)]
    return run


def _join_equal(runs: list[TextRun], *, gap_ms: int) -> list[TextRun]:
    """Joins runs of one text that a misreading had separated."""
    joined: list[TextRun] = []
    last: dict[str, list[TextRun]] = {}
    for run in sorted(runs, key=lambda run: (run.t_start, run.t_end, run.normalized)):
        near = [one for one in last.get(run.normalized, []) if run.t_start - one.t_end <= gap_ms]
        # A text that is shown in two places at once is there twice.
        earlier = next((one for one in near if _is_same_showing(one, run)), None)
        if earlier is not None:
            earlier.add(run.readings)
        else:
            near.append(run)
            joined.append(run)
        last[run.normalized] = near
    return joined


def _digits(folded: str) -> str:
    """Digits that distinguish texts. One between two letters is a misread letter: `resu1ts`."""
    return re.sub(r"\D", "", re.sub(r"(?<=[^\W\d_])[0158](?=[^\W\d_])", "", folded))


def _is_same_showing(earlier: TextRun, run: TextRun) -> bool:
    if overlaps_line(run.box, earlier.box):
        return True
    return run.t_start >= earlier.t_end and may_have_moved(earlier, run.readings[0])


def _is_brief_misreading(weak: TextRun, strong: TextRun) -> bool:
    if (
        weak.duration > MAX_MISREADING_MS
        or strong.duration < MIN_DURATION_RATIO * weak.duration
        or weak.confidence >= strong.confidence
    ):
        return False
    one, other = fold(weak.normalized), fold(strong.normalized)
    if _digits(one) != _digits(other):
        return False
    is_inside = strong.t_start <= weak.t_start and weak.t_end <= strong.t_end
    # A line that is being typed grows letter by letter; its stages are misreadings only within the whole line's time.
    if not is_inside and (one.startswith(other) or other.startswith(one)):
        return False
    max_errors = max(len(one), len(other)) // LETTERS_PER_ERROR
    return Levenshtein.distance(one, other, score_cutoff=max_errors) <= max_errors
