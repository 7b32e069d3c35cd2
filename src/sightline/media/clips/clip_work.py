"""Clip cutting, exact to the frame at both ends. Runs in the sandbox.

The frame that is on screen at the start time is the first frame of the clip, also when it was shown earlier; the last frame ends at
the end time. Reading starts at the nearest key frame, so a clip costs the same wherever it starts. A clip of several parts shows
them one after another, encoded as one stream.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import av
from av import Packet, VideoFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Stream
from av.video.stream import VideoStream

from sightline.jobs import Progress
from sightline.media.clips.captions import CaptionSpan
from sightline.media.clips.clip import CLIP_FILE, ClipSpan
from sightline.media.clips.soft_captions import SoftCaptions
from sightline.media.input import MediaLimits, MediaUnreadable
from sightline.media.input.orientation import Orientation
from sightline.media.input.probe import MediaInfo, has_plain_clock, probe_container
from sightline.media.input.source import (
    audio_stream,
    limit_decoder,
    open_media,
    read_packets,
    seconds_per_tick,
    unreadable,
    video_stream,
)
from sightline.media.input.steady_clock import bare_rate, is_bare
from sightline.media.progress import ProgressReporter
from sightline.media.stream.audio_encoder import AudioEncoder
from sightline.media.stream.stream_plan import fit_size
from sightline.media.stream.track_copier import DEFAULT_FPS
from sightline.media.stream.track_writers import MAX_BROKEN_PACKETS
from sightline.media.stream.video_encoder import VideoEncoder, VideoFormat

MAX_HEIGHT = 2160
CRF = 20
TOLERANCE_S = 0.0005
"""Requested times are whole milliseconds; a frame at 66.667 ms is the one at 67."""
MAX_AUDIO_DELAY_S = 5.0
"""How much later than its frame an audio packet may be stored in the file."""
SEEK_BACK_STEPS_S = (0.0, 1.0, 5.0, 30.0, 120.0)
"""Seeking is tried this much earlier, because not every container finds the key frame before a time."""


def cut_clip(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Sandboxed work: writes the clip into the working directory."""
    media_limits = MediaLimits(**argument["media_limits"])
    parts = [ClipSpan(*part) for part in argument.get("parts") or [(argument["start_ms"], argument["end_ms"])]]
    readable: str = argument["readable"]
    with open_media(readable, media_limits) as container:
        info = probe_container(container, media_limits)
    form = _video_format(info)
    spans = [CaptionSpan.of(one) for one in argument.get("spans", ())]
    is_burned = argument.get("captions") == "burned"
    changes_s = sorted({ms / 1000 for one in spans for ms in (one.start_ms, one.end_ms)}) if is_burned else []
    reporter = ProgressReporter(progress, sum(part.length_s for part in parts))
    with av.open(CLIP_FILE, "w", options={"movflags": "+faststart"}) as output:
        encoder = VideoEncoder(output, form, output.mux_one, draw=_painter(spans, form) if is_burned else None)
        audio_encoder: AudioEncoder | None = None
        soft: SoftCaptions | None = None
        offset_s, count = 0.0, 0
        for number, part in enumerate(parts):
            start_s, end_s = part.start_ms / 1000, part.end_ms / 1000
            with _open_before(readable, media_limits, info, start_s, argument.get("duration_ms")) as source:
                audio = audio_stream(source)
                if number == 0:
                    if audio is not None:
                        audio_encoder = AudioEncoder(output, audio, output.mux_one, start_s=start_s, end_s=end_s)
                    soft = SoftCaptions(output, spans) if argument.get("captions") == "soft" else None
                elif audio_encoder is not None:
                    audio_encoder.continue_with(start_s=start_s - offset_s, end_s=end_s)
                clip_frames = _ClipFrames(encoder, start_s, end_s, changes_s, offset_s=offset_s)
                video = video_stream(source)
                limit_decoder(video, media_limits)
                step_s = 1 / bare_rate(video) if is_bare(source) else None
                cutter = _ClipCutter(info.origin_s, video, clip_frames, audio, audio_encoder, step_s, soft)
                cutter.run(source, readable, reporter)
            offset_s += part.length_s
            count += clip_frames.count
        encoder.end(offset_s)
        if audio_encoder is not None:
            audio_encoder.end()
        return {"pictures": count}


@contextmanager
def _open_before(
    readable: str, media_limits: MediaLimits, info: MediaInfo, start_s: float, duration_ms: int | None
) -> Iterator[InputContainer]:
    """The source, at a key frame before that time or at its beginning."""
    with open_media(readable, media_limits) as source:
        if has_plain_clock(info, duration_ms) and _seek_before(source, start_s + info.origin_s):
            yield source
            return
    with open_media(readable, media_limits) as source:
        yield source


def _painter(spans: Sequence[CaptionSpan], form: VideoFormat) -> Callable[[VideoFrame, float], None]:
    from sightline.media.clips.caption_painter import CaptionPainter  # loads OpenCV, which other clips do not need

    return CaptionPainter(spans, width=form.width, height=form.height).paint


def _video_format(info: MediaInfo) -> VideoFormat:
    width, height = fit_size(info.shown_size, MAX_HEIGHT)
    return VideoFormat(
        width=width,
        height=height,
        orientation=Orientation[info.orientation],
        is_interlaced=info.is_interlaced,
        is_hdr=info.is_hdr,
        fps=info.fps or DEFAULT_FPS,
        max_fps=None,
        crf=CRF,
    )


