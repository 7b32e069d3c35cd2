"""Moments: what is on screen together, in reading order. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from sightline.text.segments.blocks import place_order
from sightline.text.segments.layout import enclosing
from sightline.text.segments.reading_order import reading_order
from sightline.text.segments.segment import BlockLine, TextSegment

MIN_MOMENT_MS = 250
"""A shorter time is that of a cross-fade: what goes and what comes are not read together."""
MAX_MOMENT_LINES = 300
MAX_REPETITION = 2
"""All moments of a video have at most this many times the letters of its texts. A line of subtitles that changes below a full
page would otherwise repeat the page each time."""
_NEW_PARTS = (0.0, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0)
"""A moment is left out if a smaller part of it is new; the first of these with which the limit is kept."""


@dataclass(frozen=True, slots=True)
class Moment:
    blocks: list[list[TextSegment]]
    """What is visible of each block, in reading order."""
    t_start: int
    t_end: int
    scene: int
    """Moments of one scene share most of their text."""


def find_moments(segments: Sequence[TextSegment], places: dict[UUID, BlockLine]) -> list[Moment]:
    """Moments with at least two blocks, by time."""
    texts = [one for one in segments if one.id in places]
    screens = _within_limit(_screens(texts), limit=MAX_REPETITION * sum(len(one.text) for one in texts))
    found: list[Moment] = []
    scene, last = 0, frozenset[UUID]()
    for screen in screens:
        shown = frozenset(one.id for one in screen.lines)
        size = sum(len(one.text) for one in screen.lines)
        if _new_letters(screen, last) * 2 > size:
            scene += 1
        last = shown
        blocks = _blocks(screen.lines, places)
        if len(blocks) > 1:
            found.append(Moment(blocks, screen.t_start, screen.t_end, scene))
    return found


@dataclass(frozen=True, slots=True)
class _Screen:
    """Lines that are visible at the same time: the most that there are, until one of them goes."""

    lines: list[TextSegment]
    t_start: int
    t_end: int


def _screens(texts: Sequence[TextSegment]) -> list[_Screen]:
    starts = sorted(texts, key=lambda one: (one.t_start, one.id))
    ends = sorted(texts, key=lambda one: (one.t_end, one.id))
    visible: dict[UUID, TextSegment] = {}
    found: list[_Screen] = []
    last_start, at = 0, 0
    has_grown = False
    for gone in ends:
        while at < len(starts) and starts[at].t_start < gone.t_end:
            visible[starts[at].id] = starts[at]
            last_start, has_grown = starts[at].t_start, True
            at += 1
        if has_grown and gone.t_end - last_start >= MIN_MOMENT_MS and 1 < len(visible) <= MAX_MOMENT_LINES:
            found.append(_Screen(list(visible.values()), last_start, gone.t_end))
            has_grown = False
        visible.pop(gone.id, None)
    return found


def _within_limit(screens: list[_Screen], *, limit: int) -> list[_Screen]:
    for part in _NEW_PARTS:
        kept: list[_Screen] = []
        letters, last = 0, frozenset[UUID]()
        for screen in screens:
            size = sum(len(one.text) for one in screen.lines)
            if _new_letters(screen, last) >= part * size:
                kept.append(screen)
                letters += size
                last = frozenset(one.id for one in screen.lines)
        if letters <= limit:
            return kept
    return kept


def _new_letters(screen: _Screen, last: frozenset[UUID]) -> int:
    return sum(len(one.text) for one in screen.lines if one.id not in last)


def _blocks(lines: Sequence[TextSegment], places: dict[UUID, BlockLine]) -> list[list[TextSegment]]:
    in_order = sorted(lines, key=lambda one: place_order(places[one.id]))
    blocks = [list(several) for _, several in groupby(in_order, key=lambda one: places[one.id].block)]
    boxes = [enclosing([one.box for one in block]) for block in blocks]
    return [blocks[at] for at in reading_order(boxes)]
