"""Which streams are copied and which are transcoded."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.media.input.probe import MediaInfo
from sightline.media.stream.stream_plan import fit_size, plan_stream, without_copying

USUAL = MediaInfo(
    container="mov",
    duration_s=60.0,
    origin_s=0.0,
    codec="h264",
    profile="High",
    pixel_format="yuv420p",
    width=1920,
    height=1080,
    pixel_aspect=(1, 1),
    orientation="UPRIGHT",
    fps=30.0,
    is_interlaced=False,
    is_hdr=False,
    pictures=1,
    sounds=1,
    sound_codec="aac",
    keyframe_gap_s=2.0,
    max_frame_duration_s=0.04,
    has_hidden_start=False,
)


def test_what_every_browser_plays_is_copied_at_its_own_size():
    plan = plan_stream(USUAL, max_height=720)
    assert plan.copies_picture
    assert plan.copies_sound
    assert plan.reasons == ()
    assert (plan.width, plan.height) == (1920, 1080)


@pytest.mark.parametrize("fps", [23.976, 59.94, 60.0, 60.02])
def test_up_to_sixty_pictures_a_second_are_copied(fps):
    assert plan_stream(replace(USUAL, fps=fps), max_height=720).copies_picture


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"codec": "hevc"}, "codec hevc"),
        ({"profile": "High 10"}, "profile High 10"),
        ({"pixel_format": "yuv422p"}, "pixel format yuv422p"),
        ({"orientation": "TURN_CLOCKWISE"}, "turned"),
        ({"pixel_aspect": (4, 3)}, "not square"),
        ({"is_interlaced": True}, "interlaced"),
        ({"pictures": 2}, "2 video streams"),
        ({"fps": 120.0}, "120.0 frames per second"),
        ({"fps": None}, "unknown frames per second"),
        ({"keyframe_gap_s": 10.5}, "10.5 s between key frames"),
        ({"max_frame_duration_s": 3.0}, "stands for 3.0 s"),
        ({"has_hidden_start": True}, "hidden pictures"),
    ],
)
def test_anything_else_is_transcoded_with_the_reason(changes, reason):
    plan = plan_stream(replace(USUAL, **changes), max_height=720)
    assert not plan.copies_picture
    assert reason in plan.reasons[0]
    assert min(plan.width, plan.height) == 720


def test_sound_is_judged_for_itself():
    plan = plan_stream(replace(USUAL, sound_codec="opus"), max_height=720)
    assert plan.copies_picture
    assert not plan.copies_sound


def test_a_copy_that_turned_out_impossible_is_given_up_for_that_stream_alone():
    plan = plan_stream(USUAL, max_height=720)
    without_sound = without_copying(plan, "odd sound", USUAL, is_sound=True, max_height=720)
    assert without_sound.copies_picture
    assert not without_sound.copies_sound
    without_picture = without_copying(plan, "no key frame", USUAL, is_sound=False, max_height=720)
    assert not without_picture.copies_picture
    assert without_picture.copies_sound
    assert (without_picture.width, without_picture.height) == (1280, 720)
    assert without_picture.reasons == ("no key frame",)


def test_upright_pictures_are_measured_by_their_width():
    turned = replace(USUAL, orientation="TURN_CLOCKWISE")
    assert turned.shown_size == (1080, 1920)
    plan = plan_stream(turned, max_height=720)
    assert (plan.width, plan.height) == (720, 1280)


def test_pixels_that_are_not_square_become_so():
    assert replace(USUAL, width=720, height=576, pixel_aspect=(16, 15)).shown_size == (768, 576)
    turned = replace(USUAL, width=720, height=576, pixel_aspect=(16, 15), orientation="TURN_CLOCKWISE")
    assert turned.shown_size == (576, 768)


@given(st.integers(1, 8000), st.integers(1, 8000), st.integers(144, 2160))
def test_sizes_are_even_and_never_larger_than_allowed(width, height, largest):
    found = fit_size((width, height), largest)
    assert all(side % 2 == 0 and side >= 16 for side in found)
    assert min(found) <= max(16, largest + 1)
    assert min(found) <= max(16, min(width, height) + 1)
