"""Probing: what a video is, from its header, its index and its first frame, and whether it is accepted. Runs in the sandbox."""

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Self

import av
from av import VideoFrame
from av.container import InputContainer
from av.video.stream import VideoStream

from sightline.file_types import BARE_DEMUXERS
from sightline.jobs import Progress
from sightline.media.input.errors import MediaUnreadable
from sightline.media.input.limits import MediaLimits
from sightline.media.input.orientation import Orientation, orientation_of
from sightline.media.input.source import (
    audio_stream,
    limit_decoder,
    open_media,
    origin_s,
    seconds_per_tick,
    video_stream,
    video_streams,
)
from sightline.media.input.steady_clock import bare_rate, is_bare, may_jump

MAX_PACKETS_BEFORE_FIRST_FRAME = 2000
CLOCK_TOLERANCE_S = 1.0
_HDR_TRANSFERS = (16, 18)  # PQ and HLG, as ITU-T H.273 numbers them


@dataclass(frozen=True, slots=True)
class MediaInfo:
    """Properties of a video. Sizes are those of the stored frame, before rotation and pixel aspect are applied."""

    container: str
    duration_s: float | None
    """From the header; None without one."""
    origin_s: float
    codec: str
    profile: str | None
    pixel_format: str
    width: int
    height: int
    pixel_aspect: tuple[int, int]
    orientation: str
    fps: float | None
    is_interlaced: bool
    is_hdr: bool
    pictures: int
    """Number of video streams without cover images."""
    sounds: int
    sound_codec: str | None
    keyframe_gap_s: float | None
    """The longest distance between key frames, if the index has it."""
    max_frame_duration_s: float | None
    """The longest time that one frame is shown, if the index has it."""
    has_hidden_start: bool
    """The file has frames that must not be shown, as after a cut without encoding."""
    is_cut_off: bool = False
    """The index has frames beyond the end of the file."""

    @property
    def shown_size(self) -> tuple[int, int]:
        """Width and height of the upright picture with square pixels."""
        aspect = Fraction(*self.pixel_aspect)
        width, height = max(1, round(self.width * aspect)), self.height
        return (height, width) if Orientation[self.orientation].swaps_sides else (width, height)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Self:
        return cls(**found | {"pixel_aspect": tuple(found["pixel_aspect"])})


