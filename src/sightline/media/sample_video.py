"""The sample video: a short generated video to try the platform with, with slides, a caption over motion and a counter."""

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import numpy.typing as npt

WIDTH, HEIGHT, FPS = 1280, 720, 25
SAMPLE_VIDEO_NAME = "sightline-sample.mp4"

Picture = npt.NDArray[np.uint8]

_FONT = cv2.FONT_HERSHEY_DUPLEX
_SLIDES = (
    ((96, 68, 24), ("Welcome to Sightline", "Every word on screen can be found")),
    ((40, 96, 56), ("Invoice total: $1,475.25", "Due on 2026-12-01, room B204")),
    ((110, 52, 92), ("Follow @sightline #video", "https://sightline.example/docs")),
)
_SLIDE_S, _SCENE_S = 3, 6
_CAPTION = "LIVE FROM THE HARBOUR"


def make_sample_video(path: Path) -> None:
    """Writes 15 seconds of 720p H.264. CPU-heavy: do not call it on the event loop."""
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "crf": "23", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.time_base = Fraction(1, FPS)
        stream.codec_context.gop_size = 2 * FPS
        for number in range(sample_duration_s() * FPS):
            frame = av.VideoFrame.from_ndarray(draw(number / FPS), format="bgr24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def sample_duration_s() -> int:
    return len(_SLIDES) * _SLIDE_S + _SCENE_S


def draw(at_s: float) -> Picture:
    """The frame at this time."""
    slide = int(at_s // _SLIDE_S)
    if slide < len(_SLIDES):
        return _slide(*_SLIDES[slide])
    return _scene(at_s - len(_SLIDES) * _SLIDE_S)


def _slide(colour: tuple[int, int, int], lines: tuple[str, str]) -> Picture:
    picture = np.full((HEIGHT, WIDTH, 3), colour, np.uint8)
    cv2.rectangle(picture, (90, 190), (98, 470), (196, 227, 127), -1)
    _write(picture, lines[0], (130, 310), 2.0, 2)
    _write(picture, lines[1], (130, 420), 1.4, 2)
    return picture


def _scene(at_s: float) -> Picture:
    """Moving waves under a still caption, and a counter."""
    x = np.arange(0, WIDTH, 8)[None, :]
    y = np.arange(0, HEIGHT, 8)[:, None]
    waves = np.sin(x / 90 + at_s * 2 + np.sin(y / 60 - at_s)) + np.cos(y / 45 - at_s * 1.5)
    small = np.stack([120 + 40 * waves, 80 + 22 * waves, 30 + 8 * waves], axis=-1).astype(np.uint8)
    picture: Picture = np.asarray(cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR), np.uint8)
    cv2.circle(picture, (int(120 + at_s * 170), 260), 70, (90, 190, 245), -1, cv2.LINE_AA)
    cv2.rectangle(picture, (0, 590), (WIDTH, 690), (24, 24, 24), -1)
    _write(picture, _CAPTION, (60, 657), 1.6, 3)
    _write(picture, f"Boats: {3 + int(at_s)}", (960, 657), 1.6, 3)
    return picture


def _write(picture: Picture, text: str, at: tuple[int, int], size: float, weight: int) -> None:
    cv2.putText(picture, text, at, _FONT, size, (255, 255, 255), weight, cv2.LINE_AA)
