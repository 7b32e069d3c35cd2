"""Alphabets: the letters that a line may consist of in the given languages. Pure.

The model knows 18,000 letters and signs. Read among all of them, a blurred `l` becomes a Chinese stroke or a pictogram.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.ppocr.models import ASIAN_LANGUAGES, GREEK

_SIGNS = "¡¢£¥§©ª«®°±²³µ¶·¹º»¼½¾¿×÷–—•…‰€№™←↑→↓−√∞≈≠≤≥℃℉✓✔★☆●○■□▲▼▶◀♥♪ΩΔ"
_PLAIN_FORMS = {
    "℃": "°C",
    "℉": "°F",
    "−": "-",
    "―": "—",
    "‥": "..",
    "…": "...",
    "∙": "·",
    "⋅": "·",
    "Ω": "Ω",
    "μ": "µ",
} | {
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "\u3000": " ",
}
_LETTERS_BEYOND_LATIN_EXTENDED_A = "ȘșȚțƏə"
"""Of Romanian and Azerbaijani."""


def is_allowed(letter: str, languages: Sequence[str]) -> bool:
    """Whether this letter or sign of the model can occur in text of these languages."""
    if len(letter) != 1:
        return False
    code = ord(letter)
    if code < 0x7F or letter in _SIGNS or (letter in _PLAIN_FORMS and not is_asian(letter)):
        return True
    if 0xC0 <= code <= 0x17F or letter in _LETTERS_BEYOND_LATIN_EXTENDED_A:
        return True
    if GREEK in languages and 0x370 <= code <= 0x3FF:
        return True
    return not ASIAN_LANGUAGES.isdisjoint(languages) and is_asian(letter)


def is_asian(letter: str) -> bool:
    code = ord(letter)
    return 0x3000 <= code <= 0x30FF or 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0xFF01 <= code <= 0xFFEF


def allowed_mask(letters: Sequence[str], languages: Sequence[str]) -> NDArray[np.bool_]:
    """One flag per letter of the model."""
    return np.array([is_allowed(letter, languages) for letter in letters], np.bool_)


def plain_form(letter: str) -> str:
    """The form that people type and search for, such as straight quotes."""
    return _PLAIN_FORMS.get(letter, letter)
