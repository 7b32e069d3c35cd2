"""A detector for tests: what is bright and large in the picture is a person. Cheap, and it really looks."""

from collections.abc import Sequence
from types import SimpleNamespace

import cv2
import numpy as np

from sightline.geometry import Box
from sightline.vision import DetectedObject
from sightline.vision.detector import WHOLE


class BrightDetector:
    def __init__(self) -> None:
        self.models = [SimpleNamespace(name="bright")]
        self.looks = 0

    async def detect(
        self,
        picture: np.ndarray,
        *,
        regions: Sequence[object] = (),
        source: str = "",
        is_urgent: bool = False,
        part: Box = WHOLE,
        is_brief: bool = False,
    ) -> list[DetectedObject]:
        self.looks += 1
        height, width = picture.shape[:2]
        bright = (picture.min(axis=2) > 200).astype(np.uint8)
        _, _, facts, _ = cv2.connectedComponentsWithStats(bright)
        return [
            DetectedObject("person", 0.8, box)
            for x, y, w, h, area in facts[1:].tolist()
            if area > 0.005 * width * height and is_in((box := (x / width, y / height, w / width, h / height)), part)
        ]


def is_in(box: Box, part: Box) -> bool:
    """What a part cuts is not found in it."""
    return (
        part[0] <= box[0] + 1e-6
        and part[1] <= box[1] + 1e-6
        and (box[0] + box[2] <= part[0] + part[2] + 1e-6 and box[1] + box[3] <= part[1] + part[3] + 1e-6)
    )
