"""Hits in passages: the lines that a match touches, and where it begins. Pure."""

import unicodedata
from collections.abc import Sequence

from sightline.text.search.highlight import TextSpan, highlights
from sightline.text.search.query import Term
from sightline.text.segments import JoinedText, join_lines


def matched_lines(texts: Sequence[str], terms: Sequence[Term]) -> dict[int, list[TextSpan]]:
    """The lines of the closest match of all terms, by number, with the spans to highlight in each. The first is where it begins.

    Spans count the characters of a line in NFC.
    """
    joined = join_lines(texts)
    spans = [highlights(joined.text, [term], is_fuzzy=False) for term in terms]
    start, end = _closest([one for one in spans if one])
    every = [span for span in highlights(joined.text, terms, is_fuzzy=False) if start <= span[0] and span[1] <= end]
    found: dict[int, list[TextSpan]] = {}
    for number, text in enumerate(texts):
        if marked := _in_line(joined, number, every):
            indent = _indent(text)
            found[number] = [(since + indent, until + indent) for since, until in marked]
    return found or {0: highlights(unicodedata.normalize("NFC", texts[0]), terms, is_fuzzy=False)}


def _closest(spans: Sequence[Sequence[TextSpan]]) -> TextSpan:
    """The shortest part of the text with a span of each term; the first of several."""
    in_order = sorted((start, end, term) for term, several in enumerate(spans) for start, end in several)
    last: dict[int, TextSpan] = {}
    best: TextSpan | None = None
    for start, end, term in in_order:
        last[term] = (start, end)
        if len(last) == len(spans):
            here = (min(since for since, _ in last.values()), max(until for _, until in last.values()))
            if best is None or here[1] - here[0] < best[1] - best[0]:
                best = here
    return best or (0, 0)


def _in_line(joined: JoinedText, number: int, spans: Sequence[TextSpan]) -> list[TextSpan]:
    start, length = joined.starts[number], joined.lengths[number]
    cut = [(max(since - start, 0), min(until - start, length)) for since, until in spans]
    return [(since, until) for since, until in cut if since < until]


def _indent(text: str) -> int:
    normalized = unicodedata.normalize("NFC", text)
    return len(normalized) - len(normalized.lstrip())
