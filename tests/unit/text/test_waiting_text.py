"""Dense text that the budget does not allow to read at once waits, and is read later with the times it was shown."""

import numpy as np
import pytest

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.engine import RecognizedLine
from sightline.text.reading.following import TextFollower
from sightline.text.reading.frame_view import view_of

WIDTH, HEIGHT, ROWS, ROW_STEP, ROW_HEIGHT = 960, 540, 50, 10, 8
ALL_ROWS = {f"row {number}" for number in range(ROWS)}


class RowReader:
    """Finds and reads the rows of `_page`, and counts what it reads."""

    def __init__(self):
        self.readings = 0

    def find_text(self, picture, *, scale):
        width = picture.shape[1]
        tops = [number * ROW_STEP for number in range(ROWS)]
        return [TextBox(Rect(0, top, width, ROW_HEIGHT)) for top in tops if picture[top : top + ROW_HEIGHT].any()]

    def read_box(self, picture, box):
        self.readings += 1
        if not picture[box.rect.slices()].any():
            return None
        return RecognizedLine(f"row {box.rect.y // ROW_STEP}", 0.99, 0.99, box.rect, "eng")

    def read_line(self, picture):
        raise AssertionError("it finds its lines itself")


def _page():
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for number in range(ROWS):
        for stroke in (8, 9):
            picture[number * ROW_STEP + 1 : number * ROW_STEP + 7, stroke : WIDTH - 8 : 4] = 255
    return picture


def _shown(pictures, step_ms):
    """First and last time of each text, and how many were read when each frame was done."""
    engine = RowReader()
    follower, done = TextFollower(engine), []
    views = [view_of(picture, n * step_ms, (n + 1) * step_ms) for n, picture in enumerate(pictures)]
    for number, view in enumerate(views):
        follower.follow(view, [views[other] for other in (number - 1, number + 1) if 0 <= other < len(views)])
        done.append(engine.readings)
    shown: dict[str, tuple[int, int]] = {}
    for one in follower.finish():
        start, end = shown.get(one.line.text, (one.start_ms, one.end_ms))
        shown[one.line.text] = min(start, one.start_ms), max(end, one.end_ms)
    return shown, done


@pytest.mark.req(702)
def test_a_dense_page_is_read_row_by_row_while_it_stands_and_every_row_was_there_from_the_beginning():
    shown, done = _shown([_page()] * 50, 500)
    assert done[0] < ROWS / 2
    assert done[0] < done[10] < done[30] < done[-1] == ROWS
    assert shown == dict.fromkeys(ALL_ROWS, (0, 25_000))


@pytest.mark.req(702)
def test_the_budget_of_one_long_frame_is_that_of_the_time_it_is_shown():
    shown, done = _shown([_page()], 60_000)
    assert done == [ROWS]
    assert shown == dict.fromkeys(ALL_ROWS, (0, 60_000))


@pytest.mark.req(702)
def test_a_single_picture_is_read_whole():
    assert _shown([_page()], 1000)[0] == dict.fromkeys(ALL_ROWS, (0, 1000))


@pytest.mark.req(702)
def test_a_dense_page_that_goes_before_its_rows_were_read_is_read_where_it_was_last_seen():
    shown, done = _shown([_page()] * 4 + [np.zeros_like(_page())] * 3, 500)
    assert done[3] < ROWS
    assert shown == dict.fromkeys(ALL_ROWS, (0, 2000))


@pytest.mark.req(702)
def test_rows_that_stand_for_a_moment_only_stay_within_the_budget():
    shown, _ = _shown([_page()] * 4 + [np.zeros_like(_page())] * 3, 100)
    assert 0 < len(shown) < ROWS / 2
