"""Merging: one segment per showing of a text, whatever else is on screen, and however it was read now and then."""

import os
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.text import Box, TextReading, TextSegment, merge_readings
from sightline.text.segments.normalize import normalize
from sightline.text.segments.runs import MIN_LETTERS_TO_JUMP, overlaps_line
from support.screen_text import PLACE, reading

VIDEO = UUID(int=1)
ELSEWHERE = Box(10, 200, 200, 30)


def merged(*readings, gap_ms=300):
    return [(one.text, one.t_start, one.t_end) for one in merge_readings(VIDEO, readings, gap_ms=gap_ms)]


@pytest.mark.req(112)
def test_one_text_in_following_frames_is_one_segment_from_first_to_last():
    assert merged(reading("Hello", 0, 700), reading("hello ", 700, 900), reading("Hello", 900, 1000)) == [
        ("Hello", 0, 1000)
    ]


@pytest.mark.req(113)
def test_interleaved_regions_are_merged_separately():
    frames = [
        one for at in (0, 100, 200) for one in (reading("A", at, at + 100), reading("B", at, at + 100, box=ELSEWHERE))
    ]
    assert merged(*frames) == [("A", 0, 300), ("B", 0, 300)]


@pytest.mark.req(113)
def test_two_showings_with_a_gap_between_them_are_two():
    assert merged(reading("A", 0, 100), reading("A", 5000, 5100)) == [("A", 0, 100), ("A", 5000, 5100)]


@pytest.mark.req(113)
def test_a_text_missed_in_one_frame_stays_one_segment():
    assert merged(reading("A line", 0, 100), reading("A line", 300, 400)) == [("A line", 0, 400)]
    assert len(merged(reading("A line", 0, 100), reading("A line", 401, 500))) == 2


