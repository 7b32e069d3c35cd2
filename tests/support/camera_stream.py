"""Streams as cameras send them: packets with start codes, from pictures that tell their number."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import av
import numpy as np
from av import Packet, VideoFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.video.stream import VideoStream

FPS = 10


def numbered_picture(number: int, width: int = 160, height: int = 96) -> VideoFrame:
    """A grey picture with a bright bar whose place tells the number."""
    pixels = np.full((height, width, 3), 60, np.uint8)
    column = number * 4 % width
    pixels[:, column : column + 8] = 220
    return VideoFrame.from_ndarray(pixels, format="rgb24")


@dataclass(slots=True)
class CameraStream:
    """A demuxed stream; keep it while its packets and streams are used."""

    container: InputContainer
    video: VideoStream
    audio: AudioStream | None

    def packets(self) -> Iterator["Packet[Any]"]:
        streams = [self.video, *([] if self.audio is None else [self.audio])]
        yield from (packet for packet in self.container.demux(streams) if packet.size)


def camera_stream(
    seconds: float,
    *,
    width: int = 160,
    height: int = 96,
    gop: int = FPS,
    b_frames: int = 0,
    codec: str = "libx264",
    sound: str | None = None,
    starts_s: float = 0.0,
    container: str = "mpegts",
) -> CameraStream:
    """MPEG-TS as most cameras send it (start codes, parameter sets in front of key frames), or FLV as over RTMP (lengths)."""
    written = io.BytesIO()
    with av.open(written, "w", format=container) as output:
        video: Any = output.add_stream(codec, rate=FPS)
        video.width, video.height, video.pix_fmt = width, height, "yuv420p"
        is_h265 = codec == "libx265"
        video.codec_context.options = {
            "preset": "ultrafast",
            "bf": str(b_frames),
            "g": str(gop),
            "sc_threshold": "0",
        } | (
            {"x265-params": f"keyint={gop}:min-keyint={gop}:scenecut=0:bframes={b_frames}:log-level=none:pools=none"}
            if is_h265
            else {"x264-params": f"b-adapt=0:keyint={gop}:min-keyint={gop}"}
        )
        audio: Any = None if sound is None else output.add_stream(sound, rate=16000)
        for number in range(round(seconds * FPS)):
            frame = numbered_picture(number, width, height)
            frame.pts, frame.time_base = number + round(starts_s * FPS), Fraction(1, FPS)
            output.mux(video.encode(frame))
            if audio is not None:
                _beep(output, audio, number, starts_s)
        output.mux(video.encode(None))
        if audio is not None:
            output.mux(audio.encode(None))
    written.seek(0)
    source = av.open(written, "r", format=container)
    found = source.streams.audio
    return CameraStream(source, source.streams.video[0], found[0] if found else None)


def _beep(output: Any, audio: Any, number: int, starts_s: float) -> None:
    count = 16000 // FPS
    samples = (np.sin(np.arange(count) / 8) * 3000).astype(np.int16).reshape(1, -1)
    frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
    frame.sample_rate = 16000
    frame.pts, frame.time_base = number * count + round(starts_s * 16000), Fraction(1, 16000)
    output.mux(audio.encode(frame))


def pictures_of(content: bytes) -> Sequence[VideoFrame]:
    """The decoded pictures of a file."""
    with av.open(io.BytesIO(content), "r") as source:
        return list(source.decode(video=0))
