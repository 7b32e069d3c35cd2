"""Runs: consecutive readings of one text, and their vote on what the text is. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from sightline.text.segments.normalize import normalize
from sightline.text.segments.segment import Box, TextReading

MIN_LETTERS_TO_JUMP = 4
MAX_JUMP_OF_SHORT_TEXT = 2.0
"""Between two readings, in heights of the line."""
MIN_SHARE_OF_SPACED = 0.15
"""A space between a word and a number is overlooked more often than it is imagined: so many votes of the others suffice."""
_SPACE_AT_NUMBER = re.compile(r"(?<=[^\W\d_]) (?=\d)|(?<=\d) (?=[^\W\d_])")


@dataclass(slots=True)
class TextRun:
    """One text, shown without a break longer than the gap limit. Grows as readings are added."""

    normalized: str
    readings: list[TextReading] = field(default_factory=list)
    t_start: int = 0
    t_end: int = 0
    count: int = 0
    """The number of OCR readings it is made of."""

    @classmethod
    def of(cls, readings: Sequence[TextReading]) -> "TextRun":
        """A run with the text that these readings vote for."""
        return cls(
            normalize(_winner(readings)),
            list(readings),
            min(one.t_start for one in readings),
            max(one.t_end for one in readings),
            len(readings),
        )

    @property
    def duration(self) -> int:
        return self.t_end - self.t_start

    @property
    def confidence(self) -> float:
        return max(one.confidence for one in self.readings)

    @property
    def best(self) -> TextReading:
        """The most confident reading of the run's text."""
        return max(self._readings_of_text(), key=lambda one: (one.confidence, -one.t_start, -one.box.y, -one.box.x))

    @property
    def text(self) -> str:
        """The most frequent spelling: letter case and spacing differ between readings."""
        return _winner(self._readings_of_text())

    @property
    def box(self) -> Box:
        return self.best.box

    def _readings_of_text(self) -> list[TextReading]:
        if len(self.readings) == 1:
            return self.readings
        return [one for one in self.readings if normalize(one.text) == self.normalized]

    def add(self, readings: Sequence[TextReading]) -> None:
        """Adds readings of the same text."""
        self.readings += readings
        self.t_end = max(self.t_end, *(one.t_end for one in readings))
        self.count += len(readings)


def group_into_runs(readings: Iterable[TextReading], *, gap_ms: int) -> list[TextRun]:
    """Groups readings of equal text with no break longer than `gap_ms`, whatever else is on screen.

    A text that one frame shows in several places, such as in cells of a table, is a run in each of them.
    """
    found: list[TextRun] = []
    open_runs: dict[str, list[TextRun]] = {}
    for _, frame in groupby(sorted(readings, key=_order), key=lambda one: one.t_start):
        by_text: dict[str, list[TextReading]] = {}
        for reading in frame:
            by_text.setdefault(normalize(reading.text), []).append(reading)
        for text, shown in by_text.items():
            near = [run for run in open_runs.get(text, []) if shown[0].t_start - run.t_end <= gap_ms]
            new = _continue_runs(near, shown, text)
            found += new
            open_runs[text] = near + new
    return found


def _continue_runs(near: list[TextRun], shown: list[TextReading], text: str) -> list[TextRun]:
    """Adds each reading to the run in its place, or to one that has moved; returns the runs that begin with the rest."""
    waiting, free = [], list(near)
    for reading in shown:
        run = next((run for run in free if overlaps_line(run.readings[-1].box, reading.box)), None)
        if run is None:
            waiting.append(reading)
        else:
            run.add([reading])
            free.remove(run)
    begun: list[TextRun] = []
    for reading in waiting:
        twin = next((run for run in [*near, *begun] if overlaps_line(run.readings[-1].box, reading.box)), None)
        if twin is not None:
            twin.add([reading])
        elif moved := [run for run in free if run.t_end <= reading.t_start and may_have_moved(run, reading)]:
            moved[0].add([reading])
            free.remove(moved[0])
        else:
            begun.append(TextRun(text, t_start=reading.t_start))
            begun[-1].add([reading])
    return begun


def may_have_moved(run: TextRun, reading: TextReading) -> bool:
    """Whether it is the same text elsewhere. A digit that appears far from where it was is another counter's."""
    if len(run.normalized) >= MIN_LETTERS_TO_JUMP:
        return True
    one, other = run.readings[-1].box, reading.box
    far = MAX_JUMP_OF_SHORT_TEXT * max(one.height, other.height)
    return abs(one.x - other.x) <= far and abs(one.y - other.y) <= far


def is_same_line(one: Box, other: Box) -> bool:
    """Whether both boxes show the same line: similar in height, and mostly overlapping."""
    return min(one.height, other.height) * 2 >= max(one.height, other.height) and overlaps_line(one, other)


def overlaps_line(one: Box, other: Box) -> bool:
    """Whether the boxes overlap by more than half of the smaller height and width."""
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return high * 2 > min(one.height, other.height) and wide * 2 > min(one.width, other.width)


def _winner(readings: Iterable[TextReading]) -> str:
    """The text with the most screen time, weighted by confidence."""
    votes: dict[str, float] = {}
    for one in readings:
        votes[one.text] = votes.get(one.text, 0.0) + max(one.t_end - one.t_start, 1) * one.confidence
    winner = min(votes, key=lambda text: (-votes[text], text))
    joined = _SPACE_AT_NUMBER.sub("", winner)
    spaced = [
        text
        for text in votes
        if len(text) > len(winner)
        and votes[text] >= MIN_SHARE_OF_SPACED * votes[winner]
        and _SPACE_AT_NUMBER.sub("", text) == joined
    ]
    return max(spaced, key=lambda text: (len(text), votes[text], text), default=winner)


def _order(reading: TextReading) -> tuple[int, int, int, str]:
    return reading.t_start, reading.box.y, reading.box.x, reading.text
