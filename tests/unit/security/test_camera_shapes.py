"""What may be drawn on a camera's picture."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.geometry import area_of, contains, crosses_itself, segments_cross, side_of
from sightline.security import CameraZone, shape_error, without_repeats
from sightline.security.assessment.findings import touched_zones
from sightline.security.detections import Detection

SQUARE = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
BOW_TIE = [(0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9)]


@pytest.mark.req(553)
@pytest.mark.parametrize(
    ("kind", "points", "words"),
    [
        ("mask", BOW_TIE, "cross"),
        ("entry", SQUARE[:2], "3 different corners"),
        ("public", [(0.1, 0.1), (0.5, 0.5), (0.9, 0.9)], "flat"),
        ("other", [(0.1, 0.1), (1.2, 0.1), (0.9, 0.9)], "outside the picture"),
        ("restricted", [(0.5, 0.5), (0.501, 0.5), (0.5, 0.501)], "too small"),
        ("mask", [(0.5 + 0.001 * n, 0.1 if n % 2 else 0.2) for n in range(120)], "at most 100"),
        ("line", SQUARE[:3], "a start and an end"),
        ("line", [(0.5, 0.5), (0.505, 0.5)], "too short"),
    ],
)
def test_what_cannot_be_used_is_refused_with_words(kind, points, words: str):
    assert words in (shape_error(kind, points) or "")


@pytest.mark.req(553)
@pytest.mark.parametrize("kind", ["entry", "restricted", "public", "other", "mask"])
def test_areas_and_lines_can_be_used(kind):
    assert shape_error(kind, SQUARE) is None
    assert shape_error("line", SQUARE[:2]) is None


@pytest.mark.req(553)
def test_a_closed_polygon_and_repeated_corners_are_the_same_shape():
    assert without_repeats([*SQUARE, SQUARE[0]]) == tuple(SQUARE)
    assert without_repeats([SQUARE[0], *SQUARE]) == tuple(SQUARE)
    assert without_repeats(SQUARE[:1] * 3) == tuple(SQUARE[:1])


@pytest.mark.req(554)
def test_masks_and_lines_are_no_zones_in_which_anything_stands():
    zones = [
        CameraZone(1, "yard", "Porch", "entry", tuple(SQUARE)),
        CameraZone(2, "yard", "Tree", "mask", tuple(SQUARE)),
        CameraZone(3, "yard", "Gate", "line", ((0.5, 0.0), (0.5, 1.0)), direction="both"),
    ]
    moment = datetime(2026, 11, 18, tzinfo=UTC)
    stands = Detection(1, "batch-00000001", "yard", "person", 0.9, moment, (0.4, 0.4, 0.2, 0.2), None, {}, None)
    assert [zone.name for zone in touched_zones(zones, [stands])] == ["Porch"]


points = st.tuples(st.floats(0, 1), st.floats(0, 1))


@given(st.lists(points, min_size=3, max_size=3))
def test_a_triangle_never_crosses_itself(corners):
    assert not crosses_itself(corners)


@given(st.lists(st.floats(0, 6.28), min_size=3, max_size=12, unique=True))
def test_corners_in_order_around_a_point_do_not_cross(angles: list[float]):
    around = [(0.5 + 0.4 * math.cos(angle), 0.5 + 0.4 * math.sin(angle)) for angle in sorted(angles)]
    if min(math.dist(one, other) for one in around for other in around if one is not other) > 1e-3:
        assert not crosses_itself(around)
        assert area_of(around) <= 0.64


@given(points, points, points, points)
@example((0.0, 1.0), (2.2250738585e-313, 2.2250738585e-313), (1.0, 1.0), (2.2250738585e-313, 0.0))
def test_ways_cross_whichever_is_named_first(a, b, c, d):
    assert segments_cross(a, b, c, d) == segments_cross(c, d, a, b) == segments_cross(b, a, c, d)


def test_the_right_side_of_a_line_is_that_of_its_walker():
    assert side_of((0.5, 0.0), (0.5, 1.0), (0.2, 0.5)) == pytest.approx(
        0.3
    )  # walking down, the left of the picture is right
    assert side_of((0.5, 1.0), (0.5, 0.0), (0.2, 0.5)) == pytest.approx(-0.3)
    assert contains(SQUARE, (0.5, 0.5))
