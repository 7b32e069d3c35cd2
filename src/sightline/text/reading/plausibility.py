"""Plausibility of recognized text: engines also read words where there is no text. Uses no dictionary. Pure."""

from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from sightline.text.reading.boxes import Rect, bounding_rect
from sightline.text.reading.engine import RecognizedWord

MIN_CERTAINTY_OF_SHORT_TEXT = {1: 0.85, 2: 0.8, 3: 0.7}
"""By number of letters and digits: leaves and windows often look like one or two letters, hardly ever like four."""
MIN_CERTAINTY = 0.55
MIN_LETTERS_TO_TRUST, MIN_CERTAINTY_TO_TRUST = 5, 0.75
"""Text with at least both needs no second reading."""

_UPRIGHT = frozenset("|Il1i][()/\\!{}")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"'})


def trimmed(words: Sequence[RecognizedWord], height: int) -> list[RecognizedWord]:
    """Removes what borders and pictures add at both ends, in a picture of this height."""
    kept = [word for word in words if not _is_border(word, height)]
    if len(kept) > 1 and _is_capital_i(kept[0], kept[1]):
        first = kept[0]
        kept[0] = RecognizedWord("I", first.confidence, max(first.certainty, MIN_CERTAINTY), first.rect, first.language)
    while kept and not _is_believable(kept[0]):
        kept.pop(0)
    while kept and not _is_believable(kept[-1]):
        kept.pop()
    return kept


def text_of(words: Sequence[RecognizedWord]) -> str:
    """The text with straight quotation marks, because engines confuse straight and curly ones."""
    return " ".join(word.text for word in words).translate(_QUOTES)


def certainty_of(words: Sequence[RecognizedWord]) -> float:
    return _mean([(word.certainty, len(word.text)) for word in words])


def confidence_of(words: Sequence[RecognizedWord]) -> float:
    """The higher of word and letter confidence: engines do not know names and code as words."""
    return max(_mean([(word.confidence, len(word.text)) for word in words]), certainty_of(words))


def rect_of(words: Sequence[RecognizedWord]) -> Rect:
    return bounding_rect(word.rect for word in words)


def language_of(words: Sequence[RecognizedWord]) -> str:
    """The language of most letters."""
    letters: dict[str, int] = {}
    for word in words:
        letters[word.language] = letters.get(word.language, 0) + len(word.text)
    return max(letters, key=lambda language: letters[language])


def letters_in(text: str) -> int:
    return sum(character.isalnum() for character in text)


def is_plausible(text: str, certainty: float) -> bool:
    letters = letters_in(text)
    signs = len("".join(text.split()))
    if letters == 0 or letters < 0.5 * signs:
        return False
    return certainty >= MIN_CERTAINTY_OF_SHORT_TEXT.get(letters, MIN_CERTAINTY)


def is_trusted(text: str, certainty: float) -> bool:
    return letters_in(text) >= MIN_LETTERS_TO_TRUST and certainty >= MIN_CERTAINTY_TO_TRUST


def readings_agree(one: str, other: str) -> bool:
    """Whether two readings of one line confirm each other; what is not text is read differently every time."""
    a, b = "".join(one.split()).lower(), "".join(other.split()).lower()
    if letters_in(one) < MIN_LETTERS_TO_TRUST:
        return a == b
    return LCSseq.similarity(a, b) >= 0.75 * max(len(a), len(b))


def _is_border(word: RecognizedWord, height: int) -> bool:
    """A stroke from the top to the bottom of the picture is not a letter."""
    return len(word.text) == 1 and word.text in _UPRIGHT and word.rect.height >= 0.93 * height


def _is_capital_i(word: RecognizedWord, following: RecognizedWord) -> bool:
    """A stroke as high as the word after it is more often a capital I than a border."""
    if word.text not in ("|", "I", "l", "1") or not following.text[0].islower():
        return False
    near = following.rect.x - word.rect.right < following.rect.height
    return near and 0.7 * following.rect.height <= word.rect.height <= 1.25 * following.rect.height


def _is_believable(word: RecognizedWord) -> bool:
    min_certainty = 0.1 if letters_in(word.text) > 1 else 0.35 if letters_in(word.text) == 1 else 0.5
    return word.certainty >= min_certainty


def _mean(weighted: Sequence[tuple[float, int]]) -> float:
    total = sum(weight for _, weight in weighted)
    return sum(value * weight for value, weight in weighted) / total if total else 0.0
