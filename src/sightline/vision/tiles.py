"""Tiles around motion: parts of a picture that are looked at enlarged, where a far object would be a few pixels otherwise. Pure."""

from collections.abc import Sequence

from sightline.vision.detector import Box, Picture

MARGIN = 0.3
"""A tile is larger than its region by this share of it on each side: motion often covers only a part of an object. Small
regions get more, since a tile is never smaller than the input of the model."""
MAX_TILE_SHARE = 0.6
"""Of the longer side of the picture. A larger tile would enlarge nothing."""


def tiles_around(regions: Sequence[Box], width: int, height: int, *, side: int, max_tiles: int) -> list[Box]:
    """Parts of a picture of this size that are square in pixels, the largest motion first.

    `side` is the input size of the model in pixels: a tile is never smaller, since enlarging pixels shows nothing more.
    """
    longest = max(width, height)
    if side >= longest * MAX_TILE_SHARE:
        return []
    tiles: list[Box] = []
    for region in sorted(regions, key=lambda box: -box[2] * box[3]):
        tile = _tile(region, width, height, side)
        if tile is None or any(_holds(other, region) for other in tiles):
            continue
        tiles.append(tile)
    return tiles[:max_tiles]


def touches_inner_edge(box: Box, tile: Box, tolerance: float = 0.01) -> bool:
    """Whether a box, in parts of its tile, reaches an edge of the tile that is no edge of the picture: a cut object."""
    x, y, width, height = box
    left, top, tile_width, tile_height = tile
    return (
        (x <= tolerance and left > 0.001)
        or (y <= tolerance and top > 0.001)
        or (x + width >= 1 - tolerance and left + tile_width < 0.999)
        or (y + height >= 1 - tolerance and top + tile_height < 0.999)
    )


def _tile(region: Box, width: int, height: int, side: int) -> Box | None:
    """None for a region that is large enough in the whole picture."""
    longest = max(width, height)
    needed = max(region[2] * width, region[3] * height) * (1 + 2 * MARGIN)
    pixels = max(needed, float(side))
    if pixels > longest * MAX_TILE_SHARE:
        return None
    tile_width, tile_height = min(1.0, pixels / width), min(1.0, pixels / height)
    x = region[0] + region[2] / 2 - tile_width / 2
    y = region[1] + region[3] / 2 - tile_height / 2
    return min(max(x, 0.0), 1 - tile_width), min(max(y, 0.0), 1 - tile_height), tile_width, tile_height


def _holds(tile: Box, region: Box) -> bool:
    return (
        tile[0] <= region[0]
        and tile[1] <= region[1]
        and tile[0] + tile[2] >= region[0] + region[2]
        and tile[1] + tile[3] >= region[1] + region[3]
    )


def crop(picture: Picture, part: Box) -> Picture:
    """That part of the picture, of a pixel at least, without a copy."""
    height, width = picture.shape[:2]
    left, top = round(part[0] * width), round(part[1] * height)
    return picture[top : top + max(1, round(part[3] * height)), left : left + max(1, round(part[2] * width))]
