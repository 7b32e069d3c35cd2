"""Tiles around motion."""

import pytest

from sightline.vision.tiles import tiles_around, touches_inner_edge

FULL_HD = {"width": 1920, "height": 1080, "side": 416, "max_tiles": 4}


def holds(tile, region):
    left, top, width, height = tile
    x, y, region_width, region_height = region
    return left <= x and top <= y and left + width >= x + region_width and top + height >= y + region_height


@pytest.mark.req(530)
def test_a_far_object_gets_a_tile_that_shows_it_without_shrinking():
    region = (0.7, 0.3, 0.02, 0.05)
    (tile,) = tiles_around([region], **FULL_HD)
    assert holds(tile, region)
    assert (round(tile[2] * 1920), round(tile[3] * 1080)) == (416, 416)


@pytest.mark.req(530)
@pytest.mark.parametrize("corner", [(0.0, 0.0), (0.98, 0.0), (0.0, 0.95), (0.98, 0.95)])
def test_a_tile_at_a_corner_stays_inside_the_picture(corner):
    (tile,) = tiles_around([(*corner, 0.02, 0.05)], **FULL_HD)
    assert tile[0] >= 0
    assert tile[1] >= 0
    assert tile[0] + tile[2] <= 1 + 1e-9
    assert tile[1] + tile[3] <= 1 + 1e-9


def test_motion_of_half_the_picture_needs_no_tile():
    assert tiles_around([(0.2, 0.2, 0.5, 0.6)], **FULL_HD) == []


def test_a_small_picture_needs_no_tile():
    assert tiles_around([(0.5, 0.5, 0.05, 0.05)], 640, 480, side=416, max_tiles=4) == []


@pytest.mark.req(530)
def test_neighbours_share_a_tile():
    assert len(tiles_around([(0.5, 0.5, 0.03, 0.05), (0.53, 0.52, 0.01, 0.02)], **FULL_HD)) == 1


@pytest.mark.req(530)
def test_no_more_tiles_than_allowed_and_the_largest_motion_first():
    regions = [(0.1 * number, 0.5, 0.004 + 0.001 * number, 0.01) for number in range(9)]
    tiles = tiles_around(regions, 7680, 4320, side=416, max_tiles=3)
    assert len(tiles) == 3
    assert holds(tiles[0], regions[8])


@pytest.mark.parametrize(
    ("box", "tile", "touches"),
    [
        ((0.0, 0.3, 0.2, 0.2), (0.4, 0.4, 0.2, 0.2), True),
        ((0.0, 0.3, 0.2, 0.2), (0.0, 0.4, 0.2, 0.2), False),
        ((0.3, 0.3, 0.7, 0.2), (0.4, 0.4, 0.2, 0.2), True),
        ((0.3, 0.3, 0.7, 0.2), (0.8, 0.4, 0.2, 0.2), False),
        ((0.3, 0.8, 0.2, 0.2), (0.4, 0.4, 0.2, 0.2), True),
        ((0.3, 0.3, 0.2, 0.2), (0.4, 0.4, 0.2, 0.2), False),
    ],
)
def test_an_object_cut_by_its_tile_is_noticed(box, tile, touches):
    assert touches_inner_edge(box, tile) == touches
