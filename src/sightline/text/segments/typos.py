"""Which words may be one another, misread or mistyped by a letter. Pure; the migration has the same rule in SQL.

Two words are a slip apart when striking at most one letter from each leaves the same, after letters and digits that look
alike have been made the same. That covers one letter wrong, missing, added, or swapped with its neighbour.
"""

from sightline.text.segments.fold import is_unspaced

MIN_FUZZY_LENGTH = 3
"""Shorter words have to be exact: half of all two-letter words look like another."""
MIN_DELETION_LENGTH = 4
MAX_DELETION_LENGTH = 40

_LOOKALIKES = str.maketrans("01i58", "ollsb")


def skeleton(word: str) -> str:
    """The word with what looks alike made the same: 0 and o, 1, i and l, 5 and s, 8 and b, rn and m, vv and w."""
    return word.replace("rn", "m").replace("vv", "w").translate(_LOOKALIKES)


def typo_keys(word: str) -> frozenset[str]:
    """Words with a key in common are a slip apart; none for words that have to be exact."""
    if len(word) < MIN_FUZZY_LENGTH or is_unspaced(word[0]):
        return frozenset()
    bones = skeleton(word)
    # Digits tell rooms, prices and years apart: of a number no digit is ever struck.
    if not MIN_DELETION_LENGTH <= len(bones) <= MAX_DELETION_LENGTH or (word.isascii() and word.isdigit()):
        return frozenset({bones})
    return frozenset({bones, *(bones[:at] + bones[at + 1 :] for at in range(len(bones)))})


def is_typo(one: str, other: str) -> bool:
    return not typo_keys(one).isdisjoint(typo_keys(other))
