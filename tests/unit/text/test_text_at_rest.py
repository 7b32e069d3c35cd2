"""Text in pictures that come to rest: it is found, and with the time from which it could be seen."""

import numpy as np
import pytest

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.engine import RecognizedLine
from sightline.text.reading.following import TextFollower
from sightline.text.reading.following.followed_text import FollowedText
from sightline.text.reading.frame_view import view_of

WIDTH, HEIGHT = 1280, 720
LETTERS = Rect(300, 400, 240, 12)
INK = 221
MARGIN = 7
"""Around the letters, of the box that the detector finds."""


class LateReader:
    """Finds rows of ink, but not at its first looks."""

    def __init__(self, blind_looks=0):
        self._blind_looks = blind_looks

    def find_text(self, picture, *, scale):
        self._blind_looks -= 1
        if self._blind_looks >= 0:
            return []
        ink = picture[:, :, 2] == INK
        rows = np.flatnonzero(ink.any(axis=1))
        found = []
        for band in np.split(rows, np.flatnonzero(np.diff(rows) > 3) + 1) if rows.size else []:
            columns = np.flatnonzero(ink[band[0] : band[-1] + 1].any(axis=0))
            letters = Rect(
                int(columns[0]), int(band[0]), int(columns[-1] - columns[0]) + 1, int(band[-1] - band[0]) + 1
            )
            found.append(TextBox(letters.grown(MARGIN, (picture.shape[1], picture.shape[0]))))
        return found

    def read_box(self, picture, box):
        return RecognizedLine(f"line at {box.rect.x}", 0.99, 0.99, box.rect, "eng")

    def read_line(self, picture):
        raise AssertionError("it finds its lines itself")


def _picture(*lines, noise=None):
    picture = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
    if noise is not None:
        picture[:] = np.random.default_rng(noise).integers(0, 200, (HEIGHT, WIDTH, 1), np.uint8)
    for rect in lines:
        # Each line has a pattern of its own, wherever it stands.
        strokes = np.random.default_rng(rect.x).integers(0, 2, (rect.height // 4, rect.width // 4), np.uint8)
        strokes[:, [0, -1]] = 1
        picture[rect.slices()] = np.kron(strokes * (INK - 30) + 30, np.ones((4, 4), np.uint8))[:, :, None]
    return picture


def _follow(engine, pictures, times):
    views = [view_of(picture, times[number], times[number + 1]) for number, picture in enumerate(pictures)]
    follower = TextFollower(engine)
    for number, view in enumerate(views):
        follower.follow(view, [views[other] for other in (number - 1, number + 1) if 0 <= other < len(views)])
    found: dict[str, int] = {}
    for one in follower.finish():
        found.setdefault(one.line.text, one.start_ms)
    return found


@pytest.mark.req(840)
def test_a_picture_that_comes_to_rest_is_searched_although_motion_has_spent_the_budget():
    busy = [[Rect(20 + 8 * number, 40 * row, 1000, 12) for row in range(1, 8)] for number in range(20)]
    pictures = [*(_picture(*lines, noise=number) for number, lines in enumerate(busy)), _picture(LETTERS)]
    found = _follow(LateReader(), pictures, [*range(0, 2100, 100), 9000])
    assert found["line at 293"] == 2000


@pytest.mark.req(841)
def test_a_line_begins_where_it_was_first_shown_although_another_one_appeared_below_it():
    below = Rect(LETTERS.x + 40, LETTERS.y + 18, LETTERS.width, LETTERS.height)
    pictures, times = [_picture(LETTERS), _picture(LETTERS, below)], [0, 100, 3000]
    found = _follow(LateReader(blind_looks=1), pictures, times)
    assert found == {"line at 293": 0, "line at 333": 100}


@pytest.mark.req(842)
def test_a_line_that_was_found_at_rest_begins_where_it_came_into_sight():
    places = [LETTERS.moved(0, 16 * (4 - number)) for number in range(5)]
    pictures, times = [_picture(place) for place in places], [0, 100, 200, 300, 400, 3000]
    assert _follow(LateReader(blind_looks=4), pictures, times) == {"line at 293": 0}


@pytest.mark.req(843)
@pytest.mark.parametrize(
    ("text", "until_ms", "is_credible"), [("MX", 200, False), ("MX", 1500, True), ("EXIT", 200, True)]
)
def test_few_letters_on_their_side_must_stand_for_a_second(text, until_ms, is_credible):
    rect = Rect(100, 100, 40, 160)
    line = RecognizedLine(text, 0.99, 0.99, rect, "eng")
    assert FollowedText.of(view_of(_picture(rect), 0, until_ms), TextBox(rect), line).is_credible is is_credible


@pytest.mark.req(843)
@pytest.mark.parametrize(("until_ms", "is_credible"), [(100, False), (900, True)])
def test_short_text_where_all_moved_counts_by_the_time_that_it_stands(until_ms, is_credible):
    line = RecognizedLine("7:45", 0.99, 0.99, LETTERS, "eng")
    text = FollowedText.of(view_of(_picture(LETTERS), 0, until_ms), TextBox(LETTERS), line)
    text.is_over_motion = True
    assert text.is_credible is is_credible
