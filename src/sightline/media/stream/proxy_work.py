"""Transcoding work that runs in the sandbox: probe, stream, poster and sprite sheet."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from sightline.jobs import Progress
from sightline.media.input import MediaLimits
from sightline.media.input.probe import cut_off_note, probe_container
from sightline.media.input.source import lacks_bytes, open_media
from sightline.media.stream.poster_work import make_poster
from sightline.media.stream.proxy import POSTER_FILE, SPRITE_FILE, STREAM_DIRECTORY, ProxyResult
from sightline.media.stream.sprite_work import make_sprite_sheet
from sightline.media.stream.stream_work import StreamRequest, make_stream
from sightline.media.stream.track_copier import DEFAULT_FPS

STREAM_SHARE = 0.95
"""Approximate share of the time that the stream takes."""


def make_proxy(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Sandboxed work: writes playlist, segments, poster and sprite sheet into the working directory."""
    media_limits = MediaLimits(**argument["media_limits"])
    readable: str = argument["readable"]
    with open_media(readable, media_limits) as container:
        info = probe_container(container, media_limits)
    stream = Path(STREAM_DIRECTORY)
    stream.mkdir()
    request = StreamRequest(readable, media_limits, argument["max_height"], argument["segment_s"], stream)
    made = make_stream(request, info, lambda part, message: progress(part * STREAM_SHARE, message))
    progress(STREAM_SHARE, None)
    make_poster(readable, info, media_limits, made.duration_s, Path(POSTER_FILE))
    width, height = info.shown_size
    duration_ms = round(made.duration_s * 1000)
    sheet = make_sprite_sheet(
        stream,
        media_limits,
        duration_ms=duration_ms,
        fps=info.fps or DEFAULT_FPS,
        shown_size=info.shown_size,
        into=Path(SPRITE_FILE),
    )
    is_cut_off = made.is_cut_off or lacks_bytes(readable)
    return asdict(
        ProxyResult(
            duration_ms=duration_ms,
            fps=info.fps,
            width=width,
            height=height,
            was_copied=made.plan.copies_picture,
            reasons=made.plan.reasons,
            note=cut_off_note(made.duration_s, info.duration_s) if is_cut_off else None,
            has_sound=info.sound_codec is not None,
            sprite_sheet=sheet,
        )
    )
