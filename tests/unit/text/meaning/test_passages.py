"""Which lines and sentences are one passage."""

from uuid import UUID

import pytest

from sightline.text.meaning.passages import has_words, passages_of
from sightline.text.segments import Box, TextSegment


def line(text, *, at=0, until=4000, x=100, y=100, height=30, kind="text", language="eng"):
    number = abs(hash((text, at, x, y))) % 10**12
    return TextSegment(
        id=UUID(int=number),
        video_id=UUID(int=1),
        text=text,
        normalized_text=text.lower(),
        t_start=at,
        t_end=until,
        confidence=0.9,
        box=Box(x, y, 300, height),
        language=language,
        frame_ms=at,
        readings=1,
        kind=kind,
    )


def texts(*segments):
    return sorted(one.text for one in passages_of(segments))


@pytest.mark.req(736)
def test_lines_below_each_other_that_are_shown_together_are_one_passage():
    assert texts(line("second line", y=140), line("first line")) == ["first line\nsecond line"]


@pytest.mark.req(736)
@pytest.mark.parametrize(
    "other",
    [
        line("other words", y=400),  # far below
        line("other words", x=600, y=140),  # in another column
        line("other words", y=150, height=80),  # a heading
        line("other words", y=140, at=3900, until=9000),  # shown when the first one goes
        line("other words " * 30, y=140),  # more than a passage holds
    ],
)
def test_lines_that_do_not_belong_together_are_passages_of_their_own(other):
    assert texts(line("first line"), other) == sorted(["first line", other.text])


@pytest.mark.req(736)
def test_columns_are_read_one_by_one():
    left = [line(f"left {word}", y=100 + 40 * n) for n, word in enumerate(("one", "two"))]
    right = [line(f"right {word}", x=500, y=100 + 40 * n) for n, word in enumerate(("one", "two"))]
    assert texts(*left, *right) == ["left one\nleft two", "right one\nright two"]


@pytest.mark.req(736)
def test_sentences_that_follow_each_other_are_one_passage_until_a_pause():
    said = [
        line("We begin with bread.", at=0, until=2000, kind="speech"),
        line("It needs flour.", at=2200, until=3000, kind="speech"),
        line("Now to the soup.", at=9000, until=9900, kind="speech"),
        line("Jetzt auf Deutsch.", at=10_000, until=11_000, kind="speech", language="deu"),
    ]
    assert texts(*said) == ["Jetzt auf Deutsch.", "Now to the soup.", "We begin with bread.\nIt needs flour."]


@pytest.mark.req(736)
def test_long_speech_is_cut_into_passages():
    said = [line(f"Sentence {n} " + "word " * 15, at=n * 1000, until=n * 1000 + 900, kind="speech") for n in range(10)]
    found = passages_of(said)
    assert all(len(one.text) < 260 for one in found)
    assert sum(len(one.segments) for one in found) == 10


@pytest.mark.parametrize(
    ("text", "has"), [("12:30", False), ("A B", False), ("$ 5", False), ("Open", True), ("12 apples", True)]
)
def test_numbers_and_signs_mean_nothing(text, has):
    assert has_words(text) is has
    assert bool(passages_of([line(text)])) is has


@pytest.mark.req(740)
def test_the_id_of_a_passage_changes_with_its_text_and_model():
    (passage,), (other,) = passages_of([line("first line")]), passages_of([line("other line")])
    assert passage.id("a") == passage.id("a")
    assert len({passage.id("a"), passage.id("b"), other.id("a")}) == 3
