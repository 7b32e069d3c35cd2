"""All that `transcode` makes of one video, in one process: what it is, its stream, its poster."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from sightline.jobs import Progress
from sightline.media.input import MediaLimits
from sightline.media.input.probe import probe_container
from sightline.media.input.source import open_media
from sightline.media.stream.poster_work import make_poster
from sightline.media.stream.proxy import POSTER_FILE, STREAM_DIRECTORY, ProxyResult
from sightline.media.stream.stream_work import StreamRequest, make_stream

STREAM_PART = 0.95
"""Of the time, what the stream takes about."""


def make_proxy(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Work for a process: writes playlist, segments and poster into the directory it works in."""
    media_limits = MediaLimits(**argument["media_limits"])
    readable: str = argument["readable"]
    with open_media(readable, media_limits) as container:
        info = probe_container(container, media_limits)
    stream = Path.cwd() / STREAM_DIRECTORY
    stream.mkdir()
    request = StreamRequest(readable, media_limits, argument["max_height"], argument["segment_s"], stream)
    made = make_stream(request, info, lambda part, message: progress(part * STREAM_PART, message))
    progress(STREAM_PART, None)
    make_poster(readable, info, media_limits, made.duration_s, Path.cwd() / POSTER_FILE)
    width, height = info.shown_size
    return asdict(
        ProxyResult(
            duration_ms=round(made.duration_s * 1000),
            fps=info.fps,
            width=width,
            height=height,
            was_copied=made.plan.copies_picture,
            reasons=made.plan.reasons,
        )
    )
