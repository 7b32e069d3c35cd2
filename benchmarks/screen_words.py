"""Generated screen text: lines of a few words with a Zipf distribution."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from sightline.text import Box, TextReading, TextSegment

WORDS = 50_000
SEGMENTS_PER_VIDEO = 100
_CONSONANTS, _VOWELS, _ENDS = "bcdfghjklmnprstvwz", "aeiou", "nrstlm"


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    words: list[str]


class Writer:
    """The same seed writes the same lines."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)
        self.vocabulary = self._vocabulary()
        """The most common words first."""
        total = 0.0
        self._weights = [total := total + 1 / rank for rank in range(1, WORDS + 1)]

    def continue_with(self, chance: random.Random) -> None:
        """Other lines of the same words."""
        self._random = chance

    def _vocabulary(self) -> list[str]:
        known: set[str] = set()
        while len(known) < WORDS:
            known.add("".join(self._syllable() for _ in range(self._random.choice((1, 2, 2, 2, 3, 3, 4)))))
        # Common words are short, as a rule.
        length = {word: len(word) + self._random.random() * 4 for word in sorted(known)}
        return sorted(known, key=lambda word: (length[word], word))

    def _syllable(self) -> str:
        chance = self._random
        end = chance.choice(_ENDS) if chance.random() < 0.35 else ""
        return chance.choice(_CONSONANTS) + chance.choice(_VOWELS) + end

    def line(self) -> Line:
        chance = self._random
        words = chance.choices(self.vocabulary, cum_weights=self._weights, k=chance.randint(3, 10))
        kind = chance.random()
        if kind < 0.02:
            words[0] = "@" + words[0]
        elif kind < 0.04:
            words[-1] = "#" + words[-1]
        elif kind < 0.10:
            words.append(str(chance.randint(1, 9999)))
        return Line(" ".join(words).capitalize(), words)

    def segments(self, video_id: UUID) -> Iterator[TextSegment]:
        for number in range(SEGMENTS_PER_VIDEO):
            text = self.line().text
            yield TextSegment(
                id=UUID(int=self._random.getrandbits(128)),
                video_id=video_id,
                text=text,
                normalized_text=text.lower(),
                t_start=number * 500,
                t_end=number * 500 + 2000,
                confidence=0.9,
                box=Box(100, 40 + number % 20 * 40, 600, 36),
                language="eng",
                frame_ms=number * 500,
                readings=4,
            )

    def readings(self) -> list[TextReading]:
        """The readings of one video: each line in four frames, at twenty positions."""
        found = []
        for number in range(SEGMENTS_PER_VIDEO):
            text, box = self.line().text, Box(100, 40 + number % 20 * 40, 600, 36)
            found += [TextReading(text, at, at + 500, 0.9, box) for at in range(number * 500, number * 500 + 2000, 500)]
        return found
