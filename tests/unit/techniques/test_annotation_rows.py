"""Clips that people marked: both forms, and errors that name the line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidInput
from sightline.techniques import read_annotations

HEADER = "start,end,category,technique,role,confidence,reasoning\n"
ROW = "1:23,00:01:45.5,guard_play,Scissor Sweep,athlete in blue,0.7,seen well\n"


def read(text, name="clips.csv", fps=30.0):
    return read_annotations(text if isinstance(text, bytes) else text.encode(), name=name, video_fps=fps)


def test_json_and_csv_give_the_same_clips():
    from_csv = read("\ufeff" + HEADER + ROW)
    row = {"start": 83, "end": 105.5, "category": "GUARD_PLAY", "technique": "Scissor Sweep", "role": "athlete in blue"}
    from_json = read(json.dumps([row | {"confidence": 0.7, "reasoning": "seen well"}]), "clips.json")
    assert from_csv == from_json
    (clip,) = from_csv.clips
    assert (clip.start_frame, clip.end_frame, clip.category, clip.confidence) == (2490, 3165, "GUARD_PLAY", 0.7)


def test_frame_numbers_count_at_the_rate_of_the_file():
    row = {"start_frame": 10, "end_frame": 20, "category": "GUARD_PLAY", "technique": "Sweep", "role": "a"}
    found = read(json.dumps({"fps": 25, "match_summary": "A close match", "clips": [row]}), "clips.json", fps=None)
    assert (found.fps, found.match_summary, found.clips[0].end_frame, found.clips[0].confidence) == (
        25.0,
        "A close match",
        20,
        1.0,
    )


def test_times_without_a_known_rate_are_kept_to_the_millisecond():
    found = read(HEADER + ROW, fps=None)
    assert (found.fps, found.clips[0].start_frame, found.clips[0].end_frame) == (1000.0, 83_000, 105_500)


def test_clips_are_put_in_order():
    later, earlier = ROW, ROW.replace("1:23", "0:10")
    assert [clip.start_frame for clip in read(HEADER + later + earlier).clips] == [300, 2490]


def test_every_invalid_line_is_named():
    lines = [
        ROW,
        ROW.replace("1:23", "soon"),
        ROW.replace("0.7", "much"),
        ROW.replace("Scissor Sweep", ""),
        "1,2\n",
        ROW,
        ROW.strip() + ",more\n",
        ROW.replace("1:23", "9:99"),
        ROW.replace("1:23", "3:00"),
        ROW.replace("0.7", "nan"),
    ]
    with pytest.raises(InvalidInput) as caught:
        read(HEADER + "".join(lines))
    assert [one["where"] for one in caught.value.details["errors"]] == [
        f"line {number}" for number in (3, 4, 5, 6, 8, 9, 10, 11)
    ]
    assert "line 3: start: 'soon' is not a number" in caught.value.message
    assert "line 10: it ends before it starts" in caught.value.message


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("", "clips.csv", "line 1: no header"),
        (b"\xff\xfe", "clips.csv", "not UTF-8 at byte 0"),
        ("a\0b", "clips.csv", "NUL"),
        ('start,end\n"1,2', "clips.csv", "line 2"),
        ("{", "clips.json", "not JSON"),
        ("3", "clips.json", "neither a list"),
        ('{"fps": 0, "clips": []}', "clips.json", "fps must be above 0"),
        ('{"fps": true, "clips": []}', "clips.json", "fps: a number"),
        ("[3]", "clips.json", "clip 1: not an object"),
        ('[{"start": 1, "color": "red"}]', "clips.json", "clip 1: unknown field color"),
        ('[{"start": 1, "start_frame": 3}]', "clips.json", "one of start and start_frame"),
        ('[{"start": -1}]', "clips.json", "start: -1 is not a time"),
        ('[{"start_frame": 1.5, "end_frame": 2}]', "clips.json", "start_frame: 1.5"),
        ("[" * 100_000, "clips.json", "not JSON"),
    ],
)
def test_an_invalid_file_is_refused_with_the_reason(text, name, said):
    with pytest.raises(InvalidInput, match=said):
        read(text, name)


def test_frame_numbers_need_a_known_rate():
    with pytest.raises(InvalidInput, match="the frame rate is not known"):
        read('[{"start_frame": 1, "end_frame": 2}]', "clips.json", fps=None)


def test_only_the_first_errors_are_listed():
    with pytest.raises(InvalidInput, match="and 80 more"):
        read(HEADER + "x,2,c,t,r,1,\n" * 100)


@given(st.text(max_size=200), st.sampled_from(["clips.csv", "clips.json"]))
def test_any_text_is_read_or_refused_and_nothing_else(text, name):
    refusal = None
    try:
        read(text.encode("utf-8", "replace"), name)
    except InvalidInput as error:
        refusal = error
    assert refusal is None or refusal.message.startswith(name)
