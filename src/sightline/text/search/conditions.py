"""What search asks of the database: keys for the index, and patterns for the text of the rows that it finds. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.text.segments import SEPARATORS

_SEPARATOR_CLASS = "[ " + "".join(f"\\{sign}" if sign in "\\]^-[" else sign for sign in SEPARATORS) + "]"

MAX_KEY_LENGTH = 200
"""Characters; longer words are known by their beginning."""


@dataclass(frozen=True, slots=True)
class TermCondition:
    """What a term asks for: keys as a tsquery, and the same in full as patterns for the folded text of a row."""

    keys: str
    phrases: tuple[str, ...] = ()
    """Regular expressions."""
    parts: tuple[str, ...] = ()
    """Patterns of LIKE."""
    is_by_keys_alone: bool = True
    """Whether a row with the keys needs no second look."""


def key(kind: str, text: str, *, is_prefix: bool = False) -> str:
    """One key as a tsquery writes it."""
    quoted = (kind + text[:MAX_KEY_LENGTH]).replace("\\", "\\\\").replace("'", "''")
    return f"'{quoted}':*" if is_prefix else f"'{quoted}'"


def word_key(word: str, *, is_prefix: bool = False) -> str:
    """A word, whether it is common in its video or not."""
    return any_of([key("w", word, is_prefix=is_prefix), key("c", word, is_prefix=is_prefix)])


def any_of(keys: Sequence[str]) -> str:
    return keys[0] if len(keys) == 1 else f"({' | '.join(keys)})"


def adjacent_words_pattern(words: Sequence[str], *, by: str = f"{_SEPARATOR_CLASS}+", is_open: bool = False) -> str:
    """Matches where these words follow one another, whatever parts them; of the last only the beginning, if it is open."""
    # Words hold no separators, and so nothing that means something to a regular expression.
    end = "" if is_open else f"({_SEPARATOR_CLASS}|$)"
    return f"(^|{_SEPARATOR_CLASS}){by.join(words)}{end}"


def like_pattern(text: str) -> str:
    """The text as a pattern that matches itself alone."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """One search of the index: the keys, what to look at besides, and which rows an earlier question has shown already."""

    keys: str
    phrases: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    but_phrases: tuple[str, ...] = ()
    but_parts: tuple[str, ...] = ()
    near: str | None = None
    """Rows that match this regular expression come first."""
    lone_word: str | None = None
    """Set if the question is for this word and nothing else; `phrases` then has its pattern."""


def match_all(conditions: Sequence[TermCondition], keys: Sequence[str] = (), *, near: str | None = None) -> IndexQuery:
    """Everything at once; `keys` narrow it further."""
    looked_at = [one for one in conditions if not one.is_by_keys_alone]
    return IndexQuery(
        " & ".join([*(f"({one.keys})" for one in conditions), *keys]),
        phrases=tuple(pattern for one in looked_at for pattern in one.phrases),
        parts=tuple(pattern for one in looked_at for pattern in one.parts),
        near=near,
    )


def match_all_except(
    wide: Sequence[TermCondition], narrow: Sequence[TermCondition], keys: Sequence[str] = ()
) -> IndexQuery:
    """What is in the wide and not in the narrow."""
    question = match_all(wide, keys)
    if all(one.is_by_keys_alone for one in narrow):
        without = " & ".join(f"({one.keys})" for one in narrow)
        return IndexQuery(f"{question.keys} & !({without})", question.phrases, question.parts)
    return IndexQuery(
        question.keys,
        question.phrases,
        question.parts,
        but_phrases=tuple(pattern for one in narrow for pattern in one.phrases),
        but_parts=tuple(pattern for one in narrow for pattern in one.parts),
    )
