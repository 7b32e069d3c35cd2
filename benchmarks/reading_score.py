"""Scores of what was read against the truth about a clip, for `reading.py`."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles

from rapidfuzz.distance import Levenshtein

from reading_drawing import Box, Truth

ALIKE = 0.5
"""A text that shares so much with a truth is a reading of it, however bad."""
LEAST_LETTERS_OF_A_PIECE = 2
BINS = 10
_BULLET = re.compile(r"^[•·●◦▪■○*\-–] +")


@dataclass(frozen=True, slots=True)
class Found:
    """A segment that was read."""

    text: str
    start_ms: int
    end_ms: int
    confidence: float = 1.0
    box: Box | None = None


@dataclass(slots=True)
class Score:
    texts: int = 0
    exact: int = 0
    """Texts that a segment has to the letter, case kept, while they were shown."""
    letters: float = 0.0
    right_letters: float = 0.0
    start_errors_ms: list[int] = field(default_factory=list)
    end_errors_ms: list[int] = field(default_factory=list)
    pieces: int = 0
    """Further segments that hold a text or a part of it once more."""
    junk: list[Found] = field(default_factory=list)
    judged: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence and whether the segment is right, for every segment."""
    missed: list[tuple[Truth, str]] = field(default_factory=list)
    seconds: float = 0.0
    cpu_s: float = 0.0

    @property
    def exact_part(self) -> float:
        return self.exact / self.texts if self.texts else 1.0

    @property
    def letters_part(self) -> float:
        return self.right_letters / self.letters if self.letters else 1.0

    @property
    def junk_per_minute(self) -> float:
        return len(self.junk) * 60 / self.seconds


def score(truths: Sequence[Truth], found: Sequence[Found], *, seconds: float, cpu_s: float) -> Score:
    """Each text is given the segment that fits it best, each segment to one text."""
    result = Score(texts=len(truths), seconds=seconds, cpu_s=cpu_s)
    partners = _pair(truths, found)
    right: set[int] = set()
    for number, truth in enumerate(truths):
        expected = _plain(truth.text)
        partner = partners.get(number)
        one = found[partner] if partner is not None else None
        result.letters += len(expected)
        result.right_letters += similarity(expected, _plain(one.text)) * len(expected) if one else 0.0
        if one is not None and partner is not None:
            result.start_errors_ms.append(_beyond(one.start_ms, truth.enter_ms, truth.start_ms))
            result.end_errors_ms.append(_beyond(one.end_ms, truth.end_ms, truth.leave_ms))
            if _plain(one.text) == expected:
                right.add(partner)
                result.exact += 1
                continue
        near = f"{one.text!r} {one.start_ms}-{one.end_ms}" if one else "nothing"
        result.missed.append((truth, near))
    used = set(partners.values())
    for number, one in enumerate(found):
        repeated = [truth for truth in truths if _explains(truth, one)]
        is_right = number in right or any(_plain(truth.text) == _plain(one.text) for truth in repeated)
        result.judged.append((one.confidence, is_right))
        if number not in used:
            if repeated:
                result.pieces += 1
            else:
                result.junk.append(one)
    return result


def _pair(truths: Sequence[Truth], found: Sequence[Found]) -> dict[int, int]:
    """The best pairs first: by likeness, then by place, then by common time."""
    pairs = []
    for number, truth in enumerate(truths):
        for other, one in enumerate(found):
            alike = similarity(_plain(truth.text), _plain(one.text))
            if alike >= ALIKE and _common_ms(truth, one) > 0 and _touches(truth.box, one.box):
                pairs.append((alike, _overlap(truth.box, one.box), _common_ms(truth, one), -number, -other))
    partners: dict[int, int] = {}
    used: set[int] = set()
    for _, _, _, number, other in sorted(pairs, reverse=True):
        if -number not in partners and -other not in used:
            partners[-number] = -other
            used.add(-other)
    return partners


def similarity(expected: str, read: str) -> float:
    """1 - edit distance / length, never below 0."""
    return max(0.0, 1 - Levenshtein.distance(expected, read) / max(1, len(expected)))


def calibration_error(judged: Iterable[tuple[float, bool]]) -> float:
    """Expected calibration error over bins of equal width."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for confidence, is_right in judged:
        bins[min(BINS - 1, int(confidence * BINS))].append((confidence, is_right))
    total = sum(map(len, bins))
    gaps = (abs(sum(c for c, _ in one) - sum(is_right for _, is_right in one)) for one in bins if one)
    return sum(gaps) / total if total else 0.0


def middle(errors: Sequence[int]) -> float:
    return median(errors) if errors else 0.0


def ninth_tenth(errors: Sequence[int]) -> float:
    if len(errors) < 2:
        return float(errors[0]) if errors else 0.0
    return quantiles(errors, n=10, method="inclusive")[-1]


def _explains(truth: Truth, one: Found) -> bool:
    """Whether the segment is a reading of the text or of a part of it, or of more than it."""
    if _common_ms(truth, one) <= 0 or not _touches(truth.box, one.box):
        return False
    expected, read = _plain(truth.text), _plain(one.text)
    if similarity(expected, read) >= ALIKE:
        return True
    return len(read) >= LEAST_LETTERS_OF_A_PIECE and (read in expected or expected in read)


def _plain(text: str) -> str:
    """Bullets are no part of a text: readers may keep or drop them. One sign may be written in several ways, such as ℃."""
    return _BULLET.sub("", " ".join(unicodedata.normalize("NFKC", text).split()))


def _common_ms(truth: Truth, one: Found) -> int:
    return min(truth.leave_ms, one.end_ms) - max(truth.enter_ms, one.start_ms)


def _beyond(ms: int, first: int, last: int) -> int:
    """How far a time lies outside what is right: all from the first trace of a text to the whole of it."""
    return max(first - ms, ms - last, 0)


def _overlap(box: Box, other: Box | None) -> float:
    """Common area over the area of both."""
    if other is None:
        return 0.0
    across = min(box[0] + box[2], other[0] + other[2]) - max(box[0], other[0])
    down = min(box[1] + box[3], other[1] + other[3]) - max(box[1], other[1])
    common = max(0, across) * max(0, down)
    return common / (box[2] * box[3] + other[2] * other[3] - common)


def _touches(box: Box, other: Box | None) -> bool:
    return other is None or _overlap(box, other) > 0
