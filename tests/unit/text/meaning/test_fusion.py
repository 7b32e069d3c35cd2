"""Reciprocal rank fusion, and the order of hits by words and by meaning."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.text.meaning.fusion import fuse
from sightline.text.meaning.hybrid import FoundPassage, in_one_order, is_plain, without_repeats
from sightline.text.search import HitRow, SearchHit
from sightline.text.segments import Box


def row(number, text="some text", video=1):
    return HitRow(
        id=UUID(int=number),
        video_id=UUID(int=video),
        video_name="a.mp4",
        duration_ms=None,
        s3_thumb_path=None,
        text=text,
        t_start=0,
        t_end=1000,
        confidence=0.9,
        box=Box(0, 0, 10, 10),
        language="eng",
        frame_ms=0,
        kind="text",
    )


def word_hit(number, found_as):
    return SearchHit(row(number), "some text", [], found_as)


def passage(*numbers, similarity=0.5, text="some text"):
    return FoundPassage(tuple(row(number, text) for number in numbers), similarity)


@pytest.mark.req(737)
def test_what_is_in_two_orders_comes_before_what_is_in_one():
    assert fuse(["a", "b", "c"], ["c", "d"]) == ["c", "a", "b", "d"]
    assert fuse(["a"], ["b"]) == ["a", "b"]
    assert fuse([], []) == []


numbers = st.lists(st.integers(1, 30), unique=True, max_size=12)


@pytest.mark.req(737)
@given(exact=numbers, slips=numbers, near=st.lists(st.lists(st.integers(1, 60), min_size=1, max_size=3, unique=True)))
def test_exact_hits_are_first_in_their_order_and_nothing_is_lost_or_doubled(exact, slips, near):
    slips = [one for one in slips if one not in exact]
    words = [word_hit(one, "exact") for one in exact] + [word_hit(one, "slip") for one in slips]
    taken: set[int] = set()
    passages = []
    for ids in near:  # a segment is in one passage
        if not taken & set(ids):
            taken |= set(ids)
            passages.append(passage(*ids))
    found = in_one_order(words, passages, "some words")
    assert found[: len(exact)] == words[: len(exact)]
    ids = [one.key if isinstance(one, FoundPassage) else one.row.id for one in found]
    by_slip = [one for one in found if isinstance(one, SearchHit) and one.found_as == "slip"]
    assert {hit.row.id.int for hit in by_slip} == set(slips)
    assert len(set(ids)) == len(ids)
    by_words = set(exact) | set(slips)
    new = [one for one in passages if not by_words & {line.id.int for line in one.rows}]
    assert sum(isinstance(one, FoundPassage) for one in found) == min(len(new), 50)


@pytest.mark.req(737)
def test_passages_with_rare_words_of_the_query_come_before_equally_near_ones():
    near = [
        passage(1, text="the garden is open"),
        passage(2, text="the park is open"),
        passage(3, text="the park opens at nine on Whitsun"),
    ]
    assert in_one_order([], near, "is it open on Whitsun")[0] == near[2]


def test_a_slide_that_is_shown_again_is_one_hit():
    twice = [passage(1, text="Agenda"), passage(2, text="agenda"), passage(3, text="Budget")]
    assert [one.key.int for one in without_repeats(twice)] == [1, 3]


@pytest.mark.parametrize(
    ("q", "plain"),
    [("how to bake bread", True), ('"bake bread"', False), ("bak*", False), ("12:30", False), ("", False)],
)
def test_quotes_and_asterisks_are_not_searched_by_meaning(q, plain):
    assert is_plain(q) is plain
