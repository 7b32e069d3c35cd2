"""All that `transcode` makes of one video, in one process: what it is, its stream, its poster."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from sightline.jobs.process import Progress
from sightline.media.input.limits import Caps
from sightline.media.input.probe import look_at
from sightline.media.input.source import open_media
from sightline.media.stream.poster_work import make_poster
from sightline.media.stream.proxy import POSTER, STREAM, ProxyMade
from sightline.media.stream.stream_work import StreamOrder, make_stream

STREAM_PART = 0.95
"""Of the time, what the stream takes about."""


def make_proxy(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Work for a process: writes playlist, segments and poster into the directory it works in."""
    caps = Caps(**argument["caps"])
    readable: str = argument["readable"]
    with open_media(readable, caps) as container:
        facts = look_at(container, caps)
    stream = Path.cwd() / STREAM
    stream.mkdir()
    order = StreamOrder(readable, caps, argument["largest_height"], argument["segment_s"], stream)
    made = make_stream(order, facts, lambda part, message: progress(part * STREAM_PART, message))
    progress(STREAM_PART, None)
    make_poster(readable, facts, caps, made.duration_s, Path.cwd() / POSTER)
    width, height = facts.shown_size
    return asdict(
        ProxyMade(
            duration_ms=round(made.duration_s * 1000),
            fps=facts.fps,
            width=width,
            height=height,
            was_copied=made.plan.copies_picture,
            reasons=made.plan.reasons,
        )
    )
