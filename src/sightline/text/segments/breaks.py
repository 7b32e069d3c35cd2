"""Breaks in a text that was there all the time: OCR loses a watermark over a bright picture, and finds it again. Pure.

The same words at the same place are one text across a break that is short for the time they are shown, if no other text was read
at that place in the meantime.
"""

from collections import defaultdict

from sightline.text.segments.runs import TextRun, is_same_line, overlaps_line

MAX_BREAK_MS = 2000
"""What is gone for longer was shown twice."""
MIN_SHOWN_PER_BREAK = 2
"""How many times longer than the break the text is shown before it or after it."""


def bridge_breaks(runs: list[TextRun]) -> list[TextRun]:
    """Joins runs until nothing is left to join. Equal runs at equal places give the same result in any order."""
    while True:
        joined = _bridge_once(runs)
        if len(joined) == len(runs):
            return joined
        runs = joined


def _bridge_once(runs: list[TextRun]) -> list[TextRun]:
    by_time: dict[int, list[TextRun]] = defaultdict(list)
    for run in runs:
        for span in range(run.t_start // MAX_BREAK_MS, run.t_end // MAX_BREAK_MS + 1):
            by_time[span].append(run)
    kept: list[TextRun] = []
    last: dict[str, list[TextRun]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: (run.t_start, run.t_end, run.box.y, run.box.x, run.normalized)):
        near = [one for one in last[run.normalized] if run.t_start - one.t_end <= MAX_BREAK_MS]
        earlier = next((one for one in near if _continues(one, run) and not _is_taken(one, run, by_time)), None)
        if earlier is None:
            near.append(run)
            kept.append(run)
        else:
            earlier.add(run.readings)
        last[run.normalized] = near
    return kept


def _continues(one: TextRun, other: TextRun) -> bool:
    gap = other.t_start - one.t_end
    if gap <= 0 or gap * MIN_SHOWN_PER_BREAK > max(one.duration, other.duration):
        return False
    before, after = one.box, other.box
    reach = min(before.height, after.height) / 2
    return is_same_line(before, after) and abs(before.x - after.x) <= reach and abs(before.y - after.y) <= reach


def _is_taken(one: TextRun, other: TextRun, by_time: dict[int, list[TextRun]]) -> bool:
    """Whether another text was read at this place during the break."""
    since, until, place = one.t_end, other.t_start, one.box
    spans = range(since // MAX_BREAK_MS, until // MAX_BREAK_MS + 1)
    between = (run for span in spans for run in by_time.get(span, ()) if run is not one and run is not other)
    return any(run.t_start < until and run.t_end > since and overlaps_line(run.box, place) for run in between)
