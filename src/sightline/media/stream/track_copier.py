"""Copying of a track without transcoding: the same packets, on a clock that starts at 0."""

from itertools import pairwise
from typing import Any

import av
from av import Packet
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.video.stream import VideoStream

from sightline.media.input import MediaLimits
from sightline.media.input.source import seconds_per_tick
from sightline.media.sampling.unreferenced_frames import length_bytes
from sightline.media.stream.stream_plan import MAX_FRAME_DURATION_S, MAX_KEYFRAME_GAP_S
from sightline.media.stream.track_writers import Mux, check_length

DEFAULT_FPS = 25.0
AAC_SAMPLES = 1024
PARAMETERS_WITHIN = 4096
MAX_UNTIMED_PACKETS = 32
"""Packets at the beginning without a decoding time: as many as frames can be out of order."""


class NotCopyable(Exception):
    """The track turned out not to be playable without transcoding."""

    def __init__(self, reason: str, *, is_sound: bool = False) -> None:
        super().__init__(reason)
        self.is_sound = is_sound


class TrackCopier:
    """Copies a track and checks what header and index did not show."""

    def __init__(
        self,
        output: OutputContainer,
        source: VideoStream | AudioStream,
        mux: Mux,
        *,
        origin_s: float,
        media_limits: MediaLimits,
    ) -> None:
        self.begins_s = self.reached_s = 0.0
        self._stream = output.add_stream_from_template(source)
        self._mux = mux
        self._second = seconds_per_tick(source)
        self._origin = round(origin_s / self._second)
        self._media_limits = media_limits
        self._is_picture = isinstance(source, VideoStream)
        self._default_duration = _default_packet_duration(source)
        self._held: list[Packet[Any]] = []
        """The last packet, and at the beginning those without a decoding time."""
        self._shown_s: float | None = None
        self._keyframe_s: float | None = None
        self._parameters: bytes | None = None
        # Units with lengths instead of start codes; their parameters stand in the header, and cannot change.
        self._has_lengths = length_bytes(source.codec_context.name, source.codec_context.extradata) is not None

    def write(self, packet: "Packet[Any]") -> None:
        if packet.size == 0:
            return
        if packet.pts is None:
            raise self._refused("packets without a time")
        packet.pts -= self._origin
        if packet.dts is not None:
            packet.dts -= self._origin
        at_s = packet.pts * self._second
        if self._is_picture:
            self._check(packet, at_s)
        elif packet.pts < 0:
            return  # audio before the start, which decoders use to warm up and players would start at
        self.reached_s = max(self.reached_s, at_s + (packet.duration or self._default_duration) * self._second)
        check_length(self.reached_s, self._media_limits)
        self._hold(packet)

    def end(self, at_s: float) -> None:
        if self._is_picture and at_s - self.reached_s > MAX_FRAME_DURATION_S:
            raise NotCopyable(f"the last picture stands for {at_s - self.reached_s:.1f} s")
        for packet in self._held:
            packet.duration = packet.duration or self._default_duration
            self._put(packet)

    def _hold(self, packet: "Packet[Any]") -> None:
        """Holds packets until the next one: playlists need durations, which not every container has."""
        held = [*self._held, packet]
        if packet.dts is None:
            if len(held) > MAX_UNTIMED_PACKETS or held[0].dts is not None:
                raise self._refused("packets without a time")
            self._held = held
            return
        for number, one in enumerate(held):
            if one.dts is None:
                one.dts = packet.dts - (len(held) - 1 - number) * self._default_duration
        for one, following in pairwise(held):
            assert one.dts is not None
            assert following.dts is not None
            one.duration = following.dts - one.dts
            self._put(one)
        self._held = [packet]

    def _put(self, packet: "Packet[Any]") -> None:
        packet.stream = self._stream
        try:
            self._mux(packet)
        except (av.FFmpegError, ValueError) as error:
            raise self._refused(f"the order of its packets: {error}") from error

    def _refused(self, reason: str) -> NotCopyable:
        return NotCopyable(reason, is_sound=not self._is_picture)

    def _check(self, packet: "Packet[Any]", at_s: float) -> None:
        if packet.is_discard:
            raise NotCopyable("hidden pictures at a cut")
        if self._keyframe_s is None and not packet.is_keyframe:
            raise NotCopyable("it begins without a key frame")
        if self._keyframe_s is None:
            self.begins_s = at_s
        if packet.is_keyframe:
            self._keyframe_s = at_s
            self._check_parameters(packet)
        if self._keyframe_s is not None and at_s - self._keyframe_s > MAX_KEYFRAME_GAP_S:
            raise NotCopyable(f"more than {MAX_KEYFRAME_GAP_S:.0f} s between key frames")
        # Packets come in decoding order, which differs from presentation order by a few frames.
        if self._shown_s is not None and at_s - self._shown_s > MAX_FRAME_DURATION_S:
            raise NotCopyable(f"a picture stands for {at_s - self._shown_s:.1f} s")
        self._shown_s = at_s if self._shown_s is None else max(self._shown_s, at_s)

    def _check_parameters(self, packet: "Packet[Any]") -> None:
        """Size or profile may change half-way in a transport stream, which players of segments do not follow."""
        if self._has_lengths:
            return
        found = sequence_parameters(bytes(packet))
        if found is not None and self._parameters not in (None, found):
            raise NotCopyable("the form of the picture changes half-way")
        self._parameters = found or self._parameters


def sequence_parameters(content: bytes) -> bytes | None:
    """The H.264 sequence parameters at the beginning of a packet with start codes; None without."""
    start = -1
    while (start := content.find(b"\0\0\1", start + 1, PARAMETERS_WITHIN)) >= 0:
        if start + 3 < len(content) and content[start + 3] & 0x1F == 7:
            end = content.find(b"\0\0\1", start + 3)
            return content[start + 3 : len(content) if end < 0 else end].rstrip(b"\0")
    return None


def _default_packet_duration(stream: VideoStream | AudioStream) -> int:
    """Duration of a packet without one, in ticks of the stream."""
    second = seconds_per_tick(stream)
    if isinstance(stream, VideoStream):
        rate = stream.average_rate or stream.guessed_rate or DEFAULT_FPS
        return max(1, round(1 / (float(rate) * second)))
    return max(1, round(AAC_SAMPLES / (stream.codec_context.sample_rate or 48_000) / second))
