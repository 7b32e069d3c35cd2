"""What is marked in a hit is what was found."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidInput
from sightline.text.search.highlight import highlights
from sightline.text.search.query import parse_query


def marked(text, q, *, is_fuzzy=True, match="words"):
    return [text[start:end] for start, end in highlights(text, parse_query(q, match), is_fuzzy=is_fuzzy)]


@pytest.mark.parametrize(
    ("text", "q", "expected"),
    [
        ("The Invoice, and invoice", "invoice", ["Invoice", "invoice"]),
        ("Ligação perdida", "ligacao", ["Ligação"]),
        ("Straße 5", "strasse", ["Straße"]),
        ("Meetlng agenda", "meeting", ["Meetlng"]),
        ("the exact phrase here", '"exact phrase"', ["exact phrase"]),
        ("Exact, phrase", '"exact phrase"', ["Exact, phrase"]),
        ("Prefixes preform", "pre*", ["Prefixes", "preform"]),
        ("subsub", "*sub*", ["sub", "sub"]),
        ("aaaa", "*aaa*", ["aaaa"]),
        ("東京タワー", "京タ", ["京タ"]),
        ("from 9:30 to 10", "9:30", ["9:30"]),
        ("from 9.30 to 10", "9:30", ["9.30"]),
        ("nothing here", "invoice", []),
        ("ends with word  ", "word", ["word"]),
    ],
)
def test_matches_are_highlighted(text, q, expected):
    assert marked(text, q) == expected


def test_without_fuzzy_search_only_exact_words_are_highlighted():
    assert marked("Meetlng meeting", "meeting", is_fuzzy=False) == ["meeting"]


@given(st.text(max_size=60), st.text(max_size=20), st.sampled_from(["words", "substring"]))
def test_highlights_are_in_order_and_never_overlap(text, q, match):
    text = unicodedata.normalize("NFC", text)
    try:
        terms = parse_query(q, match)
    except InvalidInput:
        return
    end = 0
    for start, stop in highlights(text, terms, is_fuzzy=True):
        assert end <= start < stop <= len(text)
        end = stop
