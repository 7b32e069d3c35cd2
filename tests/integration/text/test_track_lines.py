"""Lines that change in place, read by the real engine: the new one is read whole, however long the old one was."""

import cv2
import numpy as np
import pytest

from sightline.text.languages import need_models
from sightline.text.reading.frame_view import FrameView, decode
from sightline.text.reading.tesseract_engine import TesseractEngine
from sightline.text.reading.track_lines import LineTracker

WIDTH, HEIGHT, STEP_MS = 1280, 720, 500


def _picture(text: str, *, align: str, moved: int) -> np.ndarray:
    """A line at one height, beginning at one place or centred, on a ground that moves if it is lines to."""
    x = np.arange(WIDTH)[None, :]
    y = np.arange(HEIGHT)[:, None]
    ground = 70 + 25 * np.sin((x + moved) / 80) + 20 * np.cos((y - moved) / 60)
    picture = np.repeat(ground.astype(np.uint8)[..., None], 3, axis=2)
    (wide, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.6, 2)
    left = 120 if align == "left" else (WIDTH - wide) // 2
    cv2.putText(picture, text, (left, 600), cv2.FONT_HERSHEY_DUPLEX, 1.6, (255, 255, 255), 2, cv2.LINE_AA)
    return picture


def _views(texts: list[str], *, align: str, speed: int) -> list[FrameView]:
    found = []
    for number, text in enumerate(texts):
        jpeg = cv2.imencode(".jpg", _picture(text, align=align, moved=number * speed))[1].tobytes()
        found.append(decode(jpeg, number * STEP_MS, (number + 1) * STEP_MS, name=f"frame {number}"))
    return found


def _read(views: list[FrameView]) -> list[set[str]]:
    """The lines read in each frame."""
    tracker = LineTracker(TesseractEngine(["eng"], need_models(["eng"], None)))
    lines: list[set[str]] = [set() for _ in views]
    for number, view in enumerate(views):
        neighbours = [views[other] for other in (number - 1, number + 1) if 0 <= other < len(views)]
        for sighting in tracker.track(view, neighbours):
            lines[sighting.start_ms // STEP_MS].add(sighting.line.text)
    return lines


@pytest.mark.parametrize("align", ["left", "centre"])
@pytest.mark.parametrize("speed", [0, 9], ids=["still ground", "moving ground"])
def test_a_longer_line_in_the_place_of_a_shorter_one_is_read_to_both_its_ends(align, speed):
    texts = ["Good evening"] * 2 + ["The harbour is closed until noon"] * 2 + ["Thank you"] * 2
    assert _read(_views(texts, align=align, speed=speed)) == [{text} for text in texts]


def test_a_line_that_is_being_typed_grows():
    texts = ["sudo make", "sudo make install", "sudo make install target"]
    assert _read(_views(texts, align="left", speed=0)) == [{text} for text in texts]
