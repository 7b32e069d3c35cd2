"""Numbers in queries: found by value, however they are written."""

import re

import pytest

from sightline.text.search.number_term import NumberTerm, number_term
from sightline.text.search.query import PhraseTerm, SymbolTerm, WordTerm, parse_query
from sightline.text.segments import find_entities, fold, number_keys


def keys(text):
    (found,) = find_entities(text)
    return set(number_keys(found.value, found.normalized_value))


@pytest.mark.req(730)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$1,249.50", {"1249.5", "1249.5 usd"}),
        ("1.249,50 €", {"1249.5", "1249.5 eur"}),
        ("CHF 12'500.00", {"12500", "12500 chf"}),
        ("29.5 %", {"29.5", "29.5 %"}),
        ("+49 30 5557 0192", {"493055570192"}),
        ("1.249", {"1.249", "1249"}),
        ("1,249", {"1.249", "1249"}),
        ("$2.4 million", {"2.4", "2400000", "2.4 usd", "2400000 usd"}),
        ("$3m", {"3", "3000000", "3 usd", "3000000 usd"}),
        ("3 m", {"3", "3 m"}),
        ("9:30", set()),
        ("2026-01-31", set()),
        ("007", {"007"}),
    ],
)
def test_a_number_has_the_keys_of_its_values(text, expected):
    assert keys(text) == expected


@pytest.mark.parametrize(
    ("q", "terms"),
    [
        ("1249.50", (NumberTerm("1249.50", "1249.5"),)),
        ("$1,249.50", (NumberTerm("$1,249.50", "1249.5", "usd"),)),
        ("+49 30 5557 0192", (NumberTerm("+49 30 5557 0192", "493055570192"),)),
        ("1 249,50 €", (NumberTerm("1 249,50 €", "1249.5", "eur"),)),
        ("29.5%", (NumberTerm("29.5%", "29.5", "%"),)),
        ("room 12", (WordTerm("room"), WordTerm("12"))),
        ("2026", (NumberTerm("2026", "2026"),)),
        ("9:30", (SymbolTerm("9:30", ("9", "30")),)),
        ('"1249.50"', (PhraseTerm(("1249", "50")),)),
        ("h264", (WordTerm("h264"),)),
    ],
)
def test_a_term_that_is_a_number_is_searched_by_value(q, terms):
    assert parse_query(q) == terms


@pytest.mark.parametrize(
    ("q", "text", "marked"),
    [
        ("1249.50", "Total: $1,249.50!", "1,249.50"),
        ("1249.5", "1.249,50 €", "1.249,50"),
        ("+493055570192", "call +49 30 5557 0192 now", "49 30 5557 0192"),
        ("29.5", "29.5% more", "29.5"),
        ("1249", "11249", None),
        ("1249.5", "1249.51", None),
    ],
)
def test_the_number_is_marked_as_it_is_written(q, text, marked):
    term = number_term(fold(q))
    assert term is not None
    found = re.search(term.pattern(), fold(text))
    assert (found and found[2]) == marked
