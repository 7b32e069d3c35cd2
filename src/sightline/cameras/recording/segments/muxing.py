"""Muxing of one segment: coded samples become a self-contained fragmented MP4, byte for byte as the camera sent them."""

import io
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import av
from av import Packet
from av.container import OutputContainer
from av.stream import Stream

from sightline.cameras.recording.segments.sample_times import TICKS, CodedSample, SampleTime
from sightline.cameras.recording.segments.tracks import AAC_SAMPLES, PictureTrack, SoundTrack

# Each segment has its own muxer, so the clock of its run has to be kept (frag_discont, without shifts to zero).
_OPTIONS = {
    "movflags": "empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer",
    "avoid_negative_ts": "disabled",
    "use_editlist": "0",
    "video_track_timescale": str(TICKS),
}
_BOX = struct.Struct(">I4s")


@dataclass(frozen=True, slots=True)
class Sound:
    """Sound of one segment: packets of AAC from `start` on, in samples since the run began."""

    track: SoundTrack
    packets: Sequence[bytes]
    start: int


@dataclass(frozen=True, slots=True)
class MuxedSegment:
    content: bytes
    init_bytes: int


def mux_segment(
    track: PictureTrack, samples: Sequence[CodedSample], times: Sequence[SampleTime], sound: Sound | None
) -> MuxedSegment:
    written = io.BytesIO()
    with av.open(written, "w", format="mp4", options=_OPTIONS) as output:
        pictures = track.add_to(output)
        voices = None if sound is None else sound.track.add_to(output)
        for sample, time in zip(samples, times, strict=True):
            _mux(output, pictures, sample.data, time, Fraction(1, TICKS), is_key=sample.is_key)
        if sound is not None and voices is not None:
            for number, data in enumerate(sound.packets):
                at = sound.start + number * AAC_SAMPLES
                _mux(output, voices, data, SampleTime(at, at, AAC_SAMPLES), Fraction(1, sound.track.rate), is_key=True)
    content = written.getvalue()
    return MuxedSegment(content, _first_fragment(content))


def _mux(
    output: OutputContainer, stream: Stream, data: bytes, time: SampleTime, tick: Fraction, *, is_key: bool
) -> None:
    packet = Packet(data)
    packet.stream = stream
    packet.time_base = tick
    packet.pts, packet.dts, packet.duration = time.pts, time.dts, time.duration
    packet.is_keyframe = is_key
    output.mux_one(packet)


def _first_fragment(content: bytes) -> int:
    """Where the first fragment begins, which is the length of the initialization."""
    at = 0
    while at + _BOX.size <= len(content):
        size, kind = _BOX.unpack_from(content, at)
        if kind == b"moof":
            return at
        if size < _BOX.size:
            break
        at += size
    raise ValueError("the muxer wrote no fragment")
