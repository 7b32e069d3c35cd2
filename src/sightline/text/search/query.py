"""What a person asks for, taken apart: words, "phrases", prefixes*, *parts*. Pure.

Terms stand for what must all be there. Each says by which keys the index finds it, and what is still to be looked at in
the text of a row.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sightline.errors import InvalidInput
from sightline.text.search.conditions import Condition, any_of, in_a_row, key, like, word_key
from sightline.text.search.fold import SEPARATORS, fold, is_unspaced, words_of
from sightline.text.segments.typos import slip_keys

Match = Literal["words", "substring"]

LONGEST_QUERY = 500
MOST_TERMS = 32
SHORTEST_PART = 3

_TERM = re.compile(r'"([^"]*)"?|(\S+)')
_QUOTES = str.maketrans("“”„«»", '"""""')


@dataclass(frozen=True, slots=True)
class Word:
    """A whole word; with slips, also one that may be it misread."""

    word: str

    def exact(self) -> Condition:
        return Condition(word_key(self.word), phrases=(in_a_row([self.word]),))

    def loose(self) -> Condition:
        slips = slip_keys(self.word)
        return Condition(any_of([key("s", one) for one in sorted(slips)])) if slips else self.exact()


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that follow one another, or at least with signs between them; of the last only the beginning, if it is open."""

    words: tuple[str, ...]
    is_open: bool = False

    def exact(self) -> Condition:
        # Where two words meet there is a key too. With it, and with a look that costs little before the one that costs more, the
        # commonest words together are found about as fast as rare ones.
        meet = [key("t", f"{one[-1]} {other[0]}") for one, other in pairwise(self.words)]
        return Condition(
            " & ".join([*self._keys(), *meet]),
            phrases=(in_a_row(self.words, by=" ", is_open=self.is_open),),
            parts=(f"%{like(' '.join(self.words))}%",),
            is_by_keys_alone=len(self.words) == 1,
        )

    def loose(self) -> Condition:
        if len(self.words) == 1:
            return self.exact()
        pattern = in_a_row(self.words, is_open=self.is_open)
        return Condition(" & ".join(self._keys()), phrases=(pattern,), is_by_keys_alone=False)

    def _keys(self) -> list[str]:
        *first, last = self.words
        return [word_key(word) for word in first] + [word_key(last, is_prefix=self.is_open)]


@dataclass(frozen=True, slots=True)
class Part:
    """Characters in a row, wherever they stand."""

    text: str

    def exact(self) -> Condition:
        grams = grams_of(self.text)
        keys = " & ".join(key("t", gram) for gram in grams)
        return Condition(keys, parts=(f"%{like(self.text)}%",), is_by_keys_alone=grams == [self.text])

    def loose(self) -> Condition:
        return self.exact()


@dataclass(frozen=True, slots=True)
class Signed:
    """A bare term with signs in it, as C++, 9:30 or @ada: to the letter, or at least its words."""

    text: str
    words: tuple[str, ...]

    def exact(self) -> Condition:
        return Part(self.text).exact()

    def loose(self) -> Condition:
        return Word(self.words[0]).loose() if len(self.words) == 1 else Phrase(self.words).loose()


Term = Word | Phrase | Part | Signed


def parse(text: str, match: Match = "words") -> tuple[Term, ...]:
    """The terms of a question; none for an empty one."""
    if len(text) > LONGEST_QUERY:
        raise InvalidInput(f"q: {LONGEST_QUERY} characters at the most")
    if match == "substring":
        return (_part(text),) if text.strip() else ()
    found: list[Term] = []
    for quoted, bare in _TERM.findall(text.translate(_QUOTES)):
        term = _bare(bare) if bare else _phrase(quoted)
        if term is not None and term not in found:
            found.append(term)
    if len(found) > MOST_TERMS:
        raise InvalidInput(f"q: {MOST_TERMS} words at the most")
    if not found and text.strip():
        raise InvalidInput(f"q: there is no word in {text.strip()!r}; match=substring looks for signs too")
    return tuple(found)


def grams_of(text: str) -> list[str]:
    """The keys under which a part of a text is found: three characters each, fewer in scripts without spaces."""
    if len(text) >= SHORTEST_PART:
        return list(dict.fromkeys(text[at : at + SHORTEST_PART] for at in range(len(text) - SHORTEST_PART + 1)))
    if text and is_unspaced(text[0]):
        return [text]
    return [one for one in text if is_unspaced(one)]


def _bare(text: str) -> Term | None:
    if text.startswith("*") and text.strip("*"):
        return _part(text.strip("*"))
    is_open = text.endswith("*")
    folded = fold(text.rstrip("*") if is_open else text)
    words = tuple(words_of(folded))
    if not words:
        return None
    if any(map(is_unspaced, folded)):
        return Part(folded)
    if is_open:
        return Phrase(words, is_open=True)
    core = folded.strip(_AT_THE_ENDS)
    if len(core) >= SHORTEST_PART and any(sign in core for sign in SEPARATORS):
        return Signed(core, words)
    return Word(words[0]) if len(words) == 1 else Phrase(words)


def _phrase(text: str) -> Term | None:
    folded = fold(text)
    words = tuple(words_of(folded))
    if any(map(is_unspaced, folded)):
        return Part(folded)
    return Phrase(words) if words else None


def _part(text: str) -> Part:
    folded = fold(text)
    if not grams_of(folded):
        raise InvalidInput(
            f"q: a part of a word needs {SHORTEST_PART} characters at the least, {text.strip()!r} has fewer"
        )
    return Part(folded)


_AT_THE_ENDS = ",.;:!?()[]{}\"'`"
"""Signs that end sentences rather than belong to words."""
