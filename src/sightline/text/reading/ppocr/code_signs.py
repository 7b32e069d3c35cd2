"""Signs of code: brackets, bars, quotes and dollars that small print makes look like letters. Pure.

Only where the network wavers, and only in a line that has other signs of code, what stands beside decides.
"""

from collections.abc import Sequence
from dataclasses import replace

from sightline.text.reading.engine import ScoredLetter

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {close: start for start, close in _PAIRS.items()}
_BARS = frozenset("1lI|")
_SIGNS = frozenset("(){}[]<>=;_$&|`#\\/\"'*+-")
_ALTERNATIVES = {
    **dict.fromkeys("1lI", "|"),
    **dict.fromkeys("([{", "([{"),
    **dict.fromkeys(")]}", ")]}"),
    **dict.fromkeys("^'", "`"),
    "S": "$",
    ":": ";",
    "G": "&",
    "g": "&",
    "8": "&",
}
MIN_SIGNS = 3
"""A line with so many signs is code rather than prose."""
MIN_SCORE_OF_BAR, MIN_SCORE_OF_TWO_BARS = 0.2, 0.1
MIN_SCORE_OF_SIGN = 0.1
MIN_SCORE_WITH_EVIDENCE = 0.02
"""Where the letters beside leave hardly anything else, as a brace behind `$`."""


def sign_alternatives(letter: str) -> str:
    """Signs that small print makes look like this letter or sign."""
    return _ALTERNATIVES.get(letter, "").replace(letter, "")


def with_signs(letters: Sequence[ScoredLetter]) -> list[ScoredLetter]:
    found = _with_bars(letters)
    if sum(letter.text in _SIGNS for letter in found) < MIN_SIGNS:
        return found
    found = [_decided(found, number) for number in range(len(found))]
    return _with_pairs(found)


def _with_bars(letters: Sequence[ScoredLetter]) -> list[ScoredLetter]:
    """A word of one or two upright strokes is `|` or `||`. In prose the network does not waver: `I` and `II` stay."""
    found = list(letters)
    start = 0
    for end in range(len(found) + 1):
        if end < len(found) and found[end].text != " ":
            continue
        word = found[start:end]
        least = {1: MIN_SCORE_OF_BAR, 2: MIN_SCORE_OF_TWO_BARS}.get(len(word))
        is_inside = start > 0 and end < len(found)
        if least and is_inside and all(one.text in _BARS and _score_of(one, "|") >= least for one in word):
            found[start:end] = [_changed(one, "|") for one in word]
        start = end + 1
    return found


def _decided(letters: Sequence[ScoredLetter], number: int) -> ScoredLetter:
    letter = letters[number]
    before = letters[number - 1].text if number else " "
    after = letters[number + 1].text if number + 1 < len(letters) else " "
    match letter.text:
        case "S" if not before.isalnum():
            is_likely = _score_of(letter, "$") >= (MIN_SCORE_WITH_EVIDENCE if after == "{" else MIN_SCORE_OF_SIGN)
            return _changed(letter, "$") if is_likely else letter
        case "G" | "g" | "8" if not before.isalnum() and _score_of(letter, "&") >= MIN_SCORE_OF_SIGN:
            return _changed(letter, "&")
        case "^" | "'" if before in _SIGNS or after in _SIGNS:
            # A caret or a quote beside `${`, or behind a bracket, opens or closes a template.
            least = MIN_SCORE_WITH_EVIDENCE if letter.text == "^" else MIN_SCORE_OF_SIGN
            return _changed(letter, "`") if _score_of(letter, "`") >= least else letter
        case ":" if number + 1 == len(letters) and _score_of(letter, ";") >= MIN_SCORE_OF_SIGN:
            return _changed(letter, ";")
    return letter


def _with_pairs(letters: list[ScoredLetter]) -> list[ScoredLetter]:
    """A bracket that does not fit its partner takes the partner's form if either of both was in doubt."""
    found = list(letters)
    opened: list[int] = []
    for number, letter in enumerate(found):
        if letter.text in _PAIRS:
            opened.append(number)
        elif letter.text in _CLOSING and opened:
            partner = opened.pop()
            start, needed = found[partner], _PAIRS[found[partner].text]
            if needed == letter.text:
                continue
            other = _CLOSING[letter.text]
            if _score_of(letter, needed) >= max(MIN_SCORE_WITH_EVIDENCE, _score_of(start, other)):
                found[number] = _changed(letter, needed)
            elif _score_of(start, other) >= MIN_SCORE_WITH_EVIDENCE:
                found[partner] = _changed(start, other)
    return found


def _score_of(letter: ScoredLetter, text: str) -> float:
    return letter.score if letter.text == text else dict(letter.others).get(text, 0.0)


def _changed(letter: ScoredLetter, text: str) -> ScoredLetter:
    """What stands beside says so too, so both readings count for it."""
    return (
        letter if letter.text == text else replace(letter, text=text, score=max(letter.score, _score_of(letter, text)))
    )
