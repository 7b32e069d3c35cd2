"""Animated WebP, which the decoder library cannot read: unpacked by another one and handed on as a lossless Matroska video.

Runs in the sandbox.
"""

import io
import struct
from collections.abc import Sequence
from fractions import Fraction

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.media.input.errors import MediaUnreadable
from sightline.media.input.limits import MediaLimits

Picture = NDArray[np.uint8]
MAX_BYTES = 256 * 1024 * 1024
MAX_UNPACKED_BYTES = 768 * 1024 * 1024
"""All pictures are unpacked at once, in a process whose memory is limited."""
SHORTEST_MS = 10
USUAL_MS = 100
"""What browsers take for a picture that says it is shown for less than the shortest time."""
_CANVAS = slice(24, 30)


def as_matroska(file: io.RawIOBase, media_limits: MediaLimits) -> io.BytesIO:
    """The animation as a video of the same pictures and times."""
    content = _read(file)
    width, height = (1 + int.from_bytes(content[_CANVAS][at : at + 3], "little") for at in (0, 3))
    if width * height > media_limits.pixels:
        raise MediaUnreadable(f"the picture has {width} x {height} pixels; {media_limits.pixels} in all are allowed")
    pictures = _count_pictures(content)
    if len(content) > MAX_BYTES or pictures * width * height * 4 > MAX_UNPACKED_BYTES:
        raise MediaUnreadable(
            f"the animation has {pictures} pictures of {width} x {height}, which is too much; convert it to MP4 first"
        )
    try:
        is_read, animation = cv2.imdecodeanimation(np.frombuffer(content, np.uint8))
    except cv2.error as error:
        raise MediaUnreadable("the file is damaged: the pictures of the animation cannot be decoded") from error
    if not is_read or not len(animation.frames):
        raise MediaUnreadable("the file is damaged: the pictures of the animation cannot be decoded")
    return _write(animation.frames, [int(length) for length in animation.durations])


def _read(file: io.RawIOBase) -> bytes:
    """All of it, or one byte more than is allowed. A file in an object store comes in parts."""
    content = bytearray()
    while len(content) <= MAX_BYTES and (part := file.read(MAX_BYTES + 1 - len(content))):
        content += part
    return bytes(content)


def _write(pictures: Sequence[Picture], lengths_ms: list[int]) -> io.BytesIO:
    made = io.BytesIO()
    at_ms = 0
    with av.open(made, "w", format="matroska") as output:
        stream = output.add_stream("ffv1", rate=Fraction(1000, max(SHORTEST_MS, min(lengths_ms, default=USUAL_MS))))
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = "bgr0"
        stream.codec_context.time_base = Fraction(1, 1000)
        for picture, length_ms in zip(pictures, lengths_ms, strict=False):
            frame = av.VideoFrame.from_ndarray(_on_white(picture), format="bgr24").reformat(format="bgr0")
            length = length_ms if length_ms > SHORTEST_MS else USUAL_MS
            frame.pts, frame.time_base, frame.duration = at_ms, Fraction(1, 1000), length
            output.mux(stream.encode(frame))
            at_ms += length
        output.mux(stream.encode(None))
    made.seek(0)
    return made


def _on_white(
    picture: Picture,
) -> Picture:
    """What is transparent is white, as on most pages."""
    if picture.ndim < 3 or picture.shape[2] < 4:
        return np.ascontiguousarray(picture)
    opacity = picture[:, :, 3:].astype(np.uint16)
    mixed = (picture[:, :, :3] * opacity + 255 * (255 - opacity)) // 255
    return np.ascontiguousarray(mixed.astype(np.uint8))


def _count_pictures(content: bytes) -> int:
    count, position = 0, 12
    while position + 8 <= len(content):
        name, length = struct.unpack_from("<4sI", content, position)
        count += name == b"ANMF"
        position += 8 + length + length % 2
    return count
