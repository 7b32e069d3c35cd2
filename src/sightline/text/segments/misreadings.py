"""One line that stands still and is read differently now and then: told from lines that do change. Pure.

A reading counts as flicker of another text only at the same place and without a longer break than the gap limit between them, and

- if they differ in nothing but what looks alike (0 and O, rn and m, a full stop), however long each was read;
- or if it is brief, less sure, only a few letters off, and agrees in every digit: `Room 101` and `Room 102` are two rooms.
"""

import re
from dataclasses import dataclass

from sightline.text.segments.fold import fold
from sightline.text.segments.runs import TextRun, is_same_line
from sightline.text.segments.segment import Box
from sightline.text.segments.typos import skeleton

MAX_MISREADING_MS = 400
"""Longer than this, a text that differs was meant to be read."""
MIN_DURATION_RATIO = 3
"""How many times as long as the flicker a text has to stand."""
LETTERS_PER_ERROR = 5

_SIGNIFICANT_SIGNS = frozenset("+-$€£¥%<>=")
"""Beside a digit: +1 is not -1."""


def visual_form(normalized: str) -> str:
    """What is left of a text when all that readings get wrong is made the same. Signs between digits stay: 10.5 is not 105."""
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
    """The runs with flicker given to the text that it is of. Nothing more to settle in the result."""
    while True:
        settled = _join_equal(_merge_once(runs, gap_ms=gap_ms), gap_ms=gap_ms)
        if len(settled) == len(runs):
            return settled
        runs = settled


def _merge_once(runs: list[TextRun], *, gap_ms: int) -> list[TextRun]:
    sights = sorted(
        (_ComparedRun.of(run) for run in runs), key=lambda one: (one.run.t_start, one.run.t_end, one.run.normalized)
    )
    given: dict[int, TextRun] = {}
    near: list[_ComparedRun] = []
    for one in sights:
        near = [other for other in near if one.run.t_start - other.run.t_end <= gap_ms]
        for other in near:
            if not is_same_line(one.box, other.box):
                continue
            weak, strong = (one, other) if one.strength < other.strength else (other, one)
            if id(weak.run) not in given and (
                one.visual_form == other.visual_form != "" or _is_brief_misreading(weak.run, strong.run)
            ):
                given[id(weak.run)] = strong.run
        near.append(one)
    if not given:
        return runs
    taken: dict[int, list[TextRun]] = {}
    for run in runs:
        taken.setdefault(id(_final_owner(run, given)), []).append(run)
    return [_together(parts) for parts in taken.values()]


@dataclass(frozen=True, slots=True)
class _ComparedRun:
    """A run with what is asked of it many times."""

    run: TextRun
    box: Box
    visual_form: str
    strength: tuple[float, float, str]

    @classmethod
    def of(cls, run: TextRun) -> "_ComparedRun":
        seen = sum(max(one.t_end - one.t_start, 1) * one.confidence for one in run.readings)
        return cls(run, run.box, visual_form(run.normalized), (seen, run.confidence, run.normalized))


def _together(parts: list[TextRun]) -> TextRun:
    return parts[0] if len(parts) == 1 else TextRun.of([one for part in parts for one in part.readings])


def _final_owner(run: TextRun, given: dict[int, TextRun]) -> TextRun:
    """Strength only grows along the way, so it ends."""
    while id(run) in given:
        run = given[id(run)]
    return run


def _join_equal(runs: list[TextRun], *, gap_ms: int) -> list[TextRun]:
    """Runs of one text that flicker had parted."""
    joined: list[TextRun] = []
    last: dict[str, TextRun] = {}
    for run in sorted(runs, key=lambda run: (run.t_start, run.t_end, run.normalized)):
        earlier = last.get(run.normalized)
        if earlier is not None and run.t_start - earlier.t_end <= gap_ms:
            earlier.add(run.readings)
        else:
            last[run.normalized] = run
            joined.append(run)
    return joined


def _is_brief_misreading(weak: TextRun, strong: TextRun) -> bool:
    if (
        weak.duration > MAX_MISREADING_MS
        or strong.duration < MIN_DURATION_RATIO * weak.duration
        or weak.confidence >= strong.confidence
    ):
        return False
    one, other = fold(weak.normalized), fold(strong.normalized)
    if re.sub(r"\D", "", one) != re.sub(r"\D", "", other):
        return False
    is_inside = strong.t_start <= weak.t_start and weak.t_end <= strong.t_end
    # A line that is being typed grows letter by letter; its stages are no errors. Inside the time of the whole line they are.
    if not is_inside and (one.startswith(other) or other.startswith(one)):
        return False
    return is_within_errors(one, other, most=max(len(one), len(other)) // LETTERS_PER_ERROR)


def is_within_errors(one: str, other: str, *, most: int) -> bool:
    """Whether so many letters changed, added or left out make one text of the other."""
    if abs(len(one) - len(other)) > most:
        return False
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        above, row[0] = row[0], at
        for column, its in enumerate(other, start=1):
            above, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, above + (letter != its))
        if min(row) > most:
            return False
    return row[-1] <= most
