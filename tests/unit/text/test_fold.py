"""Folding: what a person who searches calls the same is the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.text.segments import SEPARATORS, fold, fold_with_offsets, words_of
from sightline.text.segments.fold import MAX_FOLDED_LENGTH


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ligação  É", "ligacao e"),
        ("Ligac\u0327a\u0303o", "ligacao"),
        ("Straße", "strasse"),
        ("ﬁne ＡＢＣ ①", "fine abc 1"),
        ("“Quotes” – it’s", '"quotes" - it\'s'),
        ("Żółć ØÆ İı", "zolc oae ii"),
        ("が か", "が か"),
        ("한국어", "한국어"),
        ("København", "kobenhavn"),
        ("مُحَمَّدٌ أحمد", "محمد احمد"),
        ("שָׁלוֹם", "שלום"),
        ("हिन्दी", "हिन्दी"),
        ("a\u200bb\u00adc", "abc"),
        ("party🎉time", "party 🎉 time"),
        (" \t\n ", ""),
    ],
)
def test_case_accents_width_and_typography_are_folded_away(text, folded):
    assert fold(text) == folded


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_each_folded_letter_knows_where_it_came_from(text):
    folded, offsets = fold_with_offsets(text)
    assert len(folded) == len(offsets)
    assert offsets == sorted(offsets)
    assert all(0 <= at < len(text) for at in offsets)


@given(st.text(alphabet=SEPARATORS + " ab"))
def test_words_contain_no_separators(text):
    for word in words_of(fold(text)):
        assert not set(word) & set(SEPARATORS + " ")


def test_long_text_is_folded_up_to_a_limit():
    assert len(fold("ab " * 10_000)) <= MAX_FOLDED_LENGTH
