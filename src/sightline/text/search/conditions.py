"""Conditions of a search: keys for the index, and patterns for the text of the rows it finds. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from sightline.text.segments import SEPARATORS

_SEPARATOR_CLASS = "[ " + "".join(f"\\{sign}" if sign in "\\]^-[" else sign for sign in SEPARATORS) + "]"

MAX_KEY_LENGTH = 200
"""In characters; longer words are indexed by their beginning."""


@dataclass(frozen=True, slots=True)
class TermCondition:
    """The condition of one term: keys as a tsquery, and patterns for the folded text of a row."""

    keys: str
    phrases: tuple[str, ...] = ()
    """Regular expressions."""
    parts: tuple[str, ...] = ()
    """LIKE patterns."""
    is_by_keys_alone: bool = True
    """Whether a row with the keys needs no check of its text."""
    is_by_parts_alone: bool = False
    """Whether a row with the keys needs no check but that of `parts`."""


def key(kind: str, text: str, *, is_prefix: bool = False) -> str:
    """One key in tsquery syntax."""
    quoted = (kind + text[:MAX_KEY_LENGTH]).replace("\\", "\\\\").replace("'", "''")
    return f"'{quoted}':*" if is_prefix else f"'{quoted}'"


def word_key(word: str, *, is_prefix: bool = False) -> str:
    """A word, whether it is common in its video or not."""
    return any_of([key("w", word, is_prefix=is_prefix), key("c", word, is_prefix=is_prefix)])


def pair_key(one: str, other: str) -> str:
    """Two words that follow each other, as four digits of their hash; the text of the rows tells apart what shares them."""
    return sha256(f"{one} {other}".encode()).hexdigest()[:4]


def pair_keys(kind: str, words: Sequence[str]) -> list[str]:
    """Each two words that follow each other. In search rows `p` are those with a space between them, `q` those with signs."""
    return [key(kind, pair_key(one, other)) for one, other in pairwise(words)]


def any_of(keys: Sequence[str]) -> str:
    return keys[0] if len(keys) == 1 else f"({' | '.join(keys)})"


def adjacent_words_pattern(words: Sequence[str], *, by: str = f"{_SEPARATOR_CLASS}+", is_open: bool = False) -> str:
    """Matches these words next to each other, whatever separates them; the last one by its prefix if it is open."""
    # Words contain no separators, and so no special characters of regular expressions.
    end = "" if is_open else f"({_SEPARATOR_CLASS}|$)"
    return f"(^|{_SEPARATOR_CLASS}){by.join(words)}{end}"


def like_pattern(text: str) -> str:
    """The text as a LIKE pattern that matches only itself."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """One query of the index: keys, patterns to check, and the rows to leave out because an earlier query returned them."""

    keys: str
    phrases: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    excluded_phrases: tuple[str, ...] = ()
    excluded_parts: tuple[str, ...] = ()
    near: str | None = None
    """Rows that match this regular expression come first."""
    lone_word: str | None = None
    """Set if the query is this word and nothing else; `phrases` then has its pattern."""


def match_all(conditions: Sequence[TermCondition], keys: Sequence[str] = (), *, near: str | None = None) -> IndexQuery:
    """A query for rows that match all conditions and have all `keys`."""
    to_check = [one for one in conditions if not one.is_by_keys_alone]
    return IndexQuery(
        " & ".join([*(f"({one.keys})" for one in conditions), *keys]),
        phrases=tuple(pattern for one in to_check if not one.is_by_parts_alone for pattern in one.phrases),
        parts=tuple(pattern for one in to_check for pattern in one.parts),
        near=near,
    )


def match_all_except(
    wide: Sequence[TermCondition], narrow: Sequence[TermCondition], keys: Sequence[str] = ()
) -> IndexQuery:
    """A query for rows that match all of `wide` but not all of `narrow`."""
    query = match_all(wide, keys)
    if all(one.is_by_keys_alone for one in narrow):
        without = " & ".join(f"({one.keys})" for one in narrow)
        return IndexQuery(f"{query.keys} & !({without})", query.phrases, query.parts)
    return IndexQuery(
        query.keys,
        query.phrases,
        query.parts,
        excluded_phrases=tuple(pattern for one in narrow for pattern in one.phrases),
        excluded_parts=tuple(pattern for one in narrow for pattern in one.parts),
    )