def _seek_before(container: InputContainer, at_s: float) -> bool:
    """Seeks to a key frame at or before that time; False if the file has to be read from the beginning."""
    stream = video_stream(container)
    second = seconds_per_tick(stream)
    for back_s in SEEK_BACK_STEPS_S:
        target = round((at_s - back_s) * av.time_base)
        try:
            container.seek(target)
            keyframe = next((packet for packet in container.demux(stream) if packet.is_keyframe), None)
            if keyframe is not None and keyframe.pts is not None and keyframe.pts * second <= at_s + TOLERANCE_S:
                container.seek(target)
                return True
        except MemoryError:
            raise
        except av.FFmpegError:
            return False
    return False


@dataclass(slots=True)
class _ClipFrames:
    """Encodes the decoded frames that belong to the clip."""

    encoder: VideoEncoder
    start_s: float
    end_s: float
    changes_s: Sequence[float] = ()
    """When captions change, in the clip's time: a frame that is shown longer is shown again then."""
    offset_s: float = 0.0
    """Where the part starts in the clip."""
    count: int = 0
    is_over: bool = False
    _first_frame: VideoFrame | None = None
    """The latest frame at or before the start of the clip."""
    _shown: VideoFrame | None = None
    _shown_at_s: float = 0.0

    def offer(self, frame: VideoFrame, at_s: float) -> None:
        if at_s <= self.start_s + TOLERANCE_S:
            self._first_frame = frame
            return
        self._begin()
        if at_s >= self.end_s - TOLERANCE_S:
            self.is_over = True
        elif not self.is_over:
            self._show(frame, self.clip_time(at_s))

    def clip_time(self, at_s: float) -> float:
        return at_s - self.start_s + self.offset_s

    def end(self) -> None:
        self._begin()
        if not self.count:
            raise MediaUnreadable(f"there is no picture at {self.start_s:.3f} s")
        self._repeat_until(self.clip_time(self.end_s))

    def _begin(self) -> None:
        if self._first_frame is not None:
            self._show(self._first_frame, self.offset_s)
            self._first_frame = None

    def _show(self, frame: VideoFrame, at_s: float) -> None:
        self._repeat_until(at_s)
        self.encoder.show(frame, at_s)
        self.count += 1
        self._shown, self._shown_at_s = frame, at_s

    def _repeat_until(self, at_s: float) -> None:
        if self._shown is None:
            return
        for change_s in self.changes_s:
            if self._shown_at_s + TOLERANCE_S < change_s < at_s - TOLERANCE_S:
                self.encoder.show(self._shown, change_s)


@dataclass(slots=True)
class _ClipCutter:
    origin_s: float
    video: VideoStream
    clip_frames: _ClipFrames
    audio: AudioStream | None
    audio_encoder: AudioEncoder | None
    bare_step_s: float | None = None
    """Time between pictures of a stream without times, which is read from its beginning."""
    soft_captions: SoftCaptions | None = None
    _broken: int = field(default=0)
    _shown: int = field(default=0)

    def run(self, source: InputContainer, readable: str, reporter: ProgressReporter) -> None:
        streams: list[Stream] = [
            stream for stream in (self.video, self.audio if self.audio_encoder else None) if stream is not None
        ]
        for packet in read_packets(source, streams, readable):
            if packet.stream_index != self.video.index:
                self._decode_audio(packet)
                continue
            self._decode_video(packet, reporter)
            if self.clip_frames.is_over and self._is_past_audio(packet):
                break
        self.clip_frames.end()
        self._write_captions(self.clip_frames.clip_time(self.clip_frames.end_s))

    def _is_past_audio(self, packet: "Packet[Any]") -> bool:
        if self.audio_encoder is None or packet.pts is None:
            return True
        return packet.pts * seconds_per_tick(self.video) - self.origin_s > self.clip_frames.end_s + MAX_AUDIO_DELAY_S

    def _decode_video(self, packet: "Packet[Any]", reporter: ProgressReporter) -> None:
        if self.clip_frames.is_over:
            return
        try:
            frames: list[Any] = packet.decode()
        except MemoryError:
            raise
        except av.FFmpegError as error:
            self._broken += 1
            if self._broken > MAX_BROKEN_PACKETS:
                raise unreadable(error) from error
            return
        for frame in frames:
            at_s = self._time_of(frame)
            if at_s is not None:
                self.clip_frames.offer(frame, at_s)
                self._write_captions(self.clip_frames.clip_time(at_s))
                reporter.report(self.clip_frames.clip_time(at_s))

    def _write_captions(self, until_s: float) -> None:
        if self.soft_captions is not None:
            self.soft_captions.write_until(until_s)

    def _time_of(self, frame: VideoFrame) -> float | None:
        if self.bare_step_s is not None:
            self._shown += 1
            return (self._shown - 1) * self.bare_step_s
        return None if frame.pts is None else frame.pts * seconds_per_tick(self.video) - self.origin_s

    def _decode_audio(self, packet: "Packet[Any]") -> None:
        assert self.audio_encoder is not None
        assert self.audio is not None
        try:
            frames: list[Any] = packet.decode()
        except MemoryError:
            raise
        except av.FFmpegError:
            return  # broken audio is left out
        for frame in frames:
            if frame.pts is not None:
                at_s = frame.pts * seconds_per_tick(self.audio) - self.origin_s
                if self.clip_frames.start_s - MAX_AUDIO_DELAY_S < at_s < self.clip_frames.end_s:
                    self.audio_encoder.hear(frame, at_s)
