"""The messages of document 000, field by field, and which clips become one."""

import json
import math
from itertools import pairwise
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.contracts.technique_events import (
    Category,
    candidate_id,
    clock_seconds,
    clock_time,
    event_id,
    is_event_id,
    parse_event_index,
    parse_technique,
)
from sightline.errors import InvalidInput
from sightline.techniques.clip import check_clips, clock_at, event_message_of
from sightline.techniques.merge import merge_near
from support.technique_rig import clip, complete_message, event_message

VIDEO, JOB = uuid4(), str(uuid4())


@pytest.mark.req(8)
@pytest.mark.parametrize(
    ("frame", "fps", "shown"),
    [
        (0, 30, "00:00:00"),
        (29, 30, "00:00:00"),
        (30, 30, "00:00:01"),
        (round(3661.9 * 100), 100, "01:01:01"),
        (90000, 25, "01:00:00"),
        (100 * 3600 * 30, 30, "100:00:00"),
    ],
)
def test_times_are_whole_seconds_on_the_clock(frame, fps, shown):
    assert clock_at(frame, fps) == shown


@pytest.mark.req(9)
@pytest.mark.parametrize("fps", [0, -1, math.nan, math.inf, -math.inf])
def test_an_invalid_frame_rate_gives_time_zero(fps):
    assert clock_at(5000, fps) == "00:00:00"


@given(st.integers(0, 359_999))
def test_the_clock_is_read_as_it_is_written(seconds):
    assert clock_seconds(clock_time(seconds)) == seconds


@pytest.mark.req(5, 7, 10, 11)
def test_an_event_has_exactly_the_documents_fields_and_attributes():
    body, attributes = event_message(VIDEO, JOB, 3, 12)
    found = json.loads(body)
    assert list(found) == ["id", "video_id", "start_time", "end_time", "event_candidates"]
    (candidate,) = found["event_candidates"]
    assert list(candidate) == ["id", "role", "skill_name", "category", "confidence"]
    assert {UUID(found["id"]).version, UUID(candidate["id"]).version} == {5}
    assert found["video_id"] == str(VIDEO)
    assert (found["start_time"], found["end_time"]) == ("00:00:10", "00:00:11")
    assert candidate["confidence"] == 0.85
    assert {name: (one.data_type, one.value) for name, one in attributes.items()} == {
        "event_type": ("String", "bjj_event_detected"),
        "category": ("String", candidate["category"]),
        "event_index": ("Number", "3"),
        "total_events": ("Number", "12"),
    }


@pytest.mark.req(14, 15)
def test_a_completion_has_exactly_the_documents_fields_and_one_attribute():
    body, attributes = complete_message(VIDEO, JOB, 0)
    assert json.loads(body) == {
        "video_id": str(VIDEO),
        "job_id": JOB,
        "total_event_count": 0,
        "result_s3_uri": None,
    }
    assert {name: (one.data_type, one.value) for name, one in attributes.items()} == {
        "event_type": ("String", "analysis_complete")
    }


@pytest.mark.req(17)
def test_ids_are_made_of_job_and_index():
    assert event_id(JOB, 1) == event_id(JOB, 1)
    ids = [make(job, index) for make in (event_id, candidate_id) for job in (JOB, "j") for index in range(1, 200)]
    assert len(set(ids)) == len(ids)
    # Whoever stored events by id knows them again after an upgrade.
    assert event_id("job", 1) == UUID("786f93eb-8af9-53bb-b0ff-08aaae8c76db")


@given(st.text(max_size=20), st.integers(1, 10**6), st.integers(1, 10**6), st.uuids())
def test_an_id_is_known_by_its_job_and_index_and_by_nothing_else(job, index, other, stranger):
    assert is_event_id(event_id(job, index), job, index)
    assert is_event_id(event_id(job, other), job, index) == (other == index)
    assert not is_event_id(event_id(job + "x", index), job, index)
    assert not is_event_id(stranger, job, index)


