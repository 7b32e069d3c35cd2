"""Cuts a clip out of a video, exact to the picture at both ends. Runs in a process of its own with limits.

The picture that is on screen at the first moment is the first of the clip, also when it came up earlier; the last one ends with
the last moment. What lies before the nearest key frame is never read, so a clip costs the same wherever it begins.
"""

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
from av import Packet, VideoFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Stream
from av.video.stream import VideoStream

from sightline.jobs import Progress
from sightline.media.clips.clip import CLIP_FILE
from sightline.media.input import MediaLimits, MediaUnreadable
from sightline.media.input.orientation import Orientation
from sightline.media.input.probe import MediaInfo, probe_container
from sightline.media.input.source import (
    audio_stream,
    limit_decoder,
    open_media,
    read_packets,
    seconds_per_tick,
    unreadable,
    video_stream,
)
from sightline.media.progress import ProgressReporter
from sightline.media.stream.audio_encoder import AudioEncoder
from sightline.media.stream.stream_plan import fit_size
from sightline.media.stream.track_copier import DEFAULT_FPS
from sightline.media.stream.track_writers import MAX_BROKEN_PACKETS
from sightline.media.stream.video_encoder import VideoEncoder, VideoFormat

MAX_HEIGHT = 2160
CRF = 20
TOLERANCE_S = 0.0005
"""Times are payload for in whole milliseconds; a picture at 66.667 ms is the one at 67."""
MAX_AUDIO_DELAY_S = 5.0
"""How much later than its picture a sound may lie in the file."""
SEEK_BACK_STEPS_S = (0.0, 1.0, 5.0, 30.0, 120.0)
"""Not every container finds the key frame before a time at the first try."""


def cut_clip(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Work for a process: writes the clip into the directory it works in."""
    media_limits = MediaLimits(**argument["media_limits"])
    start_s, end_s = argument["start_ms"] / 1000, argument["end_ms"] / 1000
    readable: str = argument["readable"]
    with open_media(readable, media_limits) as container:
        info = probe_container(container, media_limits)
    with ExitStack() as stack:
        source = stack.enter_context(open_media(readable, media_limits))
        if not _seek_before(source, start_s + info.origin_s):
            source = stack.enter_context(open_media(readable, media_limits))  # from its beginning, then
        output = stack.enter_context(av.open(str(Path.cwd() / CLIP_FILE), "w", options={"movflags": "+faststart"}))
        picture = video_stream(source)
        limit_decoder(picture, media_limits)
        frames_out = _ClipFrames(VideoEncoder(output, _form(info), output.mux_one), start_s, end_s)
        sound = audio_stream(source)
        audio_encoder = None
        if sound is not None:
            audio_encoder = AudioEncoder(output, sound, output.mux_one, start_s=start_s, end_s=end_s)
        cut = _ClipCutter(info.origin_s, picture, frames_out, sound, audio_encoder)
        cut.run(source, readable, ProgressReporter(progress, end_s - start_s))
        return {"pictures": frames_out.count}


def _form(info: MediaInfo) -> VideoFormat:
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
    """To a key frame that is frames_out at that time or earlier; False if there is no way to it but from the beginning."""
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
    """The pictures of the clip, from those that come by."""

    encoder: VideoEncoder
    start_s: float
    end_s: float
    count: int = 0
    is_over: bool = False
    _first_frame: VideoFrame | None = None
    """The one on screen when the clip begins, as far as is known yet."""

    def offer(self, frame: VideoFrame, at_s: float) -> None:
        if at_s <= self.start_s + TOLERANCE_S:
            self._first_frame = frame
            return
        self._begin()
        if at_s >= self.end_s - TOLERANCE_S:
            self.is_over = True
        elif not self.is_over:
            self._show(frame, at_s - self.start_s)

    def end(self) -> None:
        self._begin()
        if not self.count:
            raise MediaUnreadable(f"there is no picture at {self.start_s:.3f} s")
        self.encoder.end(self.end_s - self.start_s)

    def _begin(self) -> None:
        if self._first_frame is not None:
            self._show(self._first_frame, 0.0)
            self._first_frame = None

    def _show(self, frame: VideoFrame, at_s: float) -> None:
        self.encoder.show(frame, at_s)
        self.count += 1


@dataclass(slots=True)
class _ClipCutter:
    origin_s: float
    picture: VideoStream
    frames_out: _ClipFrames
    sound: AudioStream | None
    audio_encoder: AudioEncoder | None
    _broken: int = field(default=0)

    def run(self, source: InputContainer, readable: str, reporter: ProgressReporter) -> None:
        wanted: list[Stream] = [
            stream for stream in (self.picture, self.sound if self.audio_encoder else None) if stream is not None
        ]
        for packet in read_packets(source, wanted, readable):
            if packet.stream_index != self.picture.index:
                self._decode_audio(packet)
                continue
            self._decode_video(packet, reporter)
            if self.frames_out.is_over and self._is_far_behind(packet):
                break
        self.frames_out.end()
        if self.audio_encoder is not None:
            self.audio_encoder.end()

    def _is_far_behind(self, packet: "Packet[Any]") -> bool:
        if self.audio_encoder is None or packet.pts is None:
            return True
        return packet.pts * seconds_per_tick(self.picture) - self.origin_s > self.frames_out.end_s + MAX_AUDIO_DELAY_S

    def _decode_video(self, packet: "Packet[Any]", reporter: ProgressReporter) -> None:
        if self.frames_out.is_over:
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
            if frame.pts is not None:
                at_s = frame.pts * seconds_per_tick(self.picture) - self.origin_s
                self.frames_out.offer(frame, at_s)
                reporter.report(at_s - self.frames_out.start_s)

    def _decode_audio(self, packet: "Packet[Any]") -> None:
        assert self.audio_encoder is not None
        assert self.sound is not None
        try:
            frames: list[Any] = packet.decode()
        except MemoryError:
            raise
        except av.FFmpegError:
            return  # broken sound is left out
        for frame in frames:
            if frame.pts is not None:
                at_s = frame.pts * seconds_per_tick(self.sound) - self.origin_s
                if self.frames_out.start_s - MAX_AUDIO_DELAY_S < at_s < self.frames_out.end_s:
                    self.audio_encoder.hear(frame, at_s)
