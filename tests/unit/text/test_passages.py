"""Passages: lines as one text, what is on screen together, and where in it a match begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.text.search.conditions import pair_key
from sightline.text.search.passage_hit import matched_lines
from sightline.text.search.passage_row import passage_rows
from sightline.text.search.query import parse_query
from sightline.text.segments import find_blocks, find_entities, join_lines
from sightline.text.segments.moments import MAX_REPETITION, find_moments
from unit.text.test_blocks import line


def rows_of(*lines):
    return passage_rows(lines, find_blocks(lines), {one.id: find_entities(one.text) for one in lines})


@pytest.mark.req(723)
@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["Doctor", "Who"], "Doctor Who"),
        (["an exam-", "ple of it"], "an example of it"),
        (["from 2-", "3 days"], "from 2- 3 days"),
        (["Jean-", "Luc"], "Jean- Luc"),
        (["新幹線で京", "都へ"], "新幹線で京都へ"),
        (["東京", "tower"], "東京 tower"),
        ([], ""),
    ],
)
def test_lines_are_joined_as_people_read_them(lines, text):
    assert join_lines(lines).text == text


@given(st.lists(st.text(alphabet="ab-é京 ", max_size=6), max_size=6))
def test_every_line_is_found_again_in_the_joined_text(lines):
    joined = join_lines(lines)
    for text, start, length in zip(lines, joined.starts, joined.lengths, strict=True):
        assert text.strip()[:length] == joined.text[start : start + length]


@pytest.mark.req(723)
def test_a_hit_is_the_closest_match_and_begins_in_its_line():
    lines = ["doctor of law", "and the", "new Doctor", "Who returns"]
    terms = parse_query("who doctor")
    assert matched_lines(lines, terms) == {2: [(4, 10)], 3: [(0, 3)]}
    assert matched_lines(["an exam-", "ple here"], parse_query("example")) == {0: [(3, 7)], 1: [(0, 3)]}


@pytest.mark.req(726)
def test_a_moment_is_what_is_on_screen_together():
    title = line("Accounts", 100, 50, height=60, t_end=20_000)
    first = line("income", 100, 400, t_end=8000)
    second = line("spending", 100, 400, t_start=8000, t_end=20_000)
    lines = [title, first, second]
    moments = find_moments(lines, find_blocks(lines))
    assert [[one.text for block in moment.blocks for one in block] for moment in moments] == [
        ["Accounts", "income"],
        ["Accounts", "spending"],
    ]
    assert [(moment.t_start, moment.t_end) for moment in moments] == [(0, 8000), (8000, 20_000)]


@pytest.mark.req(726)
def test_moments_of_a_page_with_many_changes_do_not_repeat_it_without_limit():
    page = [line(f"line {at} of a long page", 100, 40 * at, t_end=100_000) for at in range(20)]
    subtitles = [line(f"said {at}", 900, 900, t_start=at * 1000, t_end=at * 1000 + 1000) for at in range(100)]
    lines = [*page, *subtitles]
    moments = find_moments(lines, find_blocks(lines))
    letters = sum(len(one.text) for moment in moments for block in moment.blocks for one in block)
    assert 0 < letters <= MAX_REPETITION * sum(len(one.text) for one in lines)


def test_only_pairs_of_words_in_different_lines_are_keys_of_a_passage():
    (row,) = rows_of(line("one two", 100, 100), line("three four", 100, 140))
    assert [tag for tag in row.tags if tag[0] == "p"] == ["p" + pair_key("two", "three")]
    assert (row.folded, row.unit_starts) == ("one two three four", (1, 9))


def test_a_word_that_is_split_between_lines_is_a_key_as_a_whole_and_in_parts():
    (row,) = rows_of(line("a well-", 100, 100), line("known man", 100, 140))
    pairs = {"p" + pair_key(*pair) for pair in (("well", "known"), ("a", "wellknown"), ("wellknown", "man"))}
    assert {"hwellknown", "wwell", "wknown", *pairs} <= set(row.tags)


@pytest.mark.req(729)
def test_speech_is_joined_across_its_sentences_and_not_across_pauses():
    said = [line(f"part {at}", 0, 0, kind="speech", t_start=at * 1000, t_end=at * 1000 + 900) for at in range(10)]
    later = line("much later", 0, 0, kind="speech", t_start=60_000, t_end=61_000)
    rows = rows_of(*said, later)
    assert [row.folded for row in rows] == [
        " ".join(f"part {at}" for at in range(8)),
        " ".join(f"part {at}" for at in range(7, 10)),
    ]
