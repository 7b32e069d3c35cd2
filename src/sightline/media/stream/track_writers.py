"""Track writers: each writes one track of the output, copied or transcoded."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import av
from av import Packet, VideoFrame
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

from sightline.media.input import MediaLimits, MediaUnreadable
from sightline.media.input.probe import frozen_picture
from sightline.media.input.source import seconds_per_tick
from sightline.media.stream.audio_encoder import AudioEncoder
from sightline.media.stream.video_encoder import VideoEncoder

Mux = Callable[["Packet[Any]"], None]
MAX_BROKEN_PACKETS = 1000
"""Consecutive packets that may fail to decode."""


class TrackWriter(Protocol):
    begins_s: float
    """Media time of the first frame."""
    reached_s: float
    """Media time of the end of what was written."""

    def write(self, packet: "Packet[Any]") -> None:
        """Writes a packet; an empty one is the end of its stream."""

    def end(self, at_s: float) -> None:
        """Ends the track at the end of the video."""


class VideoTranscoder:
    """Transcodes the video track."""

    def __init__(
        self, encoder: VideoEncoder, source: VideoStream, *, origin_s: float, fps: float, media_limits: MediaLimits
    ) -> None:
        self.begins_s = self.reached_s = 0.0
        self._encoder = encoder
        self._second = seconds_per_tick(source)
        self._origin_s = origin_s
        self._step_s = 1 / fps
        self._media_limits = media_limits
        self._broken = 0

    def write(self, packet: "Packet[Any]") -> None:
        for frame in self._decoded(packet):
            self._broken = 0
            at_s = self.reached_s if frame.pts is None else frame.pts * self._second - self._origin_s
            lasts_s = frame.duration * self._second or self._step_s
            if at_s - self.reached_s > self._media_limits.gap_s:
                raise frozen_picture(at_s - self.reached_s, self._media_limits)
            check_length(at_s, self._media_limits)
            if not self._encoder.has_shown:
                self.begins_s = at_s
            self._encoder.show(frame, at_s)
            self.reached_s = max(self.reached_s, at_s + lasts_s)

    def end(self, at_s: float) -> None:
        if not self._encoder.has_shown:
            raise MediaUnreadable("the file is damaged: no picture can be decoded")
        self._encoder.end(max(at_s, self.reached_s))

    def _decoded(self, packet: "Packet[Any]") -> Iterator[VideoFrame]:
        try:
            yield from packet.decode()
        except MemoryError:
            raise
        except av.FFmpegError as error:
            self._broken += 1
            if self._broken > MAX_BROKEN_PACKETS:
                raise MediaUnreadable(f"the file is damaged at {self.reached_s:.1f} s: {error.strerror}") from error


class AudioTranscoder:
    """Transcodes the audio track. Broken audio is left out, because the video matters more."""

    def __init__(self, encoder: AudioEncoder, source: AudioStream, *, origin_s: float) -> None:
        self.begins_s = self.reached_s = 0.0
        self._encoder = encoder
        self._second = seconds_per_tick(source)
        self._origin_s = origin_s

    def write(self, packet: "Packet[Any]") -> None:
        try:
            frames: list[Any] = packet.decode()
        except MemoryError:
            raise
        except av.FFmpegError:
            return
        for frame in frames:
            at_s = self.reached_s if frame.pts is None else frame.pts * self._second - self._origin_s
            self._encoder.hear(frame, at_s)
            self.reached_s = max(self.reached_s, at_s + frame.samples / frame.sample_rate)

    def end(self, at_s: float) -> None:
        self._encoder.end()


def check_length(reached_s: float, media_limits: MediaLimits) -> None:
    """Checks the length of a video whose header does not declare it or is wrong."""
    if reached_s > media_limits.duration_s:
        raise MediaUnreadable(
            f"the video is longer than {media_limits.duration_s / 3600:.1f} hours, which is what is allowed"
        )
