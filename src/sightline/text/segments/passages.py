"""Passages: texts that are read as one, so that a phrase is found across their lines. Blocks, moments, and speech. Pure."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from sightline.text.segments.blocks import lines_of_blocks
from sightline.text.segments.fold import is_unspaced
from sightline.text.segments.moments import find_moments
from sightline.text.segments.segment import BlockLine, TextSegment

PassageScope = Literal["block", "moment"]
"""Lines of one block, or one run of speech; or blocks that are on screen together."""

MAX_PAUSE_MS = 2000
"""A longer pause separates what is said."""
MAX_SPOKEN_LINES = 8
_HYPHENS = "-‐\u00ad"


@dataclass(frozen=True, slots=True)
class Passage:
    scope: PassageScope
    lines: list[TextSegment]
    units: list[int]
    """The numbers of the lines with which its parts begin: lines of a block, blocks of a moment."""
    t_start: int
    t_end: int
    scene: int = 0
    """Of a moment: moments of one scene share most of their text."""


@dataclass(frozen=True, slots=True)
class JoinedText:
    """Lines as one text: without the hyphen of a word that continues in the next line, and without a space between scripts that
    have none."""

    text: str
    starts: list[int]
    """Where each line begins in the text."""
    lengths: list[int]
    """How many of its characters are in the text."""
    split_words: list[tuple[str, str]]
    """Both parts of words that were joined: `well-` and `known` may as well be two words."""


def find_passages(segments: Sequence[TextSegment], places: dict[UUID, BlockLine]) -> list[Passage]:
    return [
        *(_block(lines) for lines in lines_of_blocks(segments, places) if len(lines) > 1),
        *_spoken(segments),
        *_moments(segments, places),
    ]


def join_lines(texts: Sequence[str]) -> JoinedText:
    joined = ""
    starts: list[int] = []
    lengths: list[int] = []
    split_words: list[tuple[str, str]] = []
    for raw in texts:
        text = unicodedata.normalize("NFC", raw).strip()
        if lengths and lengths[-1] > 1 and _is_split_word(joined, text):
            joined = joined[:-1]
            lengths[-1] -= 1
            split_words.append((joined.split()[-1], text.split()[0]))
        elif joined and text and not (is_unspaced(joined[-1]) and is_unspaced(text[0])):
            joined += " "
        starts.append(len(joined))
        lengths.append(len(text))
        joined += text
    return JoinedText(joined, starts, lengths, split_words)


def _is_split_word(before: str, after: str) -> bool:
    return len(before) > 1 and before[-1] in _HYPHENS and before[-2].isalpha() and after[:1].islower()


def _block(lines: list[TextSegment]) -> Passage:
    return Passage(
        "block", lines, list(range(len(lines))), min(one.t_start for one in lines), max(one.t_end for one in lines)
    )


def _moments(segments: Sequence[TextSegment], places: dict[UUID, BlockLine]) -> Iterator[Passage]:
    for moment in find_moments(segments, places):
        units: list[int] = []
        lines: list[TextSegment] = []
        for block in moment.blocks:
            units.append(len(lines))
            lines += block
        yield Passage("moment", lines, units, moment.t_start, moment.t_end, moment.scene)


def spoken_runs(segments: Sequence[TextSegment]) -> list[list[TextSegment]]:
    """What is said without a pause, in the order of time."""
    runs: list[list[TextSegment]] = []
    said = (one for one in segments if one.kind == "speech")
    for one in sorted(said, key=lambda one: (one.t_start, one.id)):
        if not runs or one.t_start - runs[-1][-1].t_end > MAX_PAUSE_MS:
            runs.append([])
        runs[-1].append(one)
    return runs


def _spoken(segments: Sequence[TextSegment]) -> Iterator[Passage]:
    """Runs of speech; a long run becomes several, each of which begins with the last line of the one before."""
    for run in spoken_runs(segments):
        for start in range(0, len(run) - 1, MAX_SPOKEN_LINES - 1):
            yield _block(run[start : start + MAX_SPOKEN_LINES])
