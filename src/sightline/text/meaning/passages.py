"""Passages: segments that are read as one, which get one vector together. Pure.

On screen, the lines of a block; of speech, sentences that follow each other without a pause.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_OID, UUID, uuid5

from sightline.text.segments import TextSegment, find_blocks, fold, lines_of_blocks, spoken_runs, words_of

MAX_LETTERS = 320
"""Of a passage; a longer one means several things at once."""
MAX_SPOKEN_LETTERS = 220
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


def passages_of(segments: Sequence[TextSegment]) -> list[EmbeddedPassage]:
    """Every segment is in one passage; those that hold no word are in none."""
    blocks = lines_of_blocks(segments, find_blocks(segments))
    groups = [
        *(part for lines in blocks for part in _cut(lines, MAX_LETTERS)),
        *(part for run in spoken_runs(segments) for part in _cut(run, MAX_SPOKEN_LETTERS)),
    ]
    found = [EmbeddedPassage(group) for group in groups]
    return [one for one in found if has_words(one.text)]


def has_words(text: str) -> bool:
    """Numbers, signs and single letters mean nothing to a model."""
    return any(len(word) >= MIN_WORD_LETTERS and word.isalpha() for word in words_of(fold(text)))


def _cut(lines: Iterable[TextSegment], max_letters: int) -> Iterator[tuple[TextSegment, ...]]:
    """Parts of a text that mean one thing, as far as their length and language tell."""
    part: list[TextSegment] = []
    for one in lines:
        letters = sum(len(other.text) for other in part) + len(one.text)
        if part and (letters > max_letters or one.language != part[0].language):
            yield tuple(part)
            part = []
        part.append(one)
    if part:
        yield tuple(part)
