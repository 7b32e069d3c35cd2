"""Video encoding to H.264 with variable frame times."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from av import Packet, VideoFrame
from av.container import OutputContainer
from av.video.frame import PictureType

from sightline.media.input.orientation import Orientation
from sightline.media.input.source import decoder_threads
from sightline.media.stream.video_filters import TICK, VideoFilters

MAX_FPS = 60.0
_SLACK = 0.9
"""Tolerance of the shortest distance between two frames: times are rounded, and 60 fps must stay 60."""


@dataclass(frozen=True, slots=True)
class VideoFormat:
    width: int
    height: int
    orientation: Orientation
    is_interlaced: bool
    is_hdr: bool
    fps: float
    max_fps: float | None = MAX_FPS
    """Frames beyond this rate are left out."""
    crf: int = 23
    keyframe_every_s: float = 2.0
    repeat_after_s: float | None = None
    """A frame that is shown longer than this is repeated, for players that take the pause for a gap."""


class VideoEncoder:
    """Encodes H.264 without B-frames, so that packets come out in presentation order."""

    def __init__(
        self,
        output: OutputContainer,
        form: VideoFormat,
        mux: Callable[["Packet[Any]"], None],
        *,
        draw: Callable[[VideoFrame, float], None] | None = None,
    ) -> None:
        """`draw` changes each picture before it is encoded; it is given the time at which the picture is shown."""
        self._form = form
        self._mux = mux
        self._draw = draw
        self._graph = VideoFilters(
            width=form.width,
            height=form.height,
            orientation=form.orientation,
            is_interlaced=form.is_interlaced,
            is_hdr=form.is_hdr,
        )
        rate = Fraction(min(form.fps, form.max_fps or form.fps)).limit_denominator(1001)
        self._stream = output.add_stream("libx264", rate=rate, options=_options(form))
        self._stream.width, self._stream.height, self._stream.pix_fmt = form.width, form.height, "yuv420p"
        self._stream.time_base = self._stream.codec_context.time_base = TICK
        self._stream.codec_context.gop_size = 100_000  # key frames are set by time instead
        self._stream.codec_context.thread_count = decoder_threads() + 1  # one for lookahead
        self._shortest = 1 if form.max_fps is None else int(_SLACK / (form.max_fps * TICK))
        self._default_duration = max(1, round(1 / (rate * TICK)))
        self._last_in: int | None = None
        self._last: VideoFrame | None = None
        self._keyframe_at = 0
        self._held: Packet[Any] | None = None

    @property
    def has_shown(self) -> bool:
        return self._last_in is not None

    def show(self, frame: VideoFrame, at_s: float) -> None:
        """Shows a frame from this time on. Call it in the order of time; a frame beyond the maximum rate is left out."""
        ticks = max(0, round(at_s / TICK))
        if self._last_in is not None and ticks < self._last_in + self._shortest:
            return
        self._last_in = ticks
        for ready in self._graph.push(frame, ticks):
            self._encode(ready)

    def end(self, at_s: float) -> None:
        """Ends the stream; the last frame is shown until this time."""
        for ready in self._graph.end():
            self._encode(ready)
        ticks = round(at_s / TICK)
        if self._form.repeat_after_s is not None and self._last is not None:
            assert self._last.pts is not None
            self._repeat_until(ticks)
            if ticks - self._last.pts > 2 * self._default_duration:
                self._put(self._last, ticks - self._default_duration)
        for packet in self._stream.encode(None):
            self._hold(packet)
        if self._held is not None:
            assert self._held.pts is not None
            self._held.duration = max(1, ticks - self._held.pts)
            self._mux(self._held)

    def _hold(self, packet: "Packet[Any]") -> None:
        """Holds a packet until the next one, which gives its duration."""
        if self._held is not None:
            assert packet.pts is not None
            assert self._held.pts is not None
            self._held.duration = packet.pts - self._held.pts
            self._mux(self._held)
        self._held = packet

    def _encode(self, frame: VideoFrame) -> None:
        assert frame.pts is not None
        self._repeat_until(frame.pts)
        if self._draw is not None:
            self._draw(frame, float(frame.pts * TICK))
        self._put(frame, frame.pts)

    def _repeat_until(self, ticks: int) -> None:
        if self._form.repeat_after_s is None:
            return
        step = round(self._form.repeat_after_s / TICK)
        while self._last is not None and self._last.pts is not None and ticks - self._last.pts > step:
            self._put(self._last, self._last.pts + step)

    def _copy_colour_space(self, frame: VideoFrame) -> None:
        """Passes on the colour space, which players otherwise guess by the size of the picture."""
        context = self._stream.codec_context
        context.color_primaries, context.color_trc = frame.color_primaries, frame.color_trc
        context.colorspace, context.color_range = frame.colorspace, frame.color_range

    def _put(self, frame: VideoFrame, ticks: int) -> None:
        frame.pts, frame.time_base, frame.duration = ticks, TICK, self._default_duration
        is_key = ticks >= self._keyframe_at
        frame.pict_type = PictureType.I if is_key else PictureType.NONE
        if is_key:
            self._keyframe_at = ticks + round(self._form.keyframe_every_s / TICK)
        if self._last is None:
            self._copy_colour_space(frame)
        self._last = frame
        for packet in self._stream.encode(frame):
            self._hold(packet)


def _options(form: VideoFormat) -> dict[str, str]:
    return {"preset": "veryfast", "crf": str(form.crf), "bf": "0", "profile": "high", "forced-idr": "1"}
