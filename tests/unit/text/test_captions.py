"""Captions: times as WebVTT writes them, and text that stays text."""

from uuid import UUID

import pytest

from sightline.text import merge_readings, webvtt
from support.screen_text import reading


def track(*readings):
    return webvtt(merge_readings(UUID(int=1), readings, gap_ms=300))


def test_times_have_hours_minutes_and_milliseconds():
    assert "01:02:03.045 --> 01:02:04.000" in track(reading("x", 3_723_045, 3_724_000))


def test_a_cue_never_ends_when_it_begins():
    assert "00:00:01.000 --> 00:00:01.001" in track(reading("x", 1000, 1000))


@pytest.mark.parametrize(
    ("text", "cue"), [("a\n\nb", "a b"), ("1 --> 2", "1 --&gt; 2"), ("<v Bob> & co", "&lt;v Bob&gt; &amp; co")]
)
def test_text_cannot_end_its_cue_or_become_markup(text, cue):
    assert track(reading(text, 0, 1000)) == f"WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.000\n{cue}\n"


def test_a_video_without_text_has_an_empty_track():
    assert track() == "WEBVTT\n"
