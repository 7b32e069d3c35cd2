"""Lanes: what happens to each stream of a video on its way into another, copied or decoded and encoded anew."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import av
from av import Packet, VideoFrame
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

from sightline.media.input.errors import MediaUnreadable
from sightline.media.input.limits import Caps
from sightline.media.input.probe import standing_still
from sightline.media.input.source import seconds_per_tick
from sightline.media.stream.picture_encoder import PictureEncoder
from sightline.media.stream.sound_encoder import SoundEncoder

Mux = Callable[["Packet[Any]"], None]
MOST_BROKEN = 1000
"""Packets in a row that cannot be decoded; after so many there is nothing left worth waiting for."""


class Lane(Protocol):
    begins_s: float
    """When the first of it is shown or heard, in media time."""
    reached_s: float
    """The end of what has passed."""

    def take(self, packet: "Packet[Any]") -> None:
        """The last one is empty, and tells that its stream has ended."""

    def end(self, at_s: float) -> None:
        """All streams have ended; the video lasts until then."""


class PictureLane:
    """Pictures decoded and encoded anew."""

    def __init__(
        self, encoder: PictureEncoder, source: VideoStream, *, origin_s: float, fps: float, caps: Caps
    ) -> None:
        self.begins_s = self.reached_s = 0.0
        self._encoder = encoder
        self._second = seconds_per_tick(source)
        self._origin_s = origin_s
        self._step_s = 1 / fps
        self._caps = caps
        self._broken = 0

    def take(self, packet: "Packet[Any]") -> None:
        for frame in self._decoded(packet):
            self._broken = 0
            at_s = self.reached_s if frame.pts is None else frame.pts * self._second - self._origin_s
            lasts_s = frame.duration * self._second or self._step_s
            if at_s - self.reached_s > self._caps.gap_s:
                raise standing_still(at_s - self.reached_s, self._caps)
            check_length(at_s, self._caps)
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
            if self._broken > MOST_BROKEN:
                raise MediaUnreadable(f"the file is damaged at {self.reached_s:.1f} s: {error.strerror}") from error


class SoundLane:
    """Sound decoded and encoded anew. Broken sound is left out: the pictures matter more."""

    def __init__(self, encoder: SoundEncoder, source: AudioStream, *, origin_s: float) -> None:
        self.begins_s = self.reached_s = 0.0
        self._encoder = encoder
        self._second = seconds_per_tick(source)
        self._origin_s = origin_s

    def take(self, packet: "Packet[Any]") -> None:
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


def check_length(reached_s: float, caps: Caps) -> None:
    """Of what nothing announced, or something announced wrongly."""
    if reached_s > caps.duration_s:
        raise MediaUnreadable(f"the video is longer than {caps.duration_s / 3600:.1f} hours, which is what is allowed")
