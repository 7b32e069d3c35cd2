"""Word gaps: which of the gaps between the letters of a line are spaces. Pure.

The network sees gaps between words in most typefaces. It knows few lines in which a number follows a word in a very wide one,
and is then not sure enough of the space that it sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from sightline.text.reading.engine import ScoredLetter
from sightline.text.reading.ppocr.alphabet import is_asian

MIN_PROBABILITY = 0.5
MIN_PROBABILITY_AT_NUMBER = 0.25
"""Between a letter and a digit, which words hardly ever have beside each other."""
MIN_PROBABILITY_IN_WIDE_FACE = 0.12
WIDE_FACE_STEPS = 3.0
"""Of the network, from one letter to the next: letters of usual typefaces take two."""


@dataclass(frozen=True, slots=True)
class PlacedLetter:
    letter: ScoredLetter
    middle: float
    """In steps of the network."""
    gap: float
    """How probable a space before it is."""


def with_spaces(letters: Sequence[PlacedLetter]) -> list[ScoredLetter]:
    steps = [two.middle - one.middle for one, two in pairwise(letters)]
    is_wide = bool(steps) and median(steps) >= WIDE_FACE_STEPS
    found = [one.letter for one in letters[:1]]
    for before, one in pairwise(letters):
        least = MIN_PROBABILITY
        if _begins_or_ends_number(before.letter.text, one.letter.text):
            least = MIN_PROBABILITY_IN_WIDE_FACE if is_wide else MIN_PROBABILITY_AT_NUMBER
        if one.gap > least:
            found.append(ScoredLetter(" ", one.gap))
        # Whoever is not sure of the space is not sure of the line.
        found.append(replace(one.letter, score=min(one.letter.score, max(one.gap, 1 - one.gap))))
    return found


def _begins_or_ends_number(one: str, other: str) -> bool:
    letter, digit = (other, one) if one.isdecimal() else (one, other)
    return digit.isdecimal() and letter.isalpha() and not is_asian(letter)
