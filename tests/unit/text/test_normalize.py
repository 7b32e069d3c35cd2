"""The forms of a text that document 001 names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.text.segments.normalize import normalize, storable, text_hash


@pytest.mark.req(105)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello   WORLD", "hello world"),
        ("  a\tb\nc  ", "a b c"),
        ("Ligação", "ligação"),
        ("Ligac\u0327a\u0303o", "ligação"),
        ("ROOM\u00a0101", "room 101"),
        ("", ""),
    ],
)
def test_normalized_text_is_lower_case_with_single_spaces(text, expected):
    assert normalize(text) == expected


@pytest.mark.req(105)
@given(st.text(), st.text())
def test_equal_normalized_texts_have_equal_hashes_and_others_do_not(one, other):
    assert (text_hash(normalize(one)) == text_hash(normalize(other))) == (normalize(one) == normalize(other))


@given(st.text())
def test_normalizing_twice_changes_nothing(text):
    # Some capitals have no small letter of one character; the second look must not differ all the same.
    assert normalize(normalize(text)) == normalize(text)


@given(st.text())
def test_whatever_was_read_can_be_stored(text):
    kept = storable(text)
    assert "\0" not in kept
    kept.encode()
