"""The layout of sprite sheets."""

import pytest

from sightline.media.stream.sprite_rules import MAX_TILES, plan_sprite_sheet


@pytest.mark.req(963)
@pytest.mark.parametrize(
    ("duration_ms", "interval_ms", "tiles"),
    [(40, 1000, 1), (1000, 1000, 1), (14_500, 1000, 15), (100_000, 1000, 100), (7_200_000, 72_000, 100)],
)
def test_a_picture_a_second_until_there_are_a_hundred(duration_ms, interval_ms, tiles):
    sheet = plan_sprite_sheet(duration_ms, (1920, 1080))
    assert (sheet.interval_ms, sheet.tiles) == (interval_ms, tiles)
    assert sheet.tiles <= MAX_TILES
    assert (sheet.tiles - 1) * sheet.interval_ms < max(duration_ms, 1)


@pytest.mark.req(963)
@pytest.mark.parametrize(
    ("size", "tile"),
    [((1920, 1080), (192, 108)), ((1080, 1920), (60, 108)), ((320, 320), (108, 108)), ((4000, 10), (192, 2))],
)
def test_pictures_keep_the_shape_of_the_video(size, tile):
    sheet = plan_sprite_sheet(60_000, size)
    assert (sheet.tile_width, sheet.tile_height) == tile


@pytest.mark.req(963)
def test_pictures_stand_row_by_row():
    sheet = plan_sprite_sheet(14_500, (1920, 1080))
    assert (sheet.columns, sheet.rows) == (10, 2)
    assert [sheet.place(number) for number in (0, 9, 10, 14)] == [(0, 0), (1728, 0), (0, 108), (768, 108)]