@pytest.mark.req(12, 13)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"category": "COOKING"}, "unknown category 'COOKING'"),
        ({"category": "guard_play"}, "unknown category 'guard_play'"),
        ({"category": None}, "no category"),
        ({"category": ""}, "no category"),
        ({"confidence": 1.01}, "confidence 1.01"),
        ({"confidence": -0.1}, "confidence -0.1"),
        ({"confidence": math.nan}, "confidence nan"),
        ({"start_frame": -1}, "not a valid range"),
        ({"end_frame": 1}, "not a valid range"),
    ],
)
def test_invalid_clips_are_left_out_with_the_reason(change, reason):
    found = check_clips([clip(1), clip(2, **change), clip(3, confidence=0.0), clip(4, confidence=1)])
    assert [one.start_frame for one in found.kept] == [100, 300, 400]
    (left,) = found.left_out
    assert reason in left.reason


@pytest.mark.req(12)
def test_each_of_the_six_categories_is_published():
    clips = [clip(number, category=category.value) for number, category in enumerate(Category, start=1)]
    assert len(check_clips(clips).kept) == 6


def test_control_characters_of_a_model_do_not_reach_the_message():
    found = event_message_of(clip(1, role="a\0b\x1bc\n"), video_id=VIDEO, job_id=JOB, index=1, fps=30)
    assert found.event_candidates[0].role == "a b c"
    assert parse_technique(found.model_dump_json()) == found


@pytest.mark.req(53)
@pytest.mark.parametrize(("gap", "count"), [(-20, 1), (0, 1), (29, 1), (30, 2), (31, 2)])
def test_clips_of_one_category_that_nearly_touch_are_merged(gap, count):
    first = clip(1, start_frame=0, end_frame=100, confidence=0.4, role="a")
    second = clip(2, start_frame=100 + gap, end_frame=300, confidence=0.9, role="b")
    merged = merge_near([second, first])
    assert len(merged) == count
    if count == 1:
        assert (merged[0].start_frame, merged[0].end_frame) == (0, 300)
        assert (merged[0].role, merged[0].confidence, merged[0].specific_technique) == ("b", 0.9, "Sweep 2")


@pytest.mark.req(53)
def test_a_clip_within_another_does_not_shorten_it_and_categories_stay_apart():
    whole = clip(1, start_frame=0, end_frame=500)
    inside = clip(2, start_frame=100, end_frame=200, confidence=0.99)
    other = clip(3, start_frame=100, end_frame=200, category="STANDUP_GAME")
    found = merge_near([whole, inside, other])
    assert [(one.start_frame, one.end_frame, one.category) for one in found] == [
        (0, 500, "GUARD_PLAY"),
        (100, 200, "STANDUP_GAME"),
    ]


@pytest.mark.req(53)
@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 200), st.sampled_from("AB")), max_size=12))
def test_merged_clips_cover_the_same_frames_and_are_apart(spans):
    clips = [clip(start_frame=start, end_frame=start + length, category=name) for start, length, name in spans]
    merged = merge_near(clips)
    assert merge_near(merged) == merged
    for one in clips:
        assert any(
            other.category == one.category and other.start_frame <= one.start_frame and one.end_frame <= other.end_frame
            for other in merged
        )
    for name in "AB":
        own = [one for one in merged if one.category == name]
        assert all(later.start_frame - earlier.end_frame >= 30 for earlier, later in pairwise(own))


@pytest.mark.req(5)
@pytest.mark.parametrize(
    ("index", "total", "found"),
    [
        ("1", "1", (1, 1)),
        ("7", "100000", (7, 100_000)),
        ("1.0", "02", (1, 2)),
        ("2147483647", "2147483647", (2**31 - 1,) * 2),
    ],
)
def test_index_and_total_are_parsed_in_every_number_format(index, total, found):
    assert parse_event_index(index, total) == found


@pytest.mark.parametrize(
    ("index", "total", "field"),
    [
        *(
            (None, "1", "event_index"),
            ("1", None, "total_events"),
            ("0", "1", "event_index"),
            ("1", "0", "total_events"),
        ),
        *(("-1", "1", "event_index"), ("x", "1", "event_index"), ("", "1", "event_index"), ("1.5", "2", "event_index")),
        *(("2147483648", "1", "event_index"), ("1", "9" * 30, "total_events"), ("\u0663", "1", "event_index")),
    ],
)
def test_an_invalid_index_or_total_is_refused_and_named(index, total, field):
    with pytest.raises(InvalidInput, match=f"attributes: {field}"):
        parse_event_index(index, total)
