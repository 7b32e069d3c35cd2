"""Camera ids and zones."""

import pytest

from sightline.errors import InvalidInput
from sightline.geometry import contains, foot_of
from sightline.security.camera import normalize_camera_id

SQUARE = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
# Like the letter U: the middle of its box is outside.
HOLLOW = ((0.0, 0.0), (0.2, 0.0), (0.2, 0.8), (0.8, 0.8), (0.8, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


@pytest.mark.req(194)
@pytest.mark.parametrize(
    ("text", "camera_id"),
    [
        ("Front Door", "front_door"),
        ("front_door", "front_door"),
        ("  Über-Hof #2! ", "uber_hof_2"),
        ("Straße", "strasse"),
        ("CAM__1", "cam_1"),
        ("Ⅷ", "viii"),
    ],
)
def test_ids_are_written_in_one_way(text, camera_id):
    assert normalize_camera_id(text) == camera_id
    assert normalize_camera_id(camera_id) == camera_id


@pytest.mark.req(194)
@pytest.mark.parametrize("text", ["", "  ", "日本", "---", "x" * 65])
def test_what_leaves_no_id_is_refused(text):
    with pytest.raises(InvalidInput, match="camera id"):
        normalize_camera_id(text)


@pytest.mark.parametrize(
    ("polygon", "point", "is_inside"),
    [
        (SQUARE, (0.5, 0.5), True),
        (SQUARE, (0.1, 0.5), False),
        (SQUARE, (0.5, 0.9), False),
        (HOLLOW, (0.5, 0.5), False),
        (HOLLOW, (0.1, 0.5), True),
        (HOLLOW, (0.5, 0.9), True),
    ],
)
def test_points_in_polygons(polygon, point, is_inside):
    assert contains(polygon, point) is is_inside


def test_something_stands_where_its_box_ends():
    assert foot_of((0.2, 0.1, 0.4, 0.5)) == (0.4, 0.6)
