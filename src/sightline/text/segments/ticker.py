"""Tickers: scrolling text, joined from the many fragments that frames show of it. Pure.

An item of a ticker becomes one segment, also if it is wider than the screen. A line without end becomes segments of about two
screens of text: each begins with the fragment that was visible when the first fragment of the one before it had scrolled out,
so that every word is whole in one segment, and a hit leads to the right seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from sightline.text.segments.runs import TextRun, overlaps_line
from sightline.text.segments.segment import Box, TextReading

MAX_FRAGMENT_MS = 4000
"""The longest time between two letters that a slow ticker reveals."""
MIN_FRAGMENTS = 3
MAX_ITEM_SCREENS = 4
"""What is longer is a line without end rather than an item."""
MIN_WORDS = 3
"""Shorter tickers cannot be distinguished from lines that change."""


@dataclass(slots=True)
class _TickerLine:
    """A line that may be a ticker, as long as each fragment continues the one before."""

    fragments: list[TextRun]
    has_moved: bool = False
    t_end: int = 0

    @property
    def is_ticker(self) -> bool:
        return self.has_moved and len(self.fragments) >= MIN_FRAGMENTS


def join_tickers(runs: list[TextRun], *, gap_ms: int) -> list[TextRun]:
    """The runs, with the fragments of each ticker replaced by their joined text."""
    lines: list[_TickerLine] = []
    near: list[_TickerLine] = []
    for run in sorted(runs, key=lambda run: (run.t_start, run.t_end, run.normalized)):
        if len(run.text.split()) < MIN_WORDS:
            continue
        near = [line for line in near if run.t_start - line.t_end <= gap_ms]
        # Once the end of an item is in sight, it is followed until it is gone, for as long as that takes.
        if not any(_continues(line, run) for line in near) and run.duration <= MAX_FRAGMENT_MS:
            near.append(_TickerLine([run], t_end=run.t_end))
            lines.append(near[-1])
    tickers = [line for line in lines if line.is_ticker]
    if not tickers:
        return runs
    gone = {id(run) for line in tickers for run in line.fragments}
    return [run for run in runs if id(run) not in gone] + [run for line in tickers for run in _segments(line.fragments)]


def _continues(line: _TickerLine, run: TextRun) -> bool:
    """Adds the fragment if it shows the same line, moved forward or unmoved."""
    last = line.fragments[-1]
    if run.t_start <= last.t_start or not overlaps_line(run.box, last.box):
        return False
    if run.duration > MAX_FRAGMENT_MS and not line.has_moved:
        return False
    step = step_between(last.text.split(), run.text.split())
    if step is None:
        return False
    line.has_moved |= step.is_move or has_entered(last.box, run.box)
    line.fragments.append(run)
    line.t_end = max(line.t_end, run.t_end)
    return True


class TickerStep(NamedTuple):
    """The move from one fragment to the next."""

    words: int
    """The number of words the line moved to the left."""
    is_move: bool
    """Whether the line has moved; a line that is being typed has not."""


def step_between(before: Sequence[str], after: Sequence[str]) -> TickerStep | None:
    """None if these are two different lines. The first and last words may be cut off, so only those between must match."""
    block = SequenceMatcher(None, before, after, autojunk=False).find_longest_match()
    shorter = min(len(before), len(after))
    if block.size < max(1, (shorter - 1) // 2) or block.a < block.b:
        return None
    words = block.a - block.b
    is_cut = block.a == block.b == 1 and before[0] != after[0] and before[0].endswith(after[0])
    return TickerStep(words, is_move=words > 0 or is_cut)


def has_entered(before: Box, after: Box) -> bool:
    """Whether a line moved in from the right: its beginning moved while its end stayed at the edge. A line that is being typed
    keeps its beginning, and a centred line grows both ways."""
    moved = before.x - after.x
    right = after.x + after.width - before.x - before.width
    return moved > before.height / 2 and abs(right) < moved / 3


def _segments(fragments: list[TextRun]) -> list[TextRun]:
    words = fragments[0].text.split()
    at, screen = 0, len(words)
    for before, fragment in pairwise(fragments):
        shown = fragment.text.split()
        step = step_between(before.text.split(), shown)
        at, screen = at + (step.words if step else 0), max(screen, len(shown))
        words = _lengthened(words, shown, at)
    return [_joined(fragments, words)] if len(words) <= MAX_ITEM_SCREENS * screen else _pieces(fragments)


def _pieces(fragments: list[TextRun]) -> list[TextRun]:
    """Pieces of about two screens: the first fragment, and what followed until all of it had scrolled out."""
    pieces: list[TextRun] = []
    piece: list[TextRun] = []
    words: list[str] = []
    at = first_screen = 0
    for fragment in fragments:
        shown = fragment.text.split()
        step = step_between(piece[-1].text.split(), shown) if piece else None
        at += step.words if step else 0
        if at >= first_screen:
            if piece:
                pieces.append(_joined(piece, words))
            piece, words, at, first_screen = [fragment], shown, 0, len(shown)
        else:
            words = _lengthened(words, shown, at)
            piece.append(fragment)
    return [*pieces, _joined(piece, words)]


def _lengthened(words: list[str], shown: list[str], at: int) -> list[str]:
    """The line with the words that a fragment adds, which starts at word `at`. The line's last word may have been cut off."""
    known = len(words) - 1
    return words[:known] + shown[known - at :] if known - at < len(shown) else words


def _joined(piece: list[TextRun], words: list[str]) -> TextRun:
    best = max((run.best for run in piece), key=lambda one: (one.confidence, -one.t_start))
    whole = TextReading(
        text=" ".join(words),
        t_start=piece[0].t_start,
        t_end=max(run.t_end for run in piece),
        confidence=best.confidence,
        box=_bounding_box([run.box for run in piece]),
        language=best.language,
    )
    run = TextRun.of([whole])
    run.count = sum(one.count for one in piece)
    return run


def _bounding_box(boxes: list[Box]) -> Box:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top)
