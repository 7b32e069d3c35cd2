"""Segments of sources that send pictures instead of a video stream: encoded at a low rate, on one thread."""

import io
import time
from fractions import Fraction
from pathlib import Path

import av
from av import VideoFrame
from av.video.stream import VideoStream

from sightline.cameras.recording.segment import FinishedSegment
from sightline.cameras.recording.segments.sample_times import TICKS
from sightline.cameras.recording.segments.segment_writer import MAX_WAITING_BYTES, SEGMENT_S, SegmentWriter

MAX_WIDTH = 1920
DEFAULT_FPS = 2.0
_CRF = "26"


class PictureSegments:
    """Encodes at most `max_fps` pictures per second as H.264 and hands them to a `SegmentWriter`."""

    def __init__(
        self,
        directory: Path,
        *,
        max_fps: float = DEFAULT_FPS,
        segment_s: float = SEGMENT_S,
        max_waiting_bytes: int = MAX_WAITING_BYTES,
    ) -> None:
        self._directory = directory
        self._step_s = 1 / max_fps
        self._segment_s = segment_s
        self._max_waiting_bytes = max_waiting_bytes
        self._encoder: _Encoder | None = None
        self._taken_s = float("-inf")

    @property
    def problem(self) -> str | None:
        return None if self._encoder is None else self._encoder.writer.problem

    @property
    def dropped(self) -> int:
        return 0 if self._encoder is None else self._encoder.writer.dropped

    def wants(self, at_s: float) -> bool:
        """Whether a picture of this moment would be recorded; the caller need not decode any other."""
        return at_s - self._taken_s >= self._step_s * 0.9 or at_s < self._taken_s

    def write(self, picture: VideoFrame, at_s: float | None = None) -> list[FinishedSegment]:
        """Takes a picture that was received at `at_s`, in seconds since 1970; passes over those that come too fast."""
        moment_s = time.time() if at_s is None else at_s
        if not self.wants(moment_s):
            return []
        is_set_back = moment_s < self._taken_s
        self._taken_s = moment_s
        finished: list[FinishedSegment] = []
        size = fit(picture.width, picture.height)
        if self._encoder is not None and (self._encoder.size != size or is_set_back):
            finished = self.close()
        if self._encoder is None:
            writer = (self._directory, self._segment_s, self._max_waiting_bytes)
            self._encoder = _Encoder(size, moment_s, *writer)
        return finished + self._encoder.encode(picture, moment_s)

    def close(self) -> list[FinishedSegment]:
        """Finishes the open segment."""
        encoder, self._encoder = self._encoder, None
        return [] if encoder is None else encoder.close()


class _Encoder:
    def __init__(
        self, size: tuple[int, int], began_s: float, directory: Path, segment_s: float, max_waiting_bytes: int
    ) -> None:
        self.size = size
        self._began_s = began_s
        self._key_s = float("-inf")
        self._segment_s = segment_s
        # Encoders belong to a container; this one is never written to.
        self._container = av.open(io.BytesIO(), "w", format="mp4")
        stream = self._container.add_stream("libx264", rate=Fraction(25))
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, TICKS)
        stream.codec_context.thread_count = 1
        stream.codec_context.options = {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "crf": _CRF,
            "x264-params": "keyint=infinite:scenecut=0:repeat-headers=1",
        }
        self._stream = stream
        self.writer = SegmentWriter(directory, stream, segment_s=segment_s, max_waiting_bytes=max_waiting_bytes)

    def encode(self, picture: VideoFrame, at_s: float) -> list[FinishedSegment]:
        width, height = self.size
        frame = picture.reformat(width=width, height=height, format="yuv420p")
        frame.pts = round((at_s - self._began_s) * TICKS)
        frame.time_base = Fraction(1, TICKS)
        is_key = at_s - self._key_s >= self._segment_s
        frame.pict_type = av.video.frame.PictureType.I if is_key else av.video.frame.PictureType.NONE
        if is_key:
            self._key_s = at_s
        finished: list[FinishedSegment] = []
        for packet in self._stream.encode(frame):
            finished += self.writer.write(packet, at_s)
        return finished

    def close(self) -> list[FinishedSegment]:
        finished: list[FinishedSegment] = []
        for packet in self._stream.encode(None):
            finished += self.writer.write(packet, self._began_s + float((packet.pts or 0) * packet.time_base))
        finished += self.writer.close()
        self._container.close()
        return finished


def fit(width: int, height: int) -> tuple[int, int]:
    """The size in which pictures are recorded: even, and no wider than `MAX_WIDTH`."""
    share = min(1.0, MAX_WIDTH / width)
    return max(2, round(width * share / 2) * 2), max(2, round(height * share / 2) * 2)
