"""Generated talks: slides of one template, with fades, lines that appear one by one, and a speaker who moves in a corner."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

WIDTH, HEIGHT, FPS = 960, 540, 10
FADE_FRAMES = 5
_WORDS = ("harbour", "turbine", "schedule", "ledger", "crystal", "market", "signal", "orchard", "velocity", "granite")

Picture = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Talk:
    slides: tuple[tuple[int, int], ...]
    """Start and end of each slide in ms, before any of them comes back."""
    duration_ms: int


def make_talk(
    path: Path,
    *,
    slides: int = 6,
    with_speaker: bool = False,
    line_by_line: bool = True,
    photos: list[Picture] | None = None,
) -> Talk:
    """Every slide is shown for some seconds; the second comes back at the end."""
    frames: list[Picture] = []
    spans = []
    for number in range(slides):
        start, lines = len(frames), 3 + number % 2
        photo = None if photos is None else photos[number % len(photos)]
        for shown in range(1 if line_by_line else lines, lines + 1):
            picture = draw_slide(number, shown, photo)
            if frames and shown in (1, lines) and len(frames) == start:
                before = frames[-1]
                steps = [(step + 1) / (FADE_FRAMES + 1) for step in range(FADE_FRAMES)]
                frames += [cv2.addWeighted(before, 1 - part, picture, part, 0) for part in steps]
            frames += [picture] * (FPS * (3 if shown == lines else 2))
        spans.append((start * 1000 // FPS, len(frames) * 1000 // FPS))
    frames += [draw_slide(1, 4, None if photos is None else photos[1 % len(photos)])] * (FPS * 3)
    if with_speaker:
        frames = [_with_speaker(picture, at) for at, picture in enumerate(frames)]
    _write(path, frames)
    return Talk(tuple(spans), len(frames) * 1000 // FPS)


def draw_slide(number: int, lines: int, photo: Picture | None = None) -> Picture:
    picture = np.full((HEIGHT, WIDTH, 3), 250, np.uint8)
    cv2.rectangle(picture, (0, 0), (WIDTH, 52), (120, 60, 20), -1)
    _text(picture, "Quarterly review 2026", (24, 36), 0.8, (255, 255, 255))
    words = np.random.default_rng(number)
    _text(picture, " ".join(words.choice(_WORDS, 3)).title(), (45, 112), 1.2, (30, 30, 30))
    for line in range(lines):
        _text(picture, "- " + " ".join(words.choice(_WORDS, 4)), (60, 180 + line * 55), 0.8, (30, 30, 30))
    if photo is not None:
        picture[160:460, 620:920] = cv2.resize(photo, (300, 300))
    return picture


def _with_speaker(picture: Picture, at: int) -> Picture:
    x, y = int(45 * np.sin(at / 4)), int(15 * np.cos(at / 3))
    corner = np.full((165, 225, 3), (150, 140, 120), np.uint8)
    cv2.circle(corner, (112 + x, 82 + y), 45, (120, 160, 220), -1)
    cv2.rectangle(corner, (67 + x, 120 + y), (157 + x, 165), (60, 40, 90), -1)
    shown = picture.copy()
    shown[360:525, 15:240] = corner
    return shown


def _text(picture: Picture, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_DUPLEX, size, colour, 2, cv2.LINE_AA)


def _write(path: Path, frames: list[Picture]) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "crf": "23"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for picture in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="bgr24")))
        container.mux(stream.encode())
