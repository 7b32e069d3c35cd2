"""Conversion of frames to another format or size, with one converter per process.

The `reformat` method of a frame creates a converter with threads for that frame alone, which live until the garbage collector
runs: after some hundred frames a process has as many threads and gigabytes of address space.
"""

from av import VideoFrame
from av.video.reformatter import VideoReformatter

_converter = VideoReformatter()


def reformat(
    frame: VideoFrame,
    form: str,
    *,
    width: int | None = None,
    height: int | None = None,
    interpolation: str | None = None,
) -> VideoFrame:
    # One thread, because every core has a process already.
    return _converter.reformat(frame, width=width, height=height, format=form, interpolation=interpolation, threads=1)
