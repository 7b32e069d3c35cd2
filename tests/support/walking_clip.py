"""A clip in which coloured figures walk over a textured yard, and a detector that knows these colours."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.geometry import Box
from sightline.vision import DetectedObject, ModelCard
from support.camera_scenes import yard

WIDTH, HEIGHT, FPS = 640, 360, 10
COLOURS = {"person": (220, 30, 30), "car": (30, 60, 220)}
CARD = ModelCard(
    name="colours",
    purpose="tests",
    file="",
    sha256=None,
    labels=tuple(COLOURS),
    licence="",
    source="",
    cannot_see=(),
    is_calibrated=False,
)


@dataclass(frozen=True, slots=True)
class Figure:
    label: str
    x: float
    """Of its left edge, in parts of the picture."""
    speed: float
    """Parts of the picture per second."""
    y: float = 0.4
    width: float = 0.08
    height: float = 0.4
    appears: float = 0.0
    leaves: float = 1e9


def make_walking_clip(
    path: Path,
    figures: Sequence[Figure],
    *,
    seconds: float,
    key_every: int = 250,
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> Path:
    """With a key frame every so many pictures."""
    background = cv2.cvtColor(cv2.resize(np.clip(yard(), 0, 255).astype(np.uint8), (WIDTH, HEIGHT)), cv2.COLOR_GRAY2RGB)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(
            "libx264", rate=FPS, options={"preset": "ultrafast", "crf": "20", "g": str(key_every), "bf": "0"}
        )
        stream.width, stream.height, stream.pix_fmt, stream.time_base = *size, "yuv420p", Fraction(1, FPS)
        for number in range(int(seconds * FPS)):
            picture = background.copy()
            for figure in figures:
                _draw(picture, figure, number / FPS)
            frame = av.VideoFrame.from_ndarray(cv2.resize(picture, size), format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def _draw(picture: NDArray[np.uint8], figure: Figure, at: float) -> None:
    if not figure.appears <= at <= figure.leaves:
        return
    left = figure.x + figure.speed * (at - figure.appears)
    corner = (int(left * WIDTH), int(figure.y * HEIGHT))
    opposite = (int((left + figure.width) * WIDTH), int((figure.y + figure.height) * HEIGHT))
    cv2.rectangle(picture, corner, opposite, COLOURS[figure.label], -1)


class ColourDetector:
    """Sees what has the colours of the clip's figures, in the very pixels that a model would get."""

    def __init__(self) -> None:
        self.models = (CARD,)
        self.problem: str | None = None
        self.pictures = 0

    async def detect(
        self,
        picture: NDArray[np.uint8],
        *,
        regions: Sequence[Box] = (),
        source: str = "",
        is_urgent: bool = False,
        part: Box = (0.0, 0.0, 1.0, 1.0),
        is_brief: bool = False,
    ) -> list[DetectedObject]:
        self.pictures += 1
        height, width = picture.shape[:2]
        found = []
        for label, colour in COLOURS.items():
            distance = np.abs(picture.astype(np.int16) - np.array(colour, np.int16)).max(axis=2)
            count, _, stats, _ = cv2.connectedComponentsWithStats((distance < 60).astype(np.uint8))
            for left, top, wide, high, area in stats[1:count].tolist():
                if area > 0.002 * width * height:
                    found.append(DetectedObject(label, 0.9, (left / width, top / height, wide / width, high / height)))
        return found
