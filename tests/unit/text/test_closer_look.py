"""Small print that was found while the picture moved is looked at again in full size when it stands still."""

import numpy as np
import pytest

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.engine import RecognizedLine
from sightline.text.reading.following import TextFollower
from sightline.text.reading.frame_view import view_of

WIDTH, HEIGHT = 1920, 1080
LINE = Rect(300, 400, 400, 20)
UNEVEN_HEIGHT = 32
INK = 220


class SmallPrintReader:
    """Finds the line in an uneven box in a reduced picture, where it reads it with less confidence."""

    def __init__(self, closer="if (a || b) {", confidence=0.9):
        self.scales = []
        self._closer, self._confidence = closer, confidence

    def find_text(self, picture, *, scale):
        self.scales.append(scale)
        rows, columns, _ = np.nonzero(picture == INK)
        if not rows.size:
            return []
        x, y = int(columns.min()) - 4, int(rows.min()) - 4
        even = Rect(x, y, LINE.width, LINE.height)
        return [TextBox(even if scale >= 1 else Rect(x - 4, y - 6, LINE.width + 8, UNEVEN_HEIGHT))]

    def read_box(self, picture, box):
        is_even = box.rect.height == LINE.height
        text, confidence = (self._closer, self._confidence) if is_even else ("if (a Il b) {", 0.7)
        return RecognizedLine(text, confidence, 0.9, box.rect, "eng")

    def read_line(self, picture):
        raise AssertionError("it finds its lines itself")


def _texts(engine, last_ms):
    """The texts of a screen that changes elsewhere in its first frames, and then stands for `last_ms`."""
    pictures = []
    for number in range(4):
        picture = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
        picture[LINE.y + 4 : LINE.bottom - 4, LINE.x + 4 : LINE.right - 4 : 4] = INK
        picture[900:1000, 200 * number : 200 * number + 150] = 250
        pictures.append(picture)
    times = [0, 100, 200, 300, 300 + last_ms]
    views = [view_of(picture, times[n], times[n + 1]) for n, picture in enumerate(pictures)]
    follower = TextFollower(engine)
    for number, view in enumerate(views):
        follower.follow(view, [views[other] for other in (number - 1, number + 1) if 0 <= other < len(views)])
    return {one.line.text for one in follower.finish()}


@pytest.mark.req(787)
def test_the_closer_reading_replaces_the_earlier_one():
    engine = SmallPrintReader()
    assert _texts(engine, 5000) == {"if (a || b) {"}
    assert engine.scales[0] < 1
    assert 1.0 in engine.scales


@pytest.mark.req(787)
def test_a_closer_reading_that_is_less_certain_does_not_count():
    assert _texts(SmallPrintReader(closer="if (a || b) (", confidence=0.6), 5000) == {"if (a Il b) {"}


@pytest.mark.req(787)
def test_a_picture_that_goes_on_moving_is_not_looked_at_in_full_size():
    engine = SmallPrintReader()
    assert _texts(engine, 100) == {"if (a Il b) {"}
    assert all(scale < 1 for scale in engine.scales)