def test_a_moving_text_is_one_segment():
    frames = [reading("Director", at, at + 100, box=Box(10, 500 - at // 10, 200, 30)) for at in range(0, 1000, 100)]
    assert merged(*frames) == [("Director", 0, 1000)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Room 101", "Room 102"),
        ("10:41", "10:42"),
        ("Photo 2410 of 5000", "Photo 2411 of 5000"),
        ("Page A", "Page B"),
        ("10.5", "105"),
        ("+3 °C", "-3 °C"),
        ("$50", "€50"),
    ],
)
def test_near_identical_lines_that_follow_one_another_stay_two(one, other):
    frames = [reading(one, 0, 700), reading(other, 700, 1400)]
    assert merged(*frames) == [(one, 0, 700), (other, 700, 1400)]


@pytest.mark.parametrize("misread", ["Room 1O1", "Room 10l", "Room 101.", "R0om 101", "Roorn 101"])
def test_look_alikes_at_the_same_position_are_the_same_line(misread):
    frames = [
        reading("Room 101", 0, 1000),
        reading(misread, 1000, 1200, confidence=0.7),
        reading("Room 101", 1200, 2000),
    ]
    assert merged(*frames) == [("Room 101", 0, 2000)]


@pytest.mark.parametrize("misread", ["Welcone home", "Welcome hcme", "Velcome home"])
def test_a_brief_misreading_of_a_line_is_corrected(misread):
    frames = [
        reading("Welcome home", 0, 1000),
        reading(misread, 1000, 1100, confidence=0.7),
        reading("Welcome home", 1100, 2000),
    ]
    assert merged(*frames) == [("Welcome home", 0, 2000)]


@pytest.mark.parametrize(
    "other",
    [
        reading("Welcone home", 1000, 2000, confidence=0.7),
        reading("Welcone home", 1000, 1100, confidence=0.95),
        reading("Welcone home", 1000, 1100, confidence=0.7, box=ELSEWHERE),
        reading("Welcome 2 me", 1000, 1100, confidence=0.7),
        reading("Something else", 1000, 1100, confidence=0.7),
    ],
    ids=["as long", "surer", "elsewhere", "another digit", "another text"],
)
def test_a_text_that_may_be_different_is_kept(other):
    frames = [reading("Welcome home", 0, 1000), other, reading("Welcome home", 2000, 3000)]
    assert other.text in [text for text, _, _ in merged(*frames)]


def test_of_look_alikes_the_one_with_the_most_screen_time_and_certainty_wins():
    frames = [
        reading("lnvoice 2O26", 0, 200, confidence=0.6),
        reading("Invoice 2026", 200, 2000),
        reading("Invoice 2O26", 2000, 2300),
    ]
    assert merged(*frames) == [("Invoice 2026", 0, 2300)]


def test_the_stages_of_a_line_being_typed_are_not_misreadings():
    typed = "git commit"
    frames = [
        reading(typed[:end], end * 100, end * 100 + 100, confidence=0.5 + end / 30) for end in range(4, len(typed) + 1)
    ]
    frames.append(reading(typed, 1100, 5000))
    assert ("git commit", 1000, 5000) in merged(*frames)


def test_a_segment_knows_the_frame_that_shows_it_best_and_how_often_it_was_read():
    blurred = reading("Title", 0, 100, confidence=0.6, box=Box(12, 20, 200, 30))
    sharp = reading("Title", 100, 200, confidence=0.97)
    (segment,) = merge_readings(VIDEO, [blurred, sharp], gap_ms=300)
    assert (segment.frame_ms, segment.box, segment.confidence) == (100, PLACE, 0.97)
    assert segment.readings == 2


some = settings(max_examples=1000 if os.environ.get("SIGHTLINETEST_SOAK") else 40)

_WORDS = st.sampled_from(
    ["Room 101", "Room 102", "Room 10l", "Welcome home", "Welcone home", "A", "a  ", "B", "10:41", "10.41"]
)
_PLACES = st.sampled_from([PLACE, Box(14, 22, 190, 28), ELSEWHERE, Box(400, 20, 100, 60)])


@st.composite
def _readings(draw) -> list[TextReading]:
    found = []
    for _ in range(draw(st.integers(0, 14))):
        start = draw(st.integers(0, 30)) * 100
        confidence = draw(st.sampled_from([0.6, 0.75, 0.9]))
        length = draw(st.sampled_from([100, 300, 1000]))
        found.append(TextReading(draw(_WORDS), start, start + length, confidence, draw(_PLACES)))
    return found


@pytest.mark.req(120)
@some
@given(_readings(), st.randoms())
def test_the_order_of_the_readings_does_not_matter(readings, chance):
    shuffled = list(readings)
    chance.shuffle(shuffled)
    assert merge_readings(VIDEO, shuffled, gap_ms=300) == merge_readings(VIDEO, readings, gap_ms=300)


@some
@given(_readings())
def test_segments_merged_again_stay_as_they_are(readings):
    once = merge_readings(VIDEO, readings, gap_ms=300)
    again = merge_readings(
        VIDEO, [TextReading(o.text, o.t_start, o.t_end, o.confidence, o.box) for o in once], gap_ms=300
    )
    assert sorted((o.text, o.t_start, o.t_end) for o in again) == sorted((o.text, o.t_start, o.t_end) for o in once)


@some
@given(_readings())
def test_every_reading_counts_once_and_no_text_is_invented(readings):
    segments = merge_readings(VIDEO, readings, gap_ms=300)
    assert sum(one.readings for one in segments) == len(readings)
    assert {one.text for one in segments} <= {one.text for one in readings}
    assert len({one.id for one in segments}) == len(segments)
    for one in readings:
        assert any(found.t_start <= one.t_start and one.t_end <= found.t_end for found in segments)


@some
@given(_readings())
def test_showings_of_one_text_in_one_place_are_further_apart_than_the_gap(readings):
    by_text: dict[str, list[TextSegment]] = {}
    for one in merge_readings(VIDEO, readings, gap_ms=300):
        by_text.setdefault(normalize(one.text), []).append(one)
    for showings in by_text.values():
        for number, one in enumerate(showings):
            for following in showings[number + 1 :]:
                is_apart = following.t_start - one.t_end > 300 or following.t_start < one.t_end
                # A letter or two that appear far away belong to something else.
                is_elsewhere = len(one.normalized_text) < MIN_LETTERS_TO_JUMP and not overlaps_line(
                    one.box, following.box
                )
                assert is_apart or is_elsewhere


@pytest.mark.req(785)
def test_a_digit_that_appears_where_another_counter_is_has_not_moved_there():
    home, away = Box(80, 190, 70, 76), Box(860, 190, 70, 76)
    digits = [TextReading("3", 0, 3000, 0.98, home), TextReading("3", 3000, 6000, 0.98, away)]
    found = [(one.t_start, one.t_end, one.box) for one in merge_readings(VIDEO, digits, gap_ms=300)]
    assert found == [(0, 3000, home), (3000, 6000, away)]


def test_ids_are_the_same_each_time_and_differ_between_videos():
    one = merge_readings(VIDEO, [reading("A", 0, 100)], gap_ms=300)
    assert one == merge_readings(VIDEO, [reading("A", 0, 100)], gap_ms=300)
    assert one[0].id != merge_readings(UUID(int=2), [replace(reading("A", 0, 100))], gap_ms=300)[0].id


@pytest.mark.req(707)
def test_a_text_in_several_places_at_once_is_a_segment_in_each_and_one_that_moves_is_one():
    first, second = Box(100, 100, 120, 30), Box(100, 400, 120, 30)
    cells = [TextReading("On time", at, at + 100, 0.9, box) for at in (0, 100, 200) for box in (first, second)]
    assert [(one.box, one.t_start, one.t_end) for one in merge_readings(VIDEO, cells, gap_ms=300)] == [
        (first, 0, 300),
        (second, 0, 300),
    ]
    moved = [TextReading("On time", 0, 100, 0.9, first), TextReading("On time", 100, 200, 0.8, second)]
    assert [(one.t_start, one.t_end) for one in merge_readings(VIDEO, moved, gap_ms=300)] == [(0, 200)]


@pytest.mark.req(708)
def test_what_is_seen_of_a_line_while_it_is_typed_or_moves_in_and_out_is_no_segment_of_its_own():
    row = [
        TextReading("sudo make", 0, 100, 0.9, Box(80, 300, 150, 30)),
        TextReading("sudo make inst", 100, 200, 0.9, Box(80, 300, 230, 30)),
        TextReading("sudo make install", 200, 3000, 0.9, Box(80, 300, 280, 30)),
    ]
    assert [one.text for one in merge_readings(VIDEO, row, gap_ms=300)] == ["sudo make install"]
    whole = [
        TextReading("Ferries stop until Friday", at, at + 100, 0.9, Box(900 - at // 5, 650, 400, 40))
        for at in range(1000, 4000, 100)
    ]
    cut = [
        TextReading("Ferr", 300, 400, 0.9, Box(1190, 650, 80, 40)),
        TextReading("stop until Friday", 4300, 4400, 0.9, Box(0, 650, 300, 40)),
    ]
    assert [one.text for one in merge_readings(VIDEO, [*whole, *cut], gap_ms=300)] == ["Ferries stop until Friday"]
    rooms = [
        TextReading("Room 10", 0, 2000, 0.9, Box(80, 300, 150, 30)),
        TextReading("Room 101", 2500, 5000, 0.9, Box(80, 300, 160, 30)),
    ]
    assert [one.text for one in merge_readings(VIDEO, rooms, gap_ms=300)] == ["Room 10", "Room 101"]


@pytest.mark.req(711)
def test_a_misreading_of_a_line_that_moves_is_compared_where_the_line_was_at_that_time():
    def place(number):
        return Box(10, 600 - 10 * number, 200, 30)

    frames = [reading("Ingrid Solheim", at * 100, at * 100 + 100, box=place(at)) for at in range(20)]
    misread = reading("lngrid Solheim", 2000, 2100, box=place(20), confidence=0.7)
    assert [one[0] for one in merged(*frames, misread)] == ["Ingrid Solheim"]


@pytest.mark.req(727)
def test_a_watermark_that_is_lost_now_and_then_is_one_text_with_its_whole_span():
    shown = [(0, 3000), (3900, 5000), (6200, 6600), (7000, 12000), (13500, 13800)]
    frames = [reading("WESTFIELD TV", start, end) for start, end in shown]
    assert merged(*frames) == [("WESTFIELD TV", 0, 13800)]


@pytest.mark.req(727)
@pytest.mark.parametrize(
    "again",
    [
        [reading("Chapter", 7100, 9000)],
        [reading("Chapter", 6000, 9000, box=ELSEWHERE)],
        [reading("Other words", 5200, 5800), reading("Chapter", 6000, 9000)],
        [reading("Chapter 2", 6000, 9000)],
    ],
    ids=["long break", "elsewhere", "another text in its place", "other words"],
)
def test_a_text_that_was_really_gone_is_shown_twice(again):
    assert merged(reading("Chapter", 0, 5000), *again)[0] == ("Chapter", 0, 5000)


@pytest.mark.req(728)
def test_text_that_fades_in_settles_to_its_best_reading_with_its_whole_span():
    fading = [
        reading("Sumnary of resu1ts", 0, 100, confidence=0.61),
        reading("Summary of resu1ts", 100, 200, confidence=0.7),
        reading("Summary of results", 200, 4000, confidence=0.97),
        reading("Summary of resuits", 4000, 4100, confidence=0.66),
    ]
    assert merged(*fading) == [("Summary of results", 0, 4100)]
