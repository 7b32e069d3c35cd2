"""The sample camera: a bundled clip of a person walking past, played in a loop through the same path as any camera."""

from pathlib import Path
from typing import BinaryIO

SAMPLE_CAMERA_ID = "sample_camera"
SAMPLE_CAMERA_NAME = "Sample camera"
SAMPLE_CLIP = Path(__file__).with_name("sample_camera.mp4")


def open_sample_clip() -> BinaryIO:
    return SAMPLE_CLIP.open("rb")
