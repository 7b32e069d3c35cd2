"""A detector for tests: what is bright and large in the picture is a person. Cheap, and it really looks."""

from collections.abc import Sequence
from types import SimpleNamespace

import cv2
import numpy as np

from sightline.vision import DetectedObject


class BrightDetector:
    def __init__(self) -> None:
        self.models = [SimpleNamespace(name="bright")]
        self.looks = 0

    async def detect(
        self, picture: np.ndarray, *, regions: Sequence[object] = (), source: str = "", is_urgent: bool = False
    ) -> list[DetectedObject]:
        self.looks += 1
        height, width = picture.shape[:2]
        bright = (picture.min(axis=2) > 200).astype(np.uint8)
        _, _, facts, _ = cv2.connectedComponentsWithStats(bright)
        return [
            DetectedObject("person", 0.8, (x / width, y / height, w / width, h / height))
            for x, y, w, h, area in facts[1:].tolist()
            if area > 0.005 * width * height
        ]
