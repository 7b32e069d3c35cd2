"""Look-alikes: 0 and O, 1, l and I. Where the network wavers between them, the letters beside decide. Pure.

A digit of which it is certain is never changed, nor is one beside other digits.
"""

from collections.abc import Sequence
from dataclasses import replace

from sightline.text.reading.engine import ScoredLetter

_GROUPS = ("0Oo", "1lI|", "5S", "8B", "2Z", "°º")
_CASES = "cCkKoOpPsSuUvVwWxXzZ"
"""Letters that are told from their capitals by their size alone, which a letter on its own does not tell."""
MIN_OTHER_SCORE = 0.04
"""Of the look-alike; below it the network does not waver."""

MIN_NUMBER = 4
"""Letters and signs of a word that is taken for a number as a whole: a clock time or an amount."""
_SIGNS_IN_NUMBERS = ":.,"
_ALONE_MORE_OFTEN_DIGITS = "Oo|l"


def lookalikes_of(letter: str) -> str:
    return next((group.replace(letter, "") for group in _GROUPS if letter in group), "") if len(letter) == 1 else ""


def twins_of(letter: str) -> str:
    """Look-alikes, and the other case of a letter that has the same form in both."""
    return lookalikes_of(letter) + (letter.swapcase() if len(letter) == 1 and letter in _CASES else "")


def with_lookalikes(letters: Sequence[ScoredLetter]) -> list[ScoredLetter]:
    letters = _with_numbers(letters)
    if len(letters) == 1:
        return [_alone(letters[0])]
    found = list(letters)
    for number, letter in enumerate(letters):
        other, score = _best_lookalike(letter)
        if letter.text == "º" and _is_degree(letters, number):
            found[number] = replace(letter, text="°", score=min(1.0, letter.score + score))
            continue
        if letter.text == "°":
            found[number] = replace(letter, score=min(1.0, letter.score + score))
            continue
        if score < MIN_OTHER_SCORE or letter.text.isdigit() == other.isdigit():
            continue
        beside = [_beside(found, number, -1), _beside(found, number, 1)]
        digits = sum(one.isdigit() for one in beside)
        words = sum(one.isalpha() for one in beside)
        is_word = words and not digits
        if letter.text.isdigit() and is_word:
            found[number] = replace(letter, text=_in_case(other, beside), score=max(letter.score, score))
        elif other.isdigit() and digits and not words:
            found[number] = replace(letter, text=other, score=max(letter.score, score))
    return found


def _with_numbers(letters: Sequence[ScoredLetter]) -> list[ScoredLetter]:
    """A word in which every letter may be a digit, with a sign of numbers inside (`ZZ:OO`), is a number."""
    found = list(letters)
    ends = [*(number for number, one in enumerate(letters) if one.text == " "), len(letters)]
    start = 0
    for end in ends:
        word = letters[start:end]
        if len(word) >= MIN_NUMBER and any(one.text in _SIGNS_IN_NUMBERS for one in word[1:-1]):
            digits = [one if one.text in _SIGNS_IN_NUMBERS else _as_digit(one) for one in word]
            if all(one is not None for one in digits):
                found[start:end] = [one for one in digits if one is not None]
        start = end + 1
    return found


def _alone(letter: ScoredLetter) -> ScoredLetter:
    """A count or a score stands on its own more often than the letter that looks like it."""
    return (_as_digit(letter) or letter) if letter.text in _ALONE_MORE_OFTEN_DIGITS else letter


def _as_digit(letter: ScoredLetter) -> ScoredLetter | None:
    if letter.text.isdigit():
        return letter
    alike = lookalikes_of(letter.text)
    scored = [(score, other) for other, score in letter.others if other in alike and other.isdigit()]
    score, digit = max(scored, default=(0.0, ""))
    if score < MIN_OTHER_SCORE:
        return None
    # Which of both it is does not matter to the network: what it gave to either of them counts.
    return replace(letter, text=digit, score=min(1.0, letter.score + score))


def with_twins(letter: ScoredLetter) -> float:
    """How certain it is that this is a letter at all, whichever of those that look alike."""
    alike = twins_of(letter.text)
    return min(1.0, letter.score + sum(score for other, score in letter.others if other in alike))


def _is_degree(letters: Sequence[ScoredLetter], number: int) -> bool:
    """Whether the sign behind a number is that of degrees: an ordinal has a word behind it (1º andar)."""
    return _beside(letters, number, -1).isdigit() and number + 1 == len(letters)


def _best_lookalike(letter: ScoredLetter) -> tuple[str, float]:
    alike = [(score, other) for other, score in letter.others if other in lookalikes_of(letter.text)]
    score, other = max(alike, default=(0.0, ""))
    return other, score


def _beside(letters: Sequence[ScoredLetter], number: int, step: int) -> str:
    """The next letter or digit of the same word."""
    at = number + step
    return letters[at].text if 0 <= at < len(letters) and letters[at].text != " " else ""


def _in_case(other: str, beside: Sequence[str]) -> str:
    if other in "Oo":
        return "O" if all(one.isupper() for one in beside if one.isalpha()) else "o"
    return other
