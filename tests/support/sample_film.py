"""A part of the sample video: what tests look for in it is shown within seconds, and each second more has to be worked on."""

from fractions import Fraction
from pathlib import Path

import av

from sightline.media.sample_video import FPS, HEIGHT, WIDTH, draw, make_sample_video
from support.scratch import made_once

HARBOUR_S = (6, 12)
"""The end of its slides, then a moving picture with a counter."""


def make_film(path: Path, first_s: int, last_s: int) -> None:
    """These seconds of the sample video, encoded as it is."""
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "crf": "23", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.time_base = Fraction(1, FPS)
        stream.codec_context.gop_size = 2 * FPS
        for number in range((last_s - first_s) * FPS):
            frame = av.VideoFrame.from_ndarray(draw(first_s + number / FPS), format="bgr24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def sample_film() -> Path:
    """The whole sample video, made once in this run: to draw and encode it takes seconds. Not to be changed."""
    with made_once("sample.mp4") as (path, is_there):
        if not is_there:
            made = path.with_suffix(".partial")
            make_sample_video(made)
            made.rename(path)
    return path
