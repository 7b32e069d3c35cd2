"""Views of a picture: parts of it, turned. Pose models know people who stand best; a turned view finds those who lie. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.vision.detector import WHOLE, Box, Picture
from sightline.vision.tiles import crop

ZOOM_MARGIN = 0.35
"""Around what is zoomed on, in parts of its size."""
MIN_ZOOM = 0.25
"""Of the picture's width and height; a smaller part has too few pixels to show more."""


@dataclass(frozen=True, slots=True)
class PictureView:
    part: Box = WHOLE
    quarter_turns: int = 0
    """Counterclockwise."""

    def of(self, picture: Picture) -> Picture:
        shown = crop(picture, self.part)
        return np.ascontiguousarray(np.rot90(shown, self.quarter_turns)) if self.quarter_turns else shown

    def to_picture(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Points (…, 2 or more) in parts of the view, as parts of the picture; further columns stay as they are."""
        x, y = points[..., 0], points[..., 1]
        match self.quarter_turns % 4:
            case 1:
                x, y = 1 - y, x
            case 2:
                x, y = 1 - x, 1 - y
            case 3:
                x, y = y, 1 - x
        left, top, width, height = self.part
        found = points.copy()
        found[..., 0], found[..., 1] = left + x * width, top + y * height
        return found


WHOLE_PICTURE = PictureView()
FURTHER_VIEWS = (PictureView(quarter_turns=1), PictureView(quarter_turns=3))


def zoom_on(boxes: Sequence[Box]) -> Box | None:
    """The part of the picture around these boxes; None if there are none, or if they fill the picture already."""
    if not boxes:
        return None
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    width, height = (
        min(1.0, max(MIN_ZOOM, (end - start) * (1 + 2 * ZOOM_MARGIN))) for start, end in ((left, right), (top, bottom))
    )
    if width > 0.8 and height > 0.8:
        return None
    x = min(max((left + right - width) / 2, 0.0), 1 - width)
    y = min(max((top + bottom - height) / 2, 0.0), 1 - height)
    return x, y, width, height
