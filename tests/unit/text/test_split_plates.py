"""Boxes that reach over several plates."""

import cv2
import numpy as np
import pytest

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.ppocr.split_plates import split_plates

NAVY, RED, BLACK, WHITE, YELLOW = (90, 30, 20), (30, 20, 150), (15, 15, 15), (240, 240, 240), (40, 230, 250)
BOX = TextBox(Rect(4, 14, 472, 46), 0.8)


def _bar(*plates, height=74, noise=3):
    """Words on plates: (start, colour, word, where the word starts, colour of the word)."""
    picture = np.full((height, 480, 3), 128, np.uint8)
    for start, colour, *_ in plates:
        picture[6 : height - 6, start:] = colour
    for _, _, word, at, ink in plates:
        cv2.putText(picture, word, (at, 46), cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv2.LINE_AA)
    grain = np.random.default_rng(3).normal(0, noise, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


@pytest.mark.req(1093)
def test_words_on_plates_of_their_own_are_boxes_of_their_own():
    picture = _bar((0, NAVY, "HARBOR", 20, WHITE), (200, RED, "85", 230, YELLOW), (300, BLACK, "4:53", 330, WHITE))
    first, second, third = split_plates(picture, BOX)
    assert first.rect.x <= 20 < first.rect.right <= 200
    assert 200 <= second.rect.x <= 230 < second.rect.right <= 300
    assert 300 <= third.rect.x <= 330 < third.rect.right <= BOX.rect.right
    assert {one.score for one in (first, second, third)} == {0.8}
    assert {(one.rect.y, one.rect.height) for one in (first, second, third)} == {(14, 46)}


@pytest.mark.req(1093)
@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(_bar((0, WHITE, "Great! Should I bring it?", 10, BLACK)), id="one ground"),
        pytest.param(
            _bar((0, WHITE, "press", 20, BLACK), (140, YELLOW, "ENTER", 160, BLACK), (300, WHITE, "now", 330, BLACK)),
            id="a marked word within a line",
        ),
        pytest.param(
            _bar((0, NAVY, "HARBOR", 20, WHITE), (128, RED, "85", 133, YELLOW)), id="an edge close to letters"
        ),
        pytest.param(
            _bar((0, NAVY, "HARBOR", 20, WHITE), (200, (100, 40, 30), "85", 230, YELLOW)), id="hardly another ground"
        ),
        pytest.param(
            _bar((0, NAVY, "HARBOR", 20, WHITE), (200, RED, "85", 230, YELLOW), noise=40), id="no even ground"
        ),
    ],
)
def test_a_line_is_not_split_where_there_are_no_plates(picture):
    assert split_plates(picture, BOX) == [BOX]


@pytest.mark.req(1093)
def test_strokes_of_large_letters_are_no_plates():
    picture = np.full((74, 480, 3), 255, np.uint8)
    for at in (60, 160, 260, 400):
        picture[10:64, at : at + 14] = BLACK  # as high as the box
    assert split_plates(picture, BOX) == [BOX]


@pytest.mark.req(1093)
def test_slanting_and_narrow_boxes_stay():
    picture = _bar((0, NAVY, "HARBOR", 20, WHITE), (200, RED, "85", 230, YELLOW))
    corners = ((4.0, 20.0), (476.0, 14.0), (476.0, 54.0), (4.0, 60.0))
    for box in (TextBox(BOX.rect, 0.8, corners), TextBox(Rect(180, 14, 60, 46))):
        assert split_plates(picture, box) == [box]
