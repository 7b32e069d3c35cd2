"""Boxes are made to hold one cell or one line: columns, plates, slanting pieces, and words that signs part."""

import cv2
import numpy as np
import pytest

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.ppocr.join_slanting import join_slanting
from sightline.text.reading.ppocr.join_words import join_words
from sightline.text.reading.ppocr.split_columns import split_columns
from sightline.text.reading.ppocr.split_dividers import split_dividers

YELLOW, BLACK, WHITE = (40, 210, 250), (15, 15, 15), (255, 255, 255)
ROWS = (("1", "Site survey"), ("2", "Drawings"), ("3", "Scaffolding"), ("4", "Travel"))


def _page(width=700, height=400):
    return np.full((height, width, 3), WHITE, np.uint8)


def _write(picture, text, x, y):
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.8, BLACK, 2, cv2.LINE_AA)


def _table(*, at=66, with_amounts=True):
    """Rows whose first two cells are found as one box."""
    picture, boxes = _page(), []
    for row, (number, name) in enumerate(ROWS):
        y = 60 + row * 60
        _write(picture, number, 20, y)
        _write(picture, name, at, y)
        boxes.append(TextBox(Rect(12, y - 24, 230, 32), 0.9))
        if with_amounts:
            _write(picture, "72.00", 500, y)
            boxes.append(TextBox(Rect(492, y - 24, 100, 32), 0.9))
    return picture, boxes


@pytest.mark.req(1130)
def test_a_narrow_column_is_cut_from_the_second_where_all_rows_are_empty():
    picture, boxes = _table()
    found = [one.rect for one in split_columns(picture, boxes)]
    assert len(found) == 12
    assert [rect.right <= 66 for rect in found[:2]] == [True, False]
    assert all(rect.x >= 36 for rect in found if rect.right > 66)


@pytest.mark.req(1130)
@pytest.mark.parametrize(
    ("picture", "boxes"),
    [
        pytest.param(*_table(with_amounts=False), id="a numbered list"),
        pytest.param(*_table(at=48), id="a space between words"),
        pytest.param(_table()[0], _table()[1][:4], id="two rows"),
    ],
)
def test_boxes_that_are_no_table_stay_whole(picture, boxes):
    assert split_columns(picture, boxes) == boxes


@pytest.mark.req(1130)
def test_a_row_with_a_word_in_the_gap_ends_the_table():
    picture, boxes = _table()
    _write(picture, "or so", 30, 120)
    _write(picture, "or so", 30, 180)
    assert split_columns(picture, boxes) == boxes


def _plates(*, line=(90, 90, 90), noise=True):
    """Two plates of one colour over film, with a thin gap between them."""
    picture = np.full((100, 200, 3), 120, np.uint8)
    if noise:
        picture = np.random.default_rng(5).integers(60, 200, picture.shape).astype(np.uint8)
    picture[18:82, 30:90], picture[18:82, 94:160] = YELLOW, YELLOW
    picture[18:82, 90:94] = line
    for text, x in (("1", 52), ("0", 116)):
        cv2.putText(picture, text, (x, 62), cv2.FONT_HERSHEY_SIMPLEX, 1.0, BLACK, 3, cv2.LINE_AA)
    return picture


@pytest.mark.req(1135)
def test_counts_on_plates_of_one_colour_are_told_apart_by_the_film_between():
    first, second = split_dividers(_plates(), TextBox(Rect(26, 14, 140, 72), 0.8))
    assert first.rect.x <= 52 < first.rect.right <= 94 <= second.rect.x <= 116 < second.rect.right
    assert first.rect.y >= 18
    assert first.rect.bottom <= 82


@pytest.mark.req(1135)
def test_the_stroke_of_a_letter_is_no_end_of_a_plate():
    picture = _page(300, 100)
    picture[20:80] = YELLOW
    cv2.putText(picture, "All ill", (20, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.0, BLACK, 2, cv2.LINE_AA)
    box = TextBox(Rect(10, 24, 140, 50), 0.9)
    assert split_dividers(picture, box) == [box]


@pytest.mark.req(1135)
def test_letters_without_a_plate_are_left_alone():
    picture = _page(300, 100)
    for x in range(20, 260, 40):
        cv2.rectangle(picture, (x, 40), (x + 34, 64), BLACK, 5)  # wide letters, mostly strokes above and below
    box = TextBox(Rect(10, 30, 260, 44), 0.9)
    assert split_dividers(picture, box) == [box]


def _slanting(x, width, *, slope=0.1, height=40, y=100.0):
    top, end = y + slope * x, y + slope * (x + width)
    corners = ((x, top), (x + width, end), (x + width, end + height), (x, top + height))
    low, high = min(top, end), max(top, end) + height
    return TextBox(Rect(int(x), int(low), int(width), int(high - low)), 0.9, corners)


@pytest.mark.req(1134)
def test_pieces_of_a_slanting_line_are_one_box():
    (found,) = join_slanting([_slanting(100.0, 200.0), _slanting(290.0, 150.0)])
    assert found.corners is not None
    assert found.corners[0][0] == pytest.approx(100, abs=8)
    assert found.corners[1][0] == pytest.approx(440, abs=8)
    assert found.rect.x == 100
    assert found.rect.right == 440


@pytest.mark.req(1134)
@pytest.mark.parametrize(
    "other",
    [
        pytest.param(_slanting(360.0, 150.0), id="far apart"),
        pytest.param(_slanting(290.0, 150.0, slope=-0.1, y=160.0), id="another angle"),
        pytest.param(_slanting(290.0, 150.0, y=130.0), id="the line below"),
        pytest.param(_slanting(290.0, 150.0, height=20), id="smaller print"),
        pytest.param(TextBox(Rect(290, 130, 150, 40), 0.9), id="level"),
    ],
)
def test_other_boxes_beside_a_slanting_one_stay_apart(other):
    assert len(join_slanting([_slanting(100.0, 200.0), other])) == 2


@pytest.mark.req(1136)
def test_a_small_sign_between_two_boxes_is_part_of_their_line():
    picture = _page(400, 80)
    _write(picture, "one", 20, 50)
    _write(picture, "two", 94, 50)
    cv2.circle(picture, (76, 42), 3, BLACK, -1)  # as an asterisk
    (found,) = join_words(picture, [TextBox(Rect(14, 24, 54, 34), 0.9), TextBox(Rect(88, 24, 60, 34), 0.8)])
    assert found == TextBox(Rect(14, 24, 134, 34), 0.8)


@pytest.mark.req(1136)
def test_boxes_with_a_wide_gap_a_rule_or_another_ground_between_them_stay_apart():
    boxes = [TextBox(Rect(14, 24, 54, 34), 0.9), TextBox(Rect(88, 24, 60, 34), 0.9)]
    empty = _page(400, 80)
    _write(empty, "one", 20, 50)
    _write(empty, "two", 94, 50)
    ruled, marked = empty.copy(), empty.copy()
    cv2.line(ruled, (77, 24), (77, 57), BLACK, 2)
    marked[:, 77:] = np.minimum(marked[:, 77:], 200)
    assert all(len(join_words(picture, boxes)) == 2 for picture in (empty, ruled, marked))
