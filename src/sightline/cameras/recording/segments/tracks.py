"""Tracks of a stream as its packets describe them: the picture, and sound if it can be kept without transcoding."""

import io
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

import av
from av import Packet
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.stream import Stream
from av.video.stream import VideoStream

from sightline.cameras.recording.segment import VIDEO_CODECS, VideoCodec
from sightline.cameras.recording.segments.parameter_sets import parameter_sets, without_adts
from sightline.cameras.recording.segments.sample_times import TICKS

_HEVC_TAG = "hvc1"  # the only one that Apple's players accept
AAC_SAMPLES = 1024


@dataclass(frozen=True, slots=True)
class PictureTrack:
    """How the pictures are coded; two of them are equal if one initialization serves both."""

    codec: VideoCodec
    width: int
    height: int
    configuration: bytes
    template: VideoStream = field(compare=False)
    owner: object = field(compare=False, default=None)
    """Keeps alive what the template belongs to."""

    def add_to(self, output: OutputContainer) -> VideoStream:
        stream = output.add_stream_from_template(self.template)
        context = stream.codec_context
        context.extradata = self.configuration or None
        context.width, context.height = self.width, self.height
        if self.codec == "hevc":
            context.codec_tag = _HEVC_TAG
        stream.time_base = Fraction(1, TICKS)
        return stream


@dataclass(frozen=True, slots=True)
class SoundTrack:
    rate: int
    configuration: bytes
    template: AudioStream = field(compare=False)

    def add_to(self, output: OutputContainer) -> AudioStream:
        stream = output.add_stream_from_template(self.template)
        stream.codec_context.extradata = self.configuration
        stream.codec_context.bit_rate = 0  # an estimate that changes while the source is read
        stream.time_base = Fraction(1, self.rate)
        return stream


def is_copyable(stream: VideoStream) -> bool:
    """Whether its packets can be stored as they are; other pictures have to be encoded."""
    return stream.codec_context.codec.canonical_name in VIDEO_CODECS


def picture_track(stream: VideoStream) -> PictureTrack:
    """The track as the container describes it."""
    context = stream.codec_context
    codec = cast(VideoCodec, context.codec.canonical_name)
    return PictureTrack(codec, context.width, context.height, context.extradata or b"", stream)


def track_of_key_frame(known: PictureTrack, packet: "Packet[Any]", data: bytes) -> PictureTrack:
    """The track as a key frame describes it: the known one unless its parameter sets, or the container's, have changed."""
    if packet.has_sidedata("new_extradata"):
        changed = bytes(packet.get_sidedata("new_extradata"))
        return known if changed == known.configuration else _with_configuration(known, changed)
    found = parameter_sets(data, known.codec)
    if not found or (known.width and all(one in known.configuration for one in found)):
        return known
    try:
        container = av.open(io.BytesIO(data), format=known.codec)
        described = picture_track(container.streams.video[0])
    except (av.FFmpegError, IndexError):
        return known  # a damaged key frame tells nothing
    if not described.width or not described.configuration:
        return known
    return PictureTrack(
        known.codec, described.width, described.height, described.configuration, described.template, container
    )


def _with_configuration(known: PictureTrack, configuration: bytes) -> PictureTrack:
    """Of a stream whose packets follow their lengths, as RTMP sends it: the decoder reads the size from the configuration."""
    decoder = av.CodecContext.create(known.codec, "r")
    decoder.extradata = configuration
    width, height = known.width, known.height
    try:
        decoder.open()
        width, height = getattr(decoder, "width", 0) or width, getattr(decoder, "height", 0) or height
    except av.FFmpegError:
        pass
    return PictureTrack(known.codec, width, height, configuration, known.template, known.owner)


def sound_track(stream: Stream | None) -> SoundTrack | None:
    """The sound of the stream, if it is AAC; everything else would have to be transcoded."""
    if not isinstance(stream, AudioStream) or stream.codec_context.name not in ("aac", "aac_latm"):
        return None
    context = stream.codec_context
    if context.name == "aac_latm" or not context.sample_rate:
        return None
    return SoundTrack(context.sample_rate, context.extradata or b"", stream)


def sound_of(track: SoundTrack, data: bytes) -> tuple[SoundTrack, bytes]:
    """A packet as MP4 stores it, and the track with the configuration that the packet's header told."""
    bare, configuration = without_adts(data)
    if configuration is None or track.configuration:
        return track, bare
    return SoundTrack(track.rate, configuration, track.template), bare
