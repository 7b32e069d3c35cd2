"""Slips: words that may be one another, misread or mistyped by a letter."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sightline.text.segments import is_typo, typo_keys

LETTERS = "acdegmnoprtuw"  # none of which is made to look like another


@pytest.mark.req(133)
@given(st.text(LETTERS, min_size=4, max_size=12), st.data())
def test_one_letter_wrong_missing_added_or_swapped_is_a_typo(word, data):
    at = data.draw(st.integers(0, len(word) - 2))
    letter = data.draw(st.sampled_from(LETTERS))
    for other in (
        word[:at] + letter + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    ):
        assume("rn" not in word + other)
        if len(other) >= 4:
            assert is_typo(word, other)
            assert is_typo(other, word)


@pytest.mark.parametrize(
    ("one", "other"),
    [("r00m", "room"), ("1nvoice", "invoice"), ("rnodern", "modern"), ("vvest", "west"), ("bl0g5", "blogs")],
)
def test_look_alikes_are_typos(one, other):
    assert is_typo(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("101", "102"),
        ("2024", "2025"),
        ("to", "so"),
        ("cat", "car"),
        ("meeting", "mooting"),
        ("invoice", "voice"),
        ("東京", "東北"),
    ],
)
def test_numbers_short_words_and_two_wrong_letters_are_not_typos(one, other):
    assert not is_typo(one, other)


def test_very_long_words_have_few_keys():
    assert len(typo_keys("x" * 10_000)) == 1
    assert typo_keys("") == frozenset()
