"""Passages: segments that are read as one, which get one vector together. Pure.

On screen, lines below each other that are shown together; of speech, sentences that follow each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import NAMESPACE_OID, UUID, uuid5

from sightline.text.segments import Box, TextSegment, fold, words_of

MAX_LETTERS = 320
"""Of a passage; a longer one means several things at once."""
MAX_SPOKEN_LETTERS = 220
MAX_PAUSE_MS = 2000
"""Between sentences of a passage."""
MIN_SHARED_TIME = 0.5
"""Of the time that the shorter of two lines is shown."""
MAX_LINE_GAP = 1.2
"""Between lines of a passage, in heights of a line."""
MAX_HEIGHT_RATIO = 1.6
"""Between lines of a passage: a heading is no part of what is below it."""
MIN_WORD_LETTERS = 3
_NAMESPACE = uuid5(NAMESPACE_OID, "sightline passages")


@dataclass(frozen=True, slots=True)
class EmbeddedPassage:
    segments: tuple[TextSegment, ...]
    """In the order in which they are read."""

    @property
    def text(self) -> str:
        return "\n".join(one.text for one in self.segments)

    @property
    def t_start(self) -> int:
        return min(one.t_start for one in self.segments)

    @property
    def t_end(self) -> int:
        return max(one.t_end for one in self.segments)

    @property
    def language(self) -> str:
        return self.segments[0].language

    def id(self, model: str) -> UUID:
        """Changes with its segments, its text and the model."""
        parts = (model, *(f"{one.id} {one.text}" for one in self.segments))
        return uuid5(_NAMESPACE, "\n".join(parts))


def passages_of(segments: Iterable[TextSegment]) -> list[EmbeddedPassage]:
    """Every segment is in one passage; those that hold no word are in none."""
    shown: list[TextSegment] = []
    said: list[TextSegment] = []
    for one in segments:
        (said if one.kind == "speech" else shown).append(one)
    found = [EmbeddedPassage(tuple(group)) for group in (*_shown_together(shown), *_said_in_turn(said))]
    return [one for one in found if has_words(one.text)]


def has_words(text: str) -> bool:
    """Numbers, signs and single letters mean nothing to a model."""
    return any(len(word) >= MIN_WORD_LETTERS and word.isalpha() for word in words_of(fold(text)))


@dataclass(slots=True)
class _Block:
    lines: list[TextSegment] = field(default_factory=list)
    letters: int = 0

    def add(self, line: TextSegment) -> None:
        self.lines.append(line)
        self.letters += len(line.text)

    def gap_to(self, line: TextSegment) -> float | None:
        """In heights of a line; None if the line is no part of the block."""
        last = self.lines[-1]
        shared = min(last.t_end, line.t_end) - max(last.t_start, line.t_start)
        shorter = max(min(last.t_end - last.t_start, line.t_end - line.t_start), 1)
        if shared < MIN_SHARED_TIME * shorter or self.letters + len(line.text) > MAX_LETTERS:
            return None
        return _line_gap(last.box, line.box)


def _shown_together(segments: Sequence[TextSegment]) -> list[list[TextSegment]]:
    blocks: list[_Block] = []
    open_blocks: list[_Block] = []
    for line in sorted(segments, key=lambda one: (one.t_start, one.box.y, one.box.x, one.id)):
        open_blocks = [block for block in open_blocks if block.lines[-1].t_end > line.t_start]
        near = [(gap, n) for n, block in enumerate(open_blocks) if (gap := block.gap_to(line)) is not None]
        if near:
            open_blocks[min(near)[1]].add(line)
        else:
            block = _Block()
            block.add(line)
            blocks.append(block)
            open_blocks.append(block)
    return [block.lines for block in blocks]


def _line_gap(above: Box, below: Box) -> float | None:
    heights = sorted((max(above.height, 1), max(below.height, 1)))
    if heights[1] > MAX_HEIGHT_RATIO * heights[0]:
        return None
    shared_width = min(above.x + above.width, below.x + below.width) - max(above.x, below.x)
    gap = (below.y - (above.y + above.height)) / heights[1]
    return abs(gap) if shared_width > 0 and below.y > above.y and gap <= MAX_LINE_GAP else None


def _said_in_turn(segments: Sequence[TextSegment]) -> list[list[TextSegment]]:
    groups: list[list[TextSegment]] = []
    letters = 0
    for one in sorted(segments, key=lambda segment: (segment.t_start, segment.id)):
        letters += len(one.text)
        last = groups[-1][-1] if groups else None
        if (
            last is None
            or one.t_start - last.t_end > MAX_PAUSE_MS
            or letters > MAX_SPOKEN_LETTERS
            or one.language != last.language
        ):
            groups.append([])
            letters = len(one.text)
        groups[-1].append(one)
    return groups
