"""The streams of the live feed. A new one is a line here; its row in the database is created at start."""

from dataclasses import dataclass

from sightline.errors import NotFound


@dataclass(frozen=True, slots=True)
class Stream:
    name: str
    about: str


STREAMS: tuple[Stream, ...] = (
    Stream("events", "Security events of document 003 and their changes."),
    Stream("videos", "Videos: status and progress."),
)
_BY_NAME = {stream.name: stream for stream in STREAMS}


def stream_named(name: str) -> Stream:
    try:
        return _BY_NAME[name]
    except KeyError:
        raise NotFound(f"no live stream {name!r}; there are {', '.join(_BY_NAME)}", code="STREAM_NOT_FOUND") from None
