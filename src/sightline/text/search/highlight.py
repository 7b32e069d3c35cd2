"""Highlights: where a text matches the terms of a query. Pure; follows the rules of the search."""

import re
from collections.abc import Iterator, Sequence

from sightline.text.search.number_term import NumberTerm
from sightline.text.search.query import PhraseTerm, SubstringTerm, SymbolTerm, Term, WordTerm
from sightline.text.segments import SEPARATORS, fold_with_offsets, is_typo

WORD = re.compile(rf"[^\s{re.escape(SEPARATORS)}]+")
"""A word of a folded text."""

TextSpan = tuple[int, int]


def highlights(text: str, terms: Sequence[Term], *, is_fuzzy: bool) -> list[TextSpan]:
    """Spans of characters in `text`, in order and without overlap. `text` must be in NFC."""
    folded, offsets = fold_with_offsets(text)
    words = [(found[0], found.start(), found.end()) for found in WORD.finditer(folded)]
    spans = sorted({span for term in terms for span in _spans(term, folded, words, is_fuzzy=is_fuzzy)})
    return _joined((offsets[start], _end(text, offsets, end)) for start, end in spans)


def _spans(term: Term, folded: str, words: list[tuple[str, int, int]], *, is_fuzzy: bool) -> Iterator[TextSpan]:
    match term:
        case WordTerm(term_word):
            for word, start, end in words:
                if word == term_word or (is_fuzzy and is_typo(word, term_word)):
                    yield start, end
        case PhraseTerm(term_words, is_open):
            yield from _phrase(term_words, is_open, words)
        case SubstringTerm(part):
            yield from _parts(part, folded)
        case NumberTerm(number):
            found = [match.span(2) for match in re.finditer(term.pattern(), folded)]
            yield from found
            if is_fuzzy and not found:
                yield from _spans(WordTerm(number), folded, words, is_fuzzy=True)
        case SymbolTerm(part, term_words):
            exact = list(_parts(part, folded))
            yield from exact
            if is_fuzzy and not exact:
                loose = WordTerm(term_words[0]) if len(term_words) == 1 else PhraseTerm(term_words)
                yield from _spans(loose, folded, words, is_fuzzy=True)


def _phrase(phrase: tuple[str, ...], is_open: bool, words: list[tuple[str, int, int]]) -> Iterator[TextSpan]:
    *first, last = phrase
    for at in range(len(words) - len(phrase) + 1):
        here = words[at : at + len(phrase)]
        final, _, end = here[-1]
        is_last = final.startswith(last) if is_open else final == last
        if is_last and [word for word, _, _ in here[:-1]] == first:
            yield here[0][1], end


def _parts(part: str, folded: str) -> Iterator[TextSpan]:
    at = folded.find(part)
    while at >= 0:
        yield at, at + len(part)
        at = folded.find(part, at + 1)


def _end(text: str, offsets: list[int], end: int) -> int:
    """The end of the character whose folded form ends here; one letter may fold to two, and marks belong to their letter."""
    last = offsets[end - 1]
    following = next((offset for offset in offsets[end:] if offset > last), len(text))
    return last + len(text[last:following].rstrip())


def _joined(spans: Iterator[TextSpan]) -> list[TextSpan]:
    joined: list[TextSpan] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
