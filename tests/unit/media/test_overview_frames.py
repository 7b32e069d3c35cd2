"""The overview of a video: which frames show something new."""

import cv2
import numpy as np
import pytest

from sightline.media.sampling.frame_fingerprint import fingerprint
from sightline.media.sampling.overview_frames import MAX_SCENES_PER_MINUTE, OverviewFrames
from support.talk_clip import draw_slide


def print_of(picture):
    return fingerprint(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))


def slide(number, lines=3):
    return print_of(draw_slide(number, lines))


def film(seed, at=0):
    """Things of some kind that drift through the picture."""
    chance, picture = np.random.default_rng(seed), np.full((540, 960), 128, np.uint8)
    for x, y, size, tone in chance.integers((0, 0, 20, 0), (900, 500, 90, 255), (12, 4)).tolist():
        cv2.rectangle(picture, (x + 6 * at, y), (x + 6 * at + size, y + size), tone, -1)
    return fingerprint(picture)


def overview(frames, end_ms):
    found = OverviewFrames()
    for at_ms, picture in frames:
        found.add(at_ms, picture)
    return found.finish(end_ms)


@pytest.mark.req(780)
def test_each_slide_is_shown_once():
    frames = [(number * 5000, slide(number)) for number in range(4)]
    assert overview(frames, 20_000) == [0, 5000, 10_000, 15_000]


@pytest.mark.req(780)
def test_a_slide_that_gets_its_lines_one_by_one_is_shown_complete():
    frames = [(0, slide(1, 1)), (2000, slide(1, 2)), (4000, slide(1, 3)), (8000, slide(2))]
    assert overview(frames, 12_000) == [4000, 8000]


def test_a_slide_that_loses_a_line_is_still_the_same():
    assert overview([(0, slide(1, 4)), (3000, slide(1, 3))], 6000) == [0]


@pytest.mark.req(780)
def test_a_slide_that_comes_back_is_not_shown_again():
    frames = [(0, slide(1)), (3000, slide(2)), (6000, slide(1)), (9000, slide(3))]
    assert overview(frames, 12_000) == [0, 3000, 9000]


def test_a_picture_that_stands_for_less_than_a_second_is_no_slide():
    frames = [(0, slide(1)), (3000, slide(2)), (3500, slide(3))]
    assert overview(frames, 6000) == [0, 3500]


@pytest.mark.req(781)
def test_a_film_is_shown_by_a_frame_per_scene():
    frames = [(scene * 5000 + at * 100, film(scene, at)) for scene in range(3) for at in range(50)]
    found = overview(frames, 15_000)
    assert [at // 5000 for at in found] == [0, 1, 2]


@pytest.mark.req(781)
def test_a_film_of_fast_cuts_stays_within_its_limit():
    frames = [(scene * 700 + at * 100, film(scene, at)) for scene in range(170) for at in range(7)]
    found = overview(frames, 119_000)
    assert MAX_SCENES_PER_MINUTE <= len(found) <= 2 * MAX_SCENES_PER_MINUTE


def test_a_black_picture_is_shown_only_if_there_is_nothing_else():
    black = fingerprint(np.zeros((540, 960), np.uint8))
    assert overview([(0, black), (2000, slide(1))], 5000) == [2000]
    assert overview([(0, black)], 5000) == [0]


def test_no_frames_are_no_overview():
    assert overview([], 5000) == []


def test_a_video_of_one_frame_shows_it():
    assert overview([(0, slide(1))], 40) == [0]
