"""Query parser: words, "phrases", prefixes*, *substrings*. Pure.

A segment must match all terms. Each term has the keys by which the index finds it, and the patterns to check in the text of a row.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from sightline.errors import InvalidInput
from sightline.text.search.conditions import (
    TermCondition,
    adjacent_words_pattern,
    any_of,
    key,
    like_pattern,
    pair_keys,
    word_key,
)
from sightline.text.search.number_term import NumberTerm, number_term
from sightline.text.segments import SEPARATORS, fold, is_unspaced, typo_keys, words_of

MatchMode = Literal["words", "substring"]

MAX_QUERY_LENGTH = 500
MAX_TERMS = 32
MIN_SUBSTRING_LENGTH = 3

_PART_OF_NUMBER = re.compile(r"[+(]?\d[\d()./,'-]*|[€$£¥%]")
_TERM = re.compile(r'"([^"]*)"?|(\S+)')
QUOTES = str.maketrans("“”„«»", '"""""')


@dataclass(frozen=True, slots=True)
class WordTerm:
    """A whole word; fuzzy search also finds its typos."""

    word: str

    def exact(self) -> TermCondition:
        return TermCondition(word_key(self.word), phrases=(adjacent_words_pattern([self.word]),))

    def loose(self) -> TermCondition:
        typos = typo_keys(self.word)
        return TermCondition(any_of([key("s", one) for one in sorted(typos)])) if typos else self.exact()


@dataclass(frozen=True, slots=True)
class PhraseTerm:
    """Adjacent words; fuzzy search allows punctuation between them. The last word is a prefix if it is open."""

    words: tuple[str, ...]
    is_open: bool = False

    def exact(self) -> TermCondition:
        if len(self.words) == 1:
            pattern = adjacent_words_pattern(self.words, is_open=self.is_open)
            return TermCondition(word_key(self.words[0], is_prefix=self.is_open), phrases=(pattern,))
        return TermCondition(
            " & ".join([*pair_keys("p", self._closed), *self._open_key()]),
            phrases=(adjacent_words_pattern(self.words, by=" ", is_open=self.is_open),),
            parts=(f"%{like_pattern(' '.join(self.words))}%",),
            is_by_keys_alone=False,
            # The key of two words is theirs but for a hash they share with others; then the cheaper LIKE is enough.
            is_by_parts_alone=len(self.words) == 2 and not self.is_open,
        )

    def loose(self) -> TermCondition:
        if len(self.words) == 1:
            return self.exact()
        pairs = zip(pair_keys("p", self._closed), pair_keys("q", self._closed), strict=True)
        return TermCondition(
            " & ".join([*map(any_of, pairs), *self._open_key()]),
            phrases=(adjacent_words_pattern(self.words, is_open=self.is_open),),
            is_by_keys_alone=False,
        )

    @property
    def _closed(self) -> tuple[str, ...]:
        return self.words[:-1] if self.is_open else self.words

    def _open_key(self) -> list[str]:
        """Of a phrase whose last word is a prefix: that, and the word before it, which is in no pair of two."""
        return [word_key(self.words[-2]), word_key(self.words[-1], is_prefix=True)] if self.is_open else []


@dataclass(frozen=True, slots=True)
class SubstringTerm:
    """Consecutive characters, anywhere in the text."""

    text: str

    def exact(self) -> TermCondition:
        grams = grams_of(self.text)
        keys = " & ".join(key("t", gram) for gram in grams)
        return TermCondition(keys, parts=(f"%{like_pattern(self.text)}%",), is_by_keys_alone=grams == [self.text])

    def loose(self) -> TermCondition:
        return self.exact()


@dataclass(frozen=True, slots=True)
class SymbolTerm:
    """An unquoted term with symbols, such as C++, 9:30 or @ada; fuzzy search also matches its words alone."""

    text: str
    words: tuple[str, ...]

    def exact(self) -> TermCondition:
        return SubstringTerm(self.text).exact()

    def loose(self) -> TermCondition:
        return WordTerm(self.words[0]).loose() if len(self.words) == 1 else PhraseTerm(self.words).loose()


Term = WordTerm | PhraseTerm | SubstringTerm | SymbolTerm | NumberTerm


def parse_query(text: str, match: MatchMode = "words") -> tuple[Term, ...]:
    """The terms of a query; none for an empty one."""
    if len(text) > MAX_QUERY_LENGTH:
        raise InvalidInput(f"q: use at most {MAX_QUERY_LENGTH} characters")
    if match == "substring":
        return (_substring(text),) if text.strip() else ()
    found: list[Term] = []
    for quoted, bare in _with_numbers_joined(_TERM.findall(text.translate(QUOTES))):
        term = _bare(bare) if bare else _phrase(quoted)
        if term is not None and term not in found:
            found.append(term)
    if len(found) > MAX_TERMS:
        raise InvalidInput(f"q: use at most {MAX_TERMS} words")
    if not found and text.strip():
        raise InvalidInput(f"q: {text.strip()!r} contains no word; use match=substring to search for symbols")
    return tuple(found)


def grams_of(text: str) -> list[str]:
    """The index keys of a substring: three characters each, fewer in scripts without spaces."""
    if len(text) >= MIN_SUBSTRING_LENGTH:
        return list(
            dict.fromkeys(text[at : at + MIN_SUBSTRING_LENGTH] for at in range(len(text) - MIN_SUBSTRING_LENGTH + 1))
        )
    if text and is_unspaced(text[0]):
        return [text]
    return [one for one in text if is_unspaced(one)]


def _with_numbers_joined(found: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Terms, with the parts of a number that has spaces in it as one: +49 30 5557 0192."""
    for is_number, several in groupby(found, key=lambda one: _PART_OF_NUMBER.fullmatch(one[1]) is not None):
        terms = list(several)
        whole = " ".join(bare for _, bare in terms)
        yield from [("", whole)] if is_number and len(terms) > 1 and number_term(fold(whole)) else terms


def _bare(text: str) -> Term | None:
    if text.startswith("*") and text.strip("*"):
        return _substring(text.strip("*"))
    is_open = text.endswith("*")
    folded = fold(text.rstrip("*") if is_open else text)
    words = tuple(words_of(folded))
    if not words:
        return None
    if not is_open and (number := number_term(folded)):
        return number
    if any(map(is_unspaced, folded)):
        return SubstringTerm(folded)
    if is_open:
        return PhraseTerm(words, is_open=True)
    core = folded.strip(_OUTER_PUNCTUATION)
    if len(core) >= MIN_SUBSTRING_LENGTH and any(sign in core for sign in SEPARATORS):
        return SymbolTerm(core, words)
    return WordTerm(words[0]) if len(words) == 1 else PhraseTerm(words)


def _phrase(text: str) -> Term | None:
    folded = fold(text)
    words = tuple(words_of(folded))
    if any(map(is_unspaced, folded)):
        return SubstringTerm(folded)
    return PhraseTerm(words) if words else None


def _substring(text: str) -> SubstringTerm:
    folded = fold(text)
    if not grams_of(folded):
        raise InvalidInput(
            f"q: a substring needs at least {MIN_SUBSTRING_LENGTH} characters; {text.strip()!r} is too short"
        )
    return SubstringTerm(folded)


_OUTER_PUNCTUATION = ",.;:!?()[]{}\"'`"
"""Punctuation of the sentence around a term."""
