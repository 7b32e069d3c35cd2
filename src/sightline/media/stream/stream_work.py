"""Stream creation: the HLS playlist and segments that browsers play. Runs in the sandbox."""

from dataclasses import dataclass
from pathlib import Path

import av
from av.container import InputContainer, OutputContainer

from sightline.jobs import Progress
from sightline.media.input import MediaLimits
from sightline.media.input.orientation import Orientation
from sightline.media.input.probe import MediaInfo
from sightline.media.input.source import audio_stream, limit_decoder, open_media, read_packets, unreadable, video_stream
from sightline.media.progress import ProgressReporter
from sightline.media.stream.audio_encoder import AudioEncoder
from sightline.media.stream.playlist import parse_playlist, render_playlist, with_length
from sightline.media.stream.proxy import PLAYLIST_FILE
from sightline.media.stream.segment_files import SegmentFiles
from sightline.media.stream.stream_plan import StreamPlan, plan_stream, without_copying
from sightline.media.stream.track_copier import DEFAULT_FPS, NotCopyable, TrackCopier
from sightline.media.stream.track_writers import AudioTranscoder, TrackWriter, VideoTranscoder
from sightline.media.stream.video_encoder import VideoEncoder, VideoFormat

SEGMENTS = "segment_%05d.ts"
REPEAT_AFTER_S = 0.5
MISSING_S = 1.0
MISSING_SHARE = 0.02
"""A file that ends this much before its declared end is truncated. Declared lengths are rounded, and audio may be padded."""

# Containers that declare their length in the header; for others it is found by reading the end.
_ANNOUNCED = ("matroska", "avi", "flv", "asf")


@dataclass(frozen=True, slots=True)
class StreamResult:
    duration_s: float
    plan: StreamPlan
    """The plan that was carried out in the end."""
    is_cut_off: bool = False
    """The file ends before it should."""


@dataclass(frozen=True, slots=True)
class StreamRequest:
    readable: str
    media_limits: MediaLimits
    max_height: int
    segment_s: float
    into: Path


def make_stream(request: StreamRequest, info: MediaInfo, progress: Progress) -> StreamResult:
    """Copies the streams that browsers can play and transcodes the others, also when copying fails halfway."""
    plan = plan_stream(info, max_height=request.max_height)
    while True:
        try:
            return StreamResult(*_pass(request, info, plan, progress))
        except NotCopyable as error:
            reason, is_sound = str(error), error.is_sound
        except (av.InvalidDataError, av.ArgumentError) as error:
            # Raised by the muxer, which parses the packets it copies.
            if not plan.copies_picture:
                raise unreadable(error) from error
            reason, is_sound = f"its packets: {error.strerror}", False
        _remove_all(request.into)
        plan = without_copying(plan, reason, info, is_sound=is_sound, max_height=request.max_height)


def _pass(
    request: StreamRequest, info: MediaInfo, plan: StreamPlan, progress: Progress
) -> tuple[float, StreamPlan, bool]:
    """Reads the video once from beginning to end; returns its length, the plan, and whether the end is missing."""
    playlist = request.into / PLAYLIST_FILE
    files = SegmentFiles(request.into)
    with (
        open_media(request.readable, request.media_limits) as source,
        av.open(str(playlist), "w", format="hls", options=_hls_options(request), io_open=files.open) as output,
    ):
        writers = _track_writers(request, info, plan, source, output)
        pictures = writers[video_stream(source).index]
        reporter = ProgressReporter(progress, info.duration_s)
        for packet in read_packets(
            source, [stream for stream in source.streams if stream.index in writers], request.readable
        ):
            writer = writers[packet.stream_index]
            writer.write(packet)
            reporter.report(writer.reached_s)
        reached_s = max(writer.reached_s for writer in writers.values())
        is_cut_off = info.is_cut_off or _ends_early(info, reached_s)
        end_s = reached_s if is_cut_off else max(reached_s, _announced_s(info))
        for writer in writers.values():
            writer.end(end_s)
    files.check()
    segments = with_length(parse_playlist(playlist.read_text()), end_s - pictures.begins_s)
    playlist.write_text(render_playlist(segments))
    return end_s, plan, is_cut_off


def _hls_options(request: StreamRequest) -> dict[str, str]:
    return {
        "hls_time": f"{request.segment_s:g}",
        "hls_playlist_type": "vod",
        "hls_list_size": "0",
        "hls_flags": "independent_segments",
        "hls_segment_filename": str(request.into / SEGMENTS),
    }


def _track_writers(
    request: StreamRequest, info: MediaInfo, plan: StreamPlan, source: InputContainer, output: OutputContainer
) -> dict[int, TrackWriter]:
    video = video_stream(source)
    audio = audio_stream(source)
    writers: dict[int, TrackWriter] = {}
    if plan.copies_picture:
        writers[video.index] = TrackCopier(
            output, video, output.mux_one, origin_s=info.origin_s, media_limits=request.media_limits
        )
    else:
        limit_decoder(video, request.media_limits)
        encoder = VideoEncoder(output, _video_format(info, plan), output.mux_one)
        writers[video.index] = VideoTranscoder(
            encoder, video, origin_s=info.origin_s, fps=info.fps or DEFAULT_FPS, media_limits=request.media_limits
        )
    if audio is not None:
        if plan.copies_sound:
            writers[audio.index] = TrackCopier(
                output, audio, output.mux_one, origin_s=info.origin_s, media_limits=request.media_limits
            )
        else:
            audio_encoder = AudioEncoder(output, audio, output.mux_one, keeps_priming=False)
            writers[audio.index] = AudioTranscoder(audio_encoder, audio, origin_s=info.origin_s)
    return writers


def _video_format(info: MediaInfo, plan: StreamPlan) -> VideoFormat:
    return VideoFormat(
        width=plan.width,
        height=plan.height,
        orientation=Orientation[info.orientation],
        is_interlaced=info.is_interlaced,
        is_hdr=info.is_hdr,
        fps=info.fps or DEFAULT_FPS,
        repeat_after_s=REPEAT_AFTER_S,
    )


def _ends_early(info: MediaInfo, reached_s: float) -> bool:
    if info.container not in _ANNOUNCED or info.duration_s is None:
        return False
    return info.duration_s - reached_s > max(MISSING_S, MISSING_SHARE * info.duration_s)


def _announced_s(info: MediaInfo) -> float:
    """MP4 declares the exact end of its last frame; other containers only an approximate time."""
    return info.duration_s or 0.0 if info.container == "mov" else 0.0


def _remove_all(directory: Path) -> None:
    for path in directory.iterdir():
        path.unlink()
