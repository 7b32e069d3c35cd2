"""What search keeps of a segment: how it ranks, which of its words are common, which keys it has besides."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.text import merge_readings
from sightline.text.search import search_rows
from sightline.text.search.conditions import MAX_KEY_LENGTH
from sightline.text.search.search_row import MIN_SEGMENTS_OF_COMMON_WORD, weight
from sightline.text.segments import find_entities
from support.screen_text import one_after_another


def rows_of(*texts):
    segments = merge_readings(UUID(int=1), one_after_another(*texts), gap_ms=300)
    found = search_rows(segments, {one.id: find_entities(one.text) for one in segments})
    return found, {one.text: found.rows[one.id] for one in segments}


@given(st.integers(0, 500), st.floats(0, 1), st.integers(0, 100_000))
def test_less_text_more_certainty_and_more_time_weigh_more(length, confidence, duration_ms):
    here = weight(length, confidence, duration_ms)
    assert here > 0
    assert weight(length + 1, confidence, duration_ms) < here
    assert weight(length, min(1.0, confidence + 0.1), duration_ms) >= here
    assert weight(length, confidence, duration_ms + 1000) >= here


@given(st.integers(0, 500), st.floats(0, 1), st.integers(0, 100_000))
def test_the_tie_breaker_never_outweighs_a_letter(length, confidence, duration_ms):
    assert weight(length + 1, confidence, duration_ms) * 1.001 < weight(length, confidence, duration_ms)


def test_words_in_many_segments_of_a_video_are_common_there():
    found, rows = rows_of(*(f"the the line {at}" for at in range(MIN_SEGMENTS_OF_COMMON_WORD)), "the end")
    assert found.common_words == {"the": MIN_SEGMENTS_OF_COMMON_WORD + 1, "line": MIN_SEGMENTS_OF_COMMON_WORD}
    assert rows["the end"].common == ("the",)
    assert rows["the the line 0"].common == ("line", "the")


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("Ask @Ada", ("emention", "emention:@ada")),
        ("12 kg", ("enumber", "enumber:12", "enumber:12 kg", "n12", "n12 kg")),
        ("東京Tower", ("wtower",)),
        ("plain words", ()),
    ],
)
def test_tags_are_entities_and_words_inside_other_scripts(text, tags):
    assert rows_of(text)[1][text].tags == tags


def test_no_tag_is_longer_than_a_key_may_be():
    link = "https://example.com/" + "a" * 1000
    assert max(map(len, rows_of(link)[1][link].tags)) == 1 + MAX_KEY_LENGTH
