"""The layout of a sprite sheet: how many small pictures of a video it has, of which size, and where each is. Pure."""

import math
from dataclasses import dataclass

MAX_TILES = 100
"""Of a longer video the pictures are farther apart, so that one sheet stays small."""
MIN_INTERVAL_MS = 1000
COLUMNS = 10
TILE_BOX = (192, 108)
"""A picture fits into it, whatever the shape of the video."""


@dataclass(frozen=True, slots=True)
class SpriteSheet:
    interval_ms: int
    """Time between two pictures; picture n shows n × interval."""
    tiles: int
    columns: int
    tile_width: int
    tile_height: int
    version: str = ""
    """Changes with the content, so that browsers may keep it for long."""

    @property
    def rows(self) -> int:
        return math.ceil(self.tiles / self.columns)

    def place(self, number: int) -> tuple[int, int]:
        """Left and top of a picture, in pixels."""
        return number % self.columns * self.tile_width, number // self.columns * self.tile_height


def plan_sprite_sheet(duration_ms: int, shown_size: tuple[int, int]) -> SpriteSheet:
    """A sheet for a video of this length and size."""
    interval_ms = max(MIN_INTERVAL_MS, math.ceil(duration_ms / MAX_TILES))
    tiles = max(1, math.ceil(duration_ms / interval_ms))
    width, height = shown_size
    scale = min(TILE_BOX[0] / width, TILE_BOX[1] / height)
    return SpriteSheet(
        interval_ms=interval_ms,
        tiles=tiles,
        columns=min(COLUMNS, tiles),
        tile_width=_even(width * scale),
        tile_height=_even(height * scale),
    )


def _even(length: float) -> int:
    return max(2, round(length / 2) * 2)
