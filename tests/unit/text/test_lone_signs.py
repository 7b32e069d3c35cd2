"""Brackets on lines of their own are found by their shape, within a block of lines."""

import cv2
import numpy as np
import pytest

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.following.lone_signs import with_lone_signs

WHOLE = Rect(0, 0, 640, 320)
LINES = [TextBox(Rect(60, 40 + 40 * row, 300, 24), 0.9) for row in (0, 1, 3)]
SIGN = Rect(60, 124, 8, 14)


def _screen(*signs):
    """A dark screen with bars for the lines and strokes for signs."""
    gray = np.full((WHOLE.height, WHOLE.width), 30, np.uint8)
    for box in LINES:
        cv2.rectangle(gray, (box.rect.x + 6, box.rect.y + 6), (box.rect.right - 6, box.rect.bottom - 6), 200, 1)
    for sign in signs:
        cv2.rectangle(gray, (sign.x + 1, sign.y + 1), (sign.right - 2, sign.bottom - 2), 220, 2)
    return gray


def _found(gray, boxes, known=()):
    return [box for box in with_lone_signs(gray, WHOLE, boxes, known) if box.is_lone_in_block]


@pytest.mark.req(783)
def test_a_small_shape_on_a_line_of_its_own_is_a_sign():
    (box,) = _found(_screen(SIGN), LINES)
    assert box.rect.x <= SIGN.x
    assert box.rect.right >= SIGN.right
    assert box.score == 0


@pytest.mark.req(783)
def test_lines_that_are_followed_already_are_the_block_too():
    assert len(_found(_screen(SIGN), [], [box.rect for box in LINES])) == 1


@pytest.mark.req(783)
def test_a_narrow_box_of_the_detector_is_replaced_and_keeps_its_score():
    narrow = TextBox(Rect(58, 122, 12, 14), 0.7)
    found = with_lone_signs(_screen(SIGN), WHOLE, [*LINES, narrow], ())
    assert narrow not in found
    assert [box.score for box in found if box.is_lone_in_block] == [0.7]


@pytest.mark.req(783)
@pytest.mark.parametrize(
    ("sign", "lines"),
    [
        (SIGN, LINES[:2]),
        (Rect(380, 84, 8, 14), LINES),
        (Rect(60, 116, 8, 40), LINES),
        (Rect(60, 290, 8, 14), LINES),
    ],
    ids=["too few lines", "beside a line", "too high", "far below"],
)
def test_other_shapes_are_no_signs(sign, lines):
    assert _found(_screen(sign), lines) == []


@pytest.mark.req(783)
def test_a_pattern_is_no_row_of_signs():
    dots = [Rect(60 + 30 * at, 125, 10, 12) for at in range(9)]
    dots += [Rect(60 + 30 * at, 205 + 20 * row, 10, 12) for row in range(2) for at in range(9)]
    assert _found(_screen(*dots), LINES) == []
