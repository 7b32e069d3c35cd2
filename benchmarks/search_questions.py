"""Videos with known text, and questions about them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

WRAPPED, TYPO, ACCENT, NUMBER, LANGUAGE, NAME, TOGETHER, SPEECH, PARAPHRASE = (
    *("wrapped phrase", "typo or misreading", "accents", "number", "other language", "name"),
    *("on screen together", "speech", "paraphrase"),
)

Block = tuple[int, int, int, int, int, str]
"""From and until, in seconds; x, y and height of the first line; lines, separated by line breaks."""


@dataclass(frozen=True, slots=True)
class Video:
    name: str
    blocks: list[Block] = field(default_factory=list)
    speech: list[tuple[int, int, str]] = field(default_factory=list)
    language: str = "eng"

    def lines(self) -> Iterator[tuple[int, int, str, float, tuple[int, int, int, int]]]:
        """Each line with its time, text, confidence and box."""
        for start, end, x, y, height, text in self.blocks:
            for at, line in enumerate(text.split("\n")):
                width = max(1, len(line)) * height // 2
                yield start, end, line, 0.92, (x, y + at * height * 5 // 4, width, height)


@dataclass(frozen=True, slots=True)
class Question:
    q: str
    video: str
    at_s: int
    kind: str
