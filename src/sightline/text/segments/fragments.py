"""Fragments: parts of a line that frames show while it is typed, or while it moves in or out. Pure.

A fragment is dropped when the whole line was read at about the same time, in the same row.
"""

from collections import defaultdict

from sightline.text.segments.runs import TextRun
from sightline.text.segments.segment import Box

MAX_FRAGMENT_MS = 2500
"""What is shown for longer is a text of its own."""
MAX_DISTANCE_MS = 4000
"""A ticker shows the beginning of a line some seconds before the whole of it."""
MIN_SURE_LETTERS = 4
"""What is left of a fragment without the letters at its cuts."""
MAX_STAGE_MS = 1000
"""The longest time between two letters that are being typed."""
MAX_CUT_LETTERS = 2
"""Letters at a cut are half visible and read as others."""


def drop_fragments(runs: list[TextRun]) -> list[TextRun]:
    by_length = sorted(runs, key=lambda run: (-len(run.normalized), run.t_start))
    kept: list[TextRun] = []
    by_time: dict[int, list[TextRun]] = defaultdict(list)
    """Kept runs by spans of the longest distance, so that each is compared only with those near it."""
    for run in by_length:
        first, last = run.t_start // MAX_DISTANCE_MS, run.t_end // MAX_DISTANCE_MS
        if run.duration <= MAX_FRAGMENT_MS:
            near = (whole for span in range(first - 1, last + 2) for whole in by_time.get(span, ()))
            if any(_is_fragment(run, whole) for whole in near):
                continue
        kept.append(run)
        for span in range(first, last + 1):
            by_time[span].append(run)
    return kept


def _is_fragment(run: TextRun, whole: TextRun) -> bool:
    """Whether the run shows the beginning, the end or the middle of the line that is being typed, or that moves."""
    if len(run.normalized) >= len(whole.normalized) or whole.duration < run.duration / 2:
        return False
    apart = max(whole.t_start - run.t_end, run.t_start - whole.t_end)
    if apart > MAX_DISTANCE_MS or not _are_in_row(run.box, whole.box):
        return False
    if _stand_side_by_side(run, whole):
        return False
    text, line = run.normalized, whole.normalized
    return _is_stage(run, whole) or (_has_moved(run, whole) and _is_part(text, line))


def _stand_side_by_side(run: TextRun, whole: TextRun) -> bool:
    """Whether both are shown at once, each in a place of its own that it keeps, as cells of a table are."""
    is_at_once = whole.t_start <= run.t_start and run.t_end <= whole.t_end
    if not (is_at_once and _keeps_its_place(run) and _keeps_its_place(whole)):
        return False
    return all(
        one.box.x + one.box.width <= other.box.x or other.box.x + other.box.width <= one.box.x
        for one in run.readings
        for other in whole.readings
    )


def _keeps_its_place(run: TextRun) -> bool:
    xs = [one.box.x for one in run.readings]
    return max(xs) - min(xs) <= run.box.height / 2


def _is_stage(run: TextRun, whole: TextRun) -> bool:
    """Whether the run is a line while it is being typed. A number that grows is another number."""
    text, line = run.normalized, whole.normalized
    is_number = text[-1:].isdigit() and line[len(text) : len(text) + 1].isdigit()
    return (
        line.startswith(text)
        and not is_number
        and run.duration <= MAX_STAGE_MS
        and whole.t_end - run.t_end >= 0
        and whole.t_start - run.t_end <= MAX_STAGE_MS
        and run.t_start <= whole.t_start
        and abs(run.box.x - whole.box.x) <= run.box.height
    )


def _has_moved(run: TextRun, whole: TextRun) -> bool:
    """Whether one of both, or what lies between them, has changed its place along the row: both belong to a ticker."""
    height = min(run.box.height, whole.box.height)
    xs = [one.box.x for one in run.readings] + [one.box.x for one in whole.readings]
    if max(xs) - min(xs) > height:
        return True
    # What stands where the line begins, but is not how it begins, was further right before.
    return abs(run.box.x - whole.box.x) <= height and not whole.normalized.startswith(run.normalized[:2])


def _is_part(text: str, line: str) -> bool:
    """Whether the text is cut out of the line, give or take letters at the cuts. A part of a number is another number."""
    for start in range(MAX_CUT_LETTERS + 1):
        for end in range(MAX_CUT_LETTERS + 1):
            part = text[start : len(text) - end]
            at = line.find(part) if len(part) >= (1 if start == end == 0 else MIN_SURE_LETTERS) else -1
            if at >= 0 and not _cuts_a_number(line, at, at + len(part), text):
                return True
    return False


def _cuts_a_number(line: str, start: int, end: int, text: str) -> bool:
    before, after = line[max(0, start - 1) : start], line[end : end + 1]
    return (text[:1].isdigit() and before.isdigit()) or (text[-1:].isdigit() and after.isdigit())


def _are_in_row(one: Box, other: Box) -> bool:
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return high * 2 > min(one.height, other.height)
