"""Questions taken apart, and what they ask of the index."""

import re
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidInput
from sightline.text import EntityType, SearchFilter
from sightline.text.search.query import PhraseTerm, SubstringTerm, SymbolTerm, WordTerm, parse_query
from sightline.text.search.request import index_queries


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Hello, World!", (WordTerm("hello"), WordTerm("world"))),
        ("hello hello", (WordTerm("hello"),)),
        ('"Exact Phrase" x', (PhraseTerm(("exact", "phrase")), WordTerm("x"))),
        ("“typographic quotes”", (PhraseTerm(("typographic", "quotes")),)),
        ('"never closed', (PhraseTerm(("never", "closed")),)),
        ("pre*", (PhraseTerm(("pre",), is_open=True),)),
        ("new-york*", (PhraseTerm(("new", "york"), is_open=True),)),
        ("*sub*", (SubstringTerm("sub"),)),
        ("*tail", (SubstringTerm("tail"),)),
        ("C++ @ada", (SymbolTerm("c++", ("c",)), SymbolTerm("@ada", ("ada",)))),
        ("9:30", (SymbolTerm("9:30", ("9", "30")),)),
        ("東京", (SubstringTerm("東京"),)),
        ("東京tower", (SubstringTerm("東京tower"),)),
        ("", ()),
    ],
)
def test_a_query_is_parsed_into_terms(text, terms):
    assert parse_query(text) == terms


def test_a_substring_query_is_one_term():
    assert parse_query('say "a b" *c', "substring") == (SubstringTerm('say "a b" *c'),)


@pytest.mark.parametrize(
    ("text", "match"), [("*ab*", "words"), ("!?", "words"), ("ab", "substring"), ("x" * 501, "words")]
)
def test_an_invalid_query_is_refused_with_the_reason(text, match):
    with pytest.raises(InvalidInput, match="^q: "):
        parse_query(text, match)


def test_too_many_words_are_refused():
    with pytest.raises(InvalidInput, match="32 words"):
        parse_query(" ".join(f"w{number}" for number in range(33)))


@given(st.text(max_size=100), st.sampled_from(["words", "substring"]))
def test_any_text_is_parsed_or_refused(text, match):
    try:
        terms = parse_query(text, match)
    except InvalidInput:
        return
    for term in terms:
        assert term.exact().keys
        assert term.loose().keys


def test_the_exact_query_comes_first_and_the_typo_query_excludes_it():
    first, second = index_queries(parse_query("invoice total"), SearchFilter(), is_fuzzy=True)
    assert first.keys == "(('winvoice' | 'cinvoice')) & (('wtotal' | 'ctotal'))"
    assert first.near is not None
    assert re.search(first.near, "the invoice, total of it")
    assert not re.search(first.near, "invoice the total")
    assert second.keys.endswith("& !((('winvoice' | 'cinvoice')) & (('wtotal' | 'ctotal')))")
    assert "'slnvolce'" in second.keys


def test_matches_that_need_a_text_check_are_excluded_by_their_text():
    _, second = index_queries(parse_query("9:30 notes"), SearchFilter(), is_fuzzy=True)
    assert "!" not in second.keys
    assert second.excluded_parts == ("%9:30%",)
    assert [bool(re.search(pattern, "my notes.")) for pattern in second.excluded_phrases] == [True]


def test_without_typos_there_is_one_index_query():
    assert len(index_queries(parse_query("invoice"), SearchFilter(), is_fuzzy=False)) == 1
    assert len(index_queries(parse_query('"phrase" pre* 12'), SearchFilter(), is_fuzzy=True)) == 1


def test_filters_become_index_keys():
    filters = SearchFilter(
        video_id=UUID(int=1), team_id=UUID(int=2), language="eng", entity_type=EntityType.HASHTAG, entity_value="AI"
    )
    (question,) = index_queries((), filters, is_fuzzy=True)
    assert question.keys == (
        "'v00000000-0000-0000-0000-000000000001' & 'g00000000-0000-0000-0000-000000000002' & 'leng' & 'ehashtag:#ai'"
    )


def test_a_search_for_nothing_is_refused():
    with pytest.raises(InvalidInput, match="say what to search for"):
        index_queries((), SearchFilter(from_ms=5), is_fuzzy=True)


def test_quotes_and_symbols_are_escaped_in_keys():
    (question,) = index_queries(parse_query("a'b\\c%d_e"), SearchFilter(), is_fuzzy=False)
    assert "'ta''b'" in question.keys
    assert "'tb\\\\c'" in question.keys
    assert question.parts == ("%a'b\\\\c\\%d\\_e%",)
