"""Typos: words that differ by one misread or mistyped letter. Pure; the migration has the same rule in SQL.

Two words are a typo apart when deleting at most one letter from each makes them equal, after look-alike letters and digits
were replaced. That covers one letter wrong, missing, added, or swapped with its neighbour.
"""

from sightline.text.segments.fold import is_unspaced

MIN_FUZZY_LENGTH = 3
"""Shorter words must match exactly: half of all two-letter words look like another."""
MIN_DELETION_LENGTH = 4
MAX_DELETION_LENGTH = 40

_LOOKALIKES = str.maketrans("01i58", "ollsb")


def skeleton(word: str) -> str:
    """The word with look-alikes replaced: 0 and o, 1, i and l, 5 and s, 8 and b, rn and m, vv and w."""
    return word.replace("rn", "m").replace("vv", "w").translate(_LOOKALIKES)


def typo_keys(word: str) -> frozenset[str]:
    """Words that share a key are a typo apart; words that must match exactly have no keys."""
    if len(word) < MIN_FUZZY_LENGTH or is_unspaced(word[0]):
        return frozenset()
    shape = skeleton(word)
    # Digits distinguish rooms, prices and years, so no digit of a number is ever deleted.
    if not MIN_DELETION_LENGTH <= len(shape) <= MAX_DELETION_LENGTH or (word.isascii() and word.isdigit()):
        return frozenset({shape})
    return frozenset({shape, *(shape[:at] + shape[at + 1 :] for at in range(len(shape)))})


def is_typo(one: str, other: str) -> bool:
    return not typo_keys(one).isdisjoint(typo_keys(other))
