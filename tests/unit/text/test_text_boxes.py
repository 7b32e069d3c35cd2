"""Boxes of a probability map, and rows that were found as one."""

import cv2
import numpy as np
import pytest

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.ppocr.split_rows import split_rows
from sightline.text.reading.ppocr.text_boxes import find_boxes


def _map(*rects, value=0.9, size=(200, 400)):
    found = np.zeros(size, np.float32)
    for x, y, wide, high in rects:
        found[y : y + high, x : x + wide] = value
    return found


def _written(*rows):
    picture = np.full((30 * len(rows) + 10, 400, 3), 250, np.uint8)
    for number, text in enumerate(rows):
        cv2.putText(picture, text, (10, 30 + 30 * number), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1, cv2.LINE_AA)
    return picture


@pytest.mark.req(698)
def test_boxes_are_larger_than_the_middle_that_the_network_marks_and_in_pixels_of_the_original():
    (box,) = find_boxes(_map((100, 80, 120, 10)), to_original=(2.0, 2.0), size=(800, 400))
    assert box.corners is None
    assert box.score == pytest.approx(0.9, abs=0.1)
    assert (box.rect.x, box.rect.right) == pytest.approx((200 - 15, 440 + 15), abs=4)
    assert (box.rect.y, box.rect.bottom) == pytest.approx((160 - 15, 180 + 15), abs=4)


@pytest.mark.req(698)
def test_what_hardly_looks_like_text_has_no_box_and_separate_lines_have_one_each():
    assert find_boxes(_map((10, 10, 80, 10), value=0.4), to_original=(1, 1), size=(400, 200)) == []
    found = find_boxes(_map((10, 10, 80, 10), (10, 60, 80, 10), (200, 60, 80, 10)), to_original=(1, 1), size=(400, 200))
    assert [(box.rect.x < 100, box.rect.y < 40) for box in found] == [(True, True), (True, False), (False, False)]


@pytest.mark.req(698)
def test_slanting_text_has_corners_along_its_line():
    probability = np.zeros((200, 400), np.float32)
    cv2.line(probability, (60, 60), (300, 140), 0.9, 12)
    (box,) = find_boxes(probability, to_original=(1, 1), size=(400, 200))
    assert box.corners is not None
    (left, top), (right, bottom), *_ = box.corners
    assert (bottom - top) / (right - left) == pytest.approx(80 / 240, abs=0.03)


@pytest.mark.req(698)
def test_rows_that_were_found_as_one_box_are_split_and_single_rows_are_not():
    rows = _written("const total = 12;", "return total;")
    split = split_rows(rows, TextBox(Rect(0, 8, 400, 60)))
    assert len(split) == 2
    assert split[0].rect.bottom <= split[1].rect.y + 1
    single = TextBox(Rect(0, 8, 400, 34))
    assert split_rows(_written("Jig: Ålesund (ij)"), single) == [single]
