"""Frames in another format or size, by one converter per process.

A frame's own `reformat` makes a converter with threads of its own for that frame alone, and they live until the collector of cycles
comes by: some hundred frames later, a process has as many threads and gigabytes of address space.
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
    # Every core has a process of its own already.
    return _converter.reformat(frame, width=width, height=height, format=form, interpolation=interpolation, threads=1)
