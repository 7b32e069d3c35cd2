"""Queries of passages: matches across the lines of a block, or across blocks that are on screen together. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.text.search.conditions import (
    TermCondition,
    adjacent_words_pattern,
    any_of,
    key,
    like_pattern,
    pair_keys,
)
from sightline.text.search.number_term import NumberTerm
from sightline.text.search.query import PhraseTerm, SubstringTerm, SymbolTerm, Term, WordTerm, grams_of
from sightline.text.search.request import SearchFilter
from sightline.text.search.search_row import SPEECH_KEY
from sightline.text.segments import PassageScope, is_unspaced

_KNOWN_FILTERS = ("'v", "('v", "'g", "'l", f"'{SPEECH_KEY}")
"""Filters whose keys passages have too. What else is filtered for is known of single segments only."""


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """Keys and patterns for the text of a passage, and patterns by which one part of it would match alone."""

    scope: PassageScope
    keys: str
    phrases: tuple[str, ...]
    parts: tuple[str, ...]
    alone_phrases: tuple[str, ...]
    alone_parts: tuple[str, ...]
    near: str | None


def passage_query(terms: Sequence[Term], filters: SearchFilter, scope: PassageScope) -> PassageQuery | None:
    """A query for passages that match all terms while no part of them does; None if there can be none."""
    filter_keys = filters.keys()
    conditions = [_split_word(terms[0]) if len(terms) == 1 else across_lines(terms[0])] if terms else []
    conditions += [across_lines(term) for term in terms[1:]]
    found = [one for one in conditions if one is not None]
    if not found or len(found) < len(terms) or not all(one.startswith(_KNOWN_FILTERS) for one in filter_keys):
        return None
    if scope == "moment" and len(terms) == 1 and isinstance(terms[0], WordTerm):
        return None
    to_check = [one for one in found if not one.is_by_keys_alone]
    words = [term.word for term in terms if isinstance(term, WordTerm)]
    return PassageQuery(
        scope,
        " & ".join([*(f"({one.keys})" for one in found), *filter_keys, *filters.absent_keys()]),
        phrases=(*(pattern for one in to_check for pattern in one.phrases), *filters.checks()),
        parts=tuple(pattern for one in to_check for pattern in one.parts),
        alone_phrases=tuple(pattern for one in found for pattern in one.phrases),
        alone_parts=tuple(pattern for one in found for pattern in one.parts),
        near=adjacent_words_pattern(words) if len(words) == len(terms) > 1 else None,
    )


def across_lines(term: Term) -> TermCondition | None:
    """The condition of a term among others; None for one that is searched for within a line only."""
    match term:
        case WordTerm(word):
            return TermCondition(key("w", word), phrases=(adjacent_words_pattern([word]),))
        case PhraseTerm(words, is_open):
            *first, last = words
            keys = " & ".join([*(key("w", word) for word in first), key("w", last, is_prefix=is_open)])
            pattern = adjacent_words_pattern(words, is_open=is_open)
            return TermCondition(keys, phrases=(pattern,), is_by_keys_alone=len(words) == 1)
        case SubstringTerm(text):
            if not any(map(is_unspaced, text)):
                return None
            keys = " & ".join(key("t", gram) for gram in grams_of(text))
            return TermCondition(keys, parts=(f"%{like_pattern(text)}%",), is_by_keys_alone=False)
        case SymbolTerm(text, words):
            keys = " & ".join(key("w", word) for word in words)
            return TermCondition(keys, parts=(f"%{like_pattern(text)}%",), is_by_keys_alone=False)
        case NumberTerm(text, value):
            keys = any_of([key("n", value), *([key("w", text)] if text.isdigit() else [])])
            return TermCondition(keys, phrases=(term.pattern(),))


def _split_word(term: Term) -> TermCondition | None:
    """The condition of a term that stands alone: only what is broken between two lines is not found in one of them."""
    match term:
        case WordTerm(word):
            return TermCondition(key("h", word), phrases=(adjacent_words_pattern([word]),))
        case PhraseTerm(words, is_open) if len(words) > 1 and not is_open:
            # Of a phrase across lines, at least two words that follow each other are in different ones.
            keys = [*(key("w", word) for word in words), any_of(pair_keys("p", words))]
            return TermCondition(
                " & ".join(keys), phrases=(adjacent_words_pattern(words),), is_by_keys_alone=len(words) == 2
            )
        case SubstringTerm(text) if len(text) > 1:
            return across_lines(term)
        case _:
            return None
