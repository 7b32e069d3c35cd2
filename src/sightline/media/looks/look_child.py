"""Sandboxed work: decodes a video at an even rate. The parent gets small grey pictures, and the whole of those it asks for."""

from typing import Any

import numpy as np
from av import VideoFrame
from numpy.typing import NDArray

from sightline.jobs import ChildChannel
from sightline.media.input import MediaLimits, MediaUnreadable
from sightline.media.input.orientation import orientation_of
from sightline.media.input.source import limit_decoder, open_media, video_stream
from sightline.media.sampling.ranges import WHOLE_VIDEO
from sightline.media.sampling.reformat import reformat
from sightline.media.sampling.sample_frames import candidates

MIN_SIDE = 16


def look_at_video(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Sends `look` for each tick, then waits for `next` or `picture`; at the end `end`, or `unreadable` with the reason."""
    try:
        _look(argument, channel)
    except MediaUnreadable as error:
        channel.send("unreadable", {"reason": error.message})


def _look(argument: dict[str, Any], channel: ChildChannel) -> None:
    media_limits, fps = MediaLimits(**argument["media_limits"]), float(argument["looks_per_s"])
    readable = f"{argument['kind']}{argument['video']}"
    with open_media(readable, media_limits) as container:
        stream = video_stream(container)
        limit_decoder(stream, media_limits, threads=1)
        for _, at_ms, frame in candidates(container, stream, WHOLE_VIDEO, fps):
            gray = _picture(frame, "gray", int(argument["gray_width"]))
            channel.send("look", {"at_ms": at_ms, "width": gray.shape[1], "height": gray.shape[0]}, gray)
            while (message := channel.receive()) is not None and message.kind == "picture":
                picture = _picture(frame, "rgb24", int(argument["picture_width"]))
                channel.send("picture", {"width": picture.shape[1], "height": picture.shape[0]}, picture)
    channel.send("end")


def _picture(frame: VideoFrame, form: str, max_width: int) -> NDArray[np.uint8]:
    orientation = orientation_of(frame)
    shown_width = frame.height if orientation.swaps_sides else frame.width
    scale = min(1.0, max_width / shown_width)
    width, height = (max(MIN_SIDE, round(side * scale / 2) * 2) for side in (frame.width, frame.height))
    scaled = reformat(frame, form, width=width, height=height, interpolation="AREA")
    picture: NDArray[np.uint8] = np.ascontiguousarray(orientation.upright(scaled.to_ndarray()))
    return picture