def probe(argument: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Sandboxed work: {"readable", "media_limits"} → `MediaInfo` as JSON."""
    media_limits = MediaLimits(**argument["media_limits"])
    with open_media(argument["readable"], media_limits) as container:
        return probe_container(container, media_limits).to_json()


def probe_container(container: InputContainer, media_limits: MediaLimits) -> MediaInfo:
    """Reads the container up to its first frame; seek before reading further."""
    stream = video_stream(container)
    limit_decoder(stream, media_limits, threads=1)
    index = _scan_index(container, stream, media_limits)
    frame = _first_frame(container, stream)
    if frame.width * frame.height > media_limits.pixels:
        raise MediaUnreadable(
            f"the picture has {frame.width} x {frame.height} pixels; {media_limits.pixels} in all are allowed"
        )
    context = stream.codec_context
    sound = audio_stream(container)
    aspect = stream.sample_aspect_ratio or Fraction(1)
    return MediaInfo(
        container=container.format.name.partition(",")[0],
        duration_s=announced_s(container),
        origin_s=origin_s(container),
        codec=context.name,
        profile=stream.profile,
        pixel_format=frame.format.name,
        width=frame.width,
        height=frame.height,
        pixel_aspect=_plausible_aspect(aspect),
        orientation=orientation_of(frame).name,
        fps=bare_rate(stream) if is_bare(container) else _fps(stream),
        is_interlaced=frame.interlaced_frame,
        is_hdr=int(frame.color_trc) in _HDR_TRANSFERS,
        pictures=len(video_streams(container)),
        sounds=len(container.streams.audio),
        sound_codec=None if sound is None else sound.codec_context.name,
        keyframe_gap_s=index.keyframe_gap_s,
        max_frame_duration_s=index.max_frame_duration_s,
        has_hidden_start=index.has_hidden_start,
        is_cut_off=index.is_cut_off,
    )


@dataclass(frozen=True, slots=True)
class _IndexSummary:
    keyframe_gap_s: float | None = None
    max_frame_duration_s: float | None = None
    has_hidden_start: bool = False
    is_cut_off: bool = False


def _scan_index(container: InputContainer, stream: VideoStream, media_limits: MediaLimits) -> _IndexSummary:
    """The index of an MP4 file has the position and time of every frame, so nothing has to be decoded."""
    if "mov" not in container.format.name or not stream.frames:
        return _IndexSummary()  # fragmented, or another container: there is no index to scan
    second = seconds_per_tick(stream)
    size = container.size
    first: int | None = None
    before = keyframe = 0
    gap = keyframe_gap = 0
    has_hidden_start = is_cut_off = False
    for entry in stream.index_entries:
        at = entry.timestamp
        if first is None:
            first = before = keyframe = at
        if 0 < size < entry.pos + entry.size:
            is_cut_off = True
            break
        gap, before = max(gap, at - before), at
        if entry.is_keyframe:
            keyframe_gap, keyframe = max(keyframe_gap, at - keyframe), at
        has_hidden_start |= entry.is_discard
    if gap * second > media_limits.gap_s:
        raise frozen_picture(gap * second, media_limits)
    return _IndexSummary(max(keyframe_gap, before - keyframe) * second, gap * second, has_hidden_start, is_cut_off)


def announced_s(container: InputContainer) -> float | None:
    if container.duration is None:
        return None
    # Writers of Matroska do not agree whether the duration counts from the first frame or from zero.
    offset_s = max(0.0, origin_s(container)) if "matroska" in container.format.name else 0.0
    return max(0.0, container.duration / av.time_base - offset_s)


def has_plain_clock(info: MediaInfo, duration_ms: int | None) -> bool:
    """Whether times of the video are times of its file, so that one can seek. `duration_ms` is how long it was found to be."""
    if info.container in BARE_DEMUXERS:
        return False
    if not may_jump(info.container) or duration_ms is None or info.duration_s is None:
        return True
    return abs(info.duration_s - duration_ms / 1000) <= CLOCK_TOLERANCE_S


def cut_off_note(found_s: float, announced_s: float | None) -> str:
    """What people are told of a file that ends before it should; it is used up to there."""
    if announced_s is None or announced_s <= found_s:
        return f"The file is cut off after {found_s:.1f} s of video; the rest is missing."
    return f"The file is cut off after {found_s:.1f} s of video; it announces {announced_s:.1f} s, and the rest is missing."


def frozen_picture(gap_s: float, media_limits: MediaLimits) -> MediaUnreadable:
    return MediaUnreadable(
        f"the timestamps are broken: one picture would stand for {gap_s:.0f} s; at most {media_limits.gap_s:.0f} s are allowed"
    )


def _first_frame(container: InputContainer, stream: VideoStream) -> VideoFrame:
    broken: av.FFmpegError | None = None
    packets = 0
    try:
        for packet in container.demux(stream):
            packets += 1
            try:
                for frame in packet.decode():
                    return frame
            except av.InvalidDataError as error:
                broken = error  # the frames after a broken beginning may be fine
            if packets > MAX_PACKETS_BEFORE_FIRST_FRAME:
                break
    except MemoryError:
        raise
    except av.FFmpegError as error:
        broken = error
    name = stream.codec_context.name
    why = "there are no pictures in it" if broken is None and packets <= 1 else f"{name} pictures cannot be decoded"
    raise MediaUnreadable(f"the file is damaged: {why}") from broken


def _fps(stream: VideoStream) -> float | None:
    rate = stream.average_rate or stream.guessed_rate
    return None if not rate else float(rate)


def _plausible_aspect(aspect: Fraction) -> tuple[int, int]:
    """Ignores pixel aspects beyond 1:10, which are mistakes of the writer."""
    if not Fraction(1, 10) <= aspect <= 10:
        return 1, 1
    return aspect.numerator, aspect.denominator
