"""Text detector: finds the boxes of text in a picture or in a part of it."""

from pathlib import Path

import cv2
import numpy as np

from sightline.text.reading.boxes import TextBox
from sightline.text.reading.frame_view import Color
from sightline.text.reading.ppocr.sessions import open_session
from sightline.text.reading.ppocr.text_boxes import find_boxes

STRIDE = 32
"""The network's input is a multiple of this on both sides."""


class PpocrDetector:
    def __init__(self, model: Path) -> None:
        self._session = open_session(model)
        self._input = self._session.get_inputs()[0].name

    def find(self, picture: Color, *, scale: float = 1.0) -> list[TextBox]:
        """Boxes in pixels of the picture, which is searched at `scale` times its size."""
        height, width = picture.shape[:2]
        wide, high = input_size(width, height, scale)
        sized = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        values = (sized.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)[None]
        probability = self._session.run(None, {self._input: np.ascontiguousarray(values)})[0][0, 0]
        return find_boxes(probability, to_original=(width / wide, height / high), size=(width, height))


def input_size(width: int, height: int, scale: float) -> tuple[int, int]:
    """The size that a picture of this size is searched at."""
    return max(STRIDE, round(width * scale / STRIDE) * STRIDE), max(STRIDE, round(height * scale / STRIDE) * STRIDE)
