"""Text of strangers on one line of bounded length."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.notifications.mail.plain_text import one_line, shorten, storable

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
FLAG = "🇧🇷"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("aula.mp4", "aula.mp4"),
        ("a\r\nb\tc\x00d\x1b[31me\x85f", "a b c d [31me f"),
        ("  two   spaces ", "two spaces"),
        ("one\u2028two\u2029three", "one two three"),
        ("evil\u202egpj.exe", "evilgpj.exe"),
        ("\ud800lone", "\ufffdlone"),
        (f"{FAMILY} {FLAG}", f"{FAMILY} {FLAG}"),
        ("الدرس ١.mp4", "\u2068الدرس ١.mp4\u2069"),
        ("שיעור", "\u2068שיעור\u2069"),
    ],
)
def test_a_line_keeps_what_can_be_read(given: str, shown: str):
    assert one_line(given, max_length=80) == shown


@pytest.mark.parametrize(
    ("given", "max_length", "cut"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("abcd efg", 6, "abcd…"),
        ("abcde\u0301fgh", 6, "abcd…"),
        (f"abcdef{FAMILY}", 10, "abcdef…"),
        (f"abc{FLAG}{FLAG}", 6, f"abc{FLAG}…"),
        (f"abcd{FLAG}{FLAG}", 6, "abcd…"),
        ("abcd👍🏽xyz", 6, "abcd…"),
    ],
)
def test_cutting_leaves_no_half_characters(given: str, max_length: int, cut: str):
    assert shorten(given, max_length=max_length) == cut


def test_a_tower_of_accents_is_cut_all_the_same():
    assert shorten("e" + "\u0301" * 100, max_length=20) == "e" + "\u0301" * 9 + "…"


@given(text=st.text(), max_length=st.integers(2, 40))
def test_no_text_breaks_the_line_or_the_limit(text: str, max_length: int):
    found = one_line(text, max_length=max_length)
    inner = found.removeprefix("\u2068").removesuffix("\u2069")
    assert len(inner) <= max_length
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in inner)
    assert not set(inner) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    found.encode()


@given(text=st.text())
def test_text_that_a_database_can_keep_stays_as_it_is(text: str):
    assert storable(text, max_length=1000) == text.replace("\0", "\ufffd")[:1000]
