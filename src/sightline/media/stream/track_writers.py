"""Lanes: what happens to each stream of a video on its way into another, copied or decoded and encoded anew."""

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
"""Packets in a row that cannot be decoded; after so many there is nothing left worth waiting for."""


class TrackWriter(Protocol):
    begins_s: float
    """When the first of it is shown or heard, in media time."""
    reached_s: float
    """The end of what has passed."""

    def write(self, packet: "Packet[Any]") -> None:
        """The last one is empty, and tells that its stream has ended."""

    def end(self, at_s: float) -> None:
        """All streams have ended; the video lasts until then."""


class VideoTranscoder:
    """Pictures decoded and encoded anew."""

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
    """Sound decoded and encoded anew. Broken sound is left out: the pictures matter more."""

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
    """Of what nothing announced, or something announced wrongly."""
    if reached_s > media_limits.duration_s:
        raise MediaUnreadable(
            f"the video is longer than {media_limits.duration_s / 3600:.1f} hours, which is what is allowed"
        )
