"""Operators of the search box, taken apart and written again."""

from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidInput
from sightline.text.search.operators import HIT_KINDS, OPERATORS, BoxQuery, Wording, parse_box
from sightline.text.search.query import MAX_QUERY_LENGTH, PhraseTerm, SymbolTerm, WordTerm

word, phrase = Wording, lambda text: Wording(text, is_phrase=True)


@pytest.mark.req(746)
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ('invoice "due now"', BoxQuery(words=(word("invoice"), phrase("due now")))),
        ("invoice -draft", BoxQuery(words=(word("invoice"),), excluded=(word("draft"),))),
        ('invoice -"not final"', BoxQuery(words=(word("invoice"),), excluded=(phrase("not final"),))),
        ("said:hello", BoxQuery(said=(word("hello"),))),
        ("SHOWN:“good day”", BoxQuery(shown=(phrase("good day"),))),
        ('in:"my talk.mp4" x', BoxQuery(words=(word("x"),), videos=(phrase("my talk.mp4"),))),
        ("tag:a tag:b", BoxQuery(tags=(word("a"), word("b")))),
        ("kind:said kind:link", BoxQuery(kinds=("speech", "url"))),
        ("before:2026-03-01 after:2025", BoxQuery(before=date(2026, 3, 1), after=date(2025, 1, 1))),
        ("after:2026-2", BoxQuery(after=date(2026, 2, 1))),
        ('said:"never closed', BoxQuery(said=(phrase("never closed"),))),
        ("   ", BoxQuery()),
    ],
)
def test_operators_are_taken_out_of_a_query(text, query):
    assert parse_box(text) == query
    assert parse_box(str(query)) == query


@pytest.mark.req(746)
@pytest.mark.parametrize(
    "text",
    [
        "9:30",
        "C++",
        "foo:bar",
        "https://example.com/a?b=c",
        "-5",
        "--help",
        "a-b",
        "16:9 @ada",
        '"said:hello"',
        "intag:x",
    ],
)
def test_what_is_no_operator_is_searched_as_text(text):
    found = parse_box(text)
    assert found.plain == text
    assert not found.has_operators


@pytest.mark.req(746)
def test_terms_of_symbols_are_those_of_the_plain_parser():
    assert parse_box("9:30 C++").terms() == (SymbolTerm("9:30", ("9", "30")), SymbolTerm("c++", ("c",)))
    assert parse_box('hi said:"good day"').terms() == (WordTerm("hi"), PhraseTerm(("good", "day")))
    assert parse_box("-Draft").excluded_terms() == (WordTerm("draft"),)


@pytest.mark.req(746)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("said:", "said: needs a value, such as said:invoice"),
        ('tag:""', "tag: needs a value"),
        ("before:dark", "before: 'dark' is no date; use 2026-03-01"),
        ("after:2026-02-30", "is no date"),
        ("after:0001", "the year must be from 1900"),
        ("kind:smell", "kind: 'smell' is unknown; use one of text, speech"),
        ("-tag:x", "-tag: cannot be used"),
        ("said:a shown:b", "either said or shown"),
        ("said:a kind:video", "either said or shown"),
        ("x" * (MAX_QUERY_LENGTH + 1), "at most 500 characters"),
        (" ".join(f"w{number}" for number in range(33)), "at most 32 words"),
    ],
)
def test_a_wrong_operator_says_what_to_write_instead(text, message):
    with pytest.raises(InvalidInput, match="^q: ") as refused:
        parse_box(text)
    assert message in refused.value.message


@pytest.mark.req(746)
def test_kinds_choose_which_hits_are_found():
    everything = set(HIT_KINDS)
    for text, kinds in {
        "a": everything,
        "said:a": {"speech"},
        "kind:text a": {"text"},
        "kind:camera a": {"camera"},
        "kind:video kind:speech a": {"video", "speech"},
        "kind:number": {"text", "speech"},
    }.items():
        assert {kind for kind in everything if parse_box(text).finds(kind)} == kinds, text
    assert parse_box("kind:speech a").segment_kind == "speech"
    assert parse_box("kind:speech kind:text a").segment_kind is None


_TOKENS = st.sampled_from(
    [
        *(f"{name}:" for name in OPERATORS),
        "-",
        '"',
        "“",
        " ",
        "  ",
        "a",
        "B c",
        "9:30",
        "2026-03",
        "speech",
        "video",
        "*",
        ":",
        "é",
    ]
)


@pytest.mark.req(746)
@given(st.one_of(st.text(max_size=60), st.lists(_TOKENS, max_size=12).map("".join)))
def test_any_query_is_refused_or_written_again_as_the_same(text):
    try:
        found = parse_box(text)
    except InvalidInput:
        return
    written = str(found)
    if len(written) <= MAX_QUERY_LENGTH:
        assert parse_box(written) == found
    with suppress(InvalidInput):  # a term may have no word
        found.terms()
    with suppress(InvalidInput):
        found.excluded_terms()
