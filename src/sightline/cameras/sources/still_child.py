"""Decoding still pictures that the parent fetched, in the camera process: JPEG, PNG or WebP, one message each."""

from typing import Any

import cv2
import numpy as np

from sightline.cameras.sources.looking import DecodedStill, Looker
from sightline.cameras.sources.recording_child import StillRecording
from sightline.jobs import ChildChannel, ProcessMessage

MAX_BAD_PICTURES = 10
"""In a row; a camera that restarts may send one or two that are cut short."""


def read_stills(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Looks at every picture that it is sent; ends with `problem` when they are no pictures."""
    looker = Looker(channel, argument)
    recording = StillRecording(channel, argument)
    bad_pictures = 0
    is_open = False

    def decode(message: ProcessMessage) -> None:
        nonlocal bad_pictures, is_open
        if message.kind != "still":
            recording.obey(message)
            return
        picture = cv2.imdecode(np.frombuffer(message.content, np.uint8), cv2.IMREAD_COLOR_RGB)
        if picture is None:
            bad_pictures += 1
            return
        bad_pictures = 0
        if not is_open:
            is_open = True
            height, width = picture.shape[:2]
            channel.send(
                "opened", {"codec": _format_of(message.content), "width": width, "height": height, "fps": None}
            )
        found = np.asarray(picture, np.uint8)
        recording.write(found)
        looker.see(DecodedStill(found), is_look=True)

    looker.on_message = decode
    while bad_pictures < (MAX_BAD_PICTURES if is_open else 1):
        looker.obey(60.0)
    channel.send("problem", {"code": "not_video"})


def _format_of(content: bytes) -> str:
    return "jpeg" if content[:2] == b"\xff\xd8" else "png" if content[:4] == b"\x89PNG" else "picture"
