"""Small H.264 and H.265 clips for cameras in tests: a grey scene in which a bright figure may walk, as NAL units or as a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal

import av
import cv2
import numpy as np

FPS = 10
VideoCodec = Literal["h264", "h265"]


@dataclass(frozen=True, slots=True)
class CodedPicture:
    """One picture as NAL units without start codes."""

    units: tuple[bytes, ...]
    is_key: bool


def scene(width: int, height: int, at: int, *, walks: bool = True) -> np.ndarray:
    """A still background with a figure that crosses it once in fifty pictures."""
    rows = np.linspace(60, 120, height, dtype=np.uint8)[:, None]
    picture = np.repeat(np.repeat(rows, width, axis=1)[:, :, None], 3, axis=2)
    if walks:
        x = int((at % 50) / 50 * width)
        cv2.rectangle(picture, (x, height // 3), (x + width // 10, height - height // 8), (235, 235, 235), -1)
    return picture


@cache
def coded_clip(
    width: int = 320, height: int = 240, pictures: int = 50, *, walks: bool = True, codec: VideoCodec = "h264"
) -> tuple[CodedPicture, ...]:
    return code_pictures([scene(width, height, number, walks=walks) for number in range(pictures)], codec=codec)


def code_pictures(pictures: Sequence[np.ndarray], *, codec: VideoCodec = "h264") -> tuple[CodedPicture, ...]:
    """RGB pictures of one size, as a camera with a key frame each second would send them."""
    height, width = pictures[0].shape[:2]
    context = av.CodecContext.create("libx264" if codec == "h264" else "libx265", "w")
    context.width, context.height, context.pix_fmt = width, height, "yuv420p"
    context.time_base = Fraction(1, FPS)
    parameters = "keyint=10:min-keyint=10:scenecut=0:annexb=1:repeat-headers=1"
    context.options = {"preset": "ultrafast", "tune": "zerolatency"} | (
        {"x264-params": parameters}
        if codec == "h264"
        else {"x265-params": f"{parameters}:bframes=0:pools=none:frame-threads=1:log-level=none"}
    )
    packets = []
    for number, picture in enumerate(pictures):
        frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
        frame.pts = number
        packets += context.encode(frame)
    packets += context.encode()
    return tuple(CodedPicture(tuple(nal_units(bytes(packet))), packet.is_keyframe) for packet in packets)


def nal_units(annexb: bytes) -> list[bytes]:
    parts = annexb.replace(b"\x00\x00\x00\x01", b"\x00\x00\x01").split(b"\x00\x00\x01")
    return [part for part in parts if part]


def write_clip(path: Path, width: int = 320, height: int = 240, pictures: int = 50, *, walks: bool = True) -> Path:
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast", "tune": "zerolatency"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for number in range(pictures):
            frame = av.VideoFrame.from_ndarray(scene(width, height, number, walks=walks), format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


@cache
def jpeg(width: int = 320, height: int = 240, at: int = 10) -> bytes:
    _, data = cv2.imencode(".jpg", scene(width, height, at))
    return data.tobytes()
