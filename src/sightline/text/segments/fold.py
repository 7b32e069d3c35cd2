"""Folded text, the form that is searched: without case, accents, width and typography, but with punctuation. Pure.

The database derives its search keys from the folded text (ADR 0018), so the migration repeats `SEPARATORS`.
"""

import unicodedata
from collections.abc import Iterator

SEPARATORS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~€£¥¢§°±×÷¿¡«»"
"""Characters that separate words. Every other symbol is a word of its own."""

MAX_FOLDED_LENGTH = 4000
"""In characters; the rest of a longer text is not searched."""

FIRST_UNSPACED_CHARACTER = "\u0e00"
"""From here on (Thai, kana, Hangul, Chinese, emoji …) words are not separated by spaces, and match anywhere."""

_TO_SPACES = str.maketrans(SEPARATORS, " " * len(SEPARATORS))
_ACCENTS = frozenset(
    (
        *range(0x300, 0x370),
        *range(0x591, 0x5BE),  # Hebrew points
        *(0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7),
        *range(0x610, 0x61B),  # Arabic vowels, hamza and madda
        *range(0x64B, 0x660),
        *(0x640, 0x670),
    )
)
"""Marks that people leave out when they type. Vowel signs of other scripts are letters."""
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "ħ": "h",
        "ŧ": "t",
    }
)


def fold(text: str) -> str:
    """Equal for texts that a person who searches considers the same."""
    return fold_with_offsets(text)[0]


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """The folded text and, for each character of it, which character of `text` it came from.

    `text` should be in NFC: marks are folded together with the letter before them, and with nothing else.
    """
    folded: list[str] = []
    offsets: list[int] = []
    for at, cluster in _clusters(text):
        for character in _fold_cluster(cluster):
            if character == " " and (not folded or folded[-1] == " "):
                continue
            folded.append(character)
            offsets.append(at)
        if len(folded) >= MAX_FOLDED_LENGTH:
            break
    del folded[MAX_FOLDED_LENGTH:], offsets[MAX_FOLDED_LENGTH:]
    if folded and folded[-1] == " ":
        folded.pop()
        offsets.pop()
    return "".join(folded), offsets


def words_of(folded: str) -> list[str]:
    return folded.translate(_TO_SPACES).split()


def is_unspaced(character: str) -> bool:
    return character >= FIRST_UNSPACED_CHARACTER


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Each letter with the combining marks after it."""
    start = 0
    for at, character in enumerate(text):
        if at > start and not unicodedata.category(character).startswith("M"):
            yield start, text[start:at]
            start = at
    if text:
        yield start, text[start:]


def _fold_cluster(cluster: str) -> str:
    if cluster.isascii() and len(cluster) == 1:
        return cluster.lower() if cluster.isprintable() else " " if cluster.isspace() else ""
    apart = unicodedata.normalize("NFKD", cluster).casefold()
    bare = "".join(one for one in unicodedata.normalize("NFKD", apart) if ord(one) not in _ACCENTS)
    whole = unicodedata.normalize("NFC", bare.translate(_TYPOGRAPHY))
    return "".join(_as_searched(one) for one in whole)


def _as_searched(character: str) -> str:
    if character.isalnum() or character in SEPARATORS:
        return character
    match unicodedata.category(character)[0]:
        case "M":
            return character
        case "S":
            return f" {character} "
        case "C":
            return ""  # joiners and variation selectors have no meaning of their own
        case _:
            return " "
