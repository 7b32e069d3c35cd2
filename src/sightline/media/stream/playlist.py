"""HLS playlists: parsing and rendering, with names or URLs of segments. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from sightline.media.input import MediaUnreadable

_SEGMENT = re.compile(r"^segment_\d+\.ts$")


@dataclass(frozen=True, slots=True)
class PlaylistSegment:
    name: str
    duration_s: float


def parse_playlist(text: str) -> list[PlaylistSegment]:
    """The segments of a playlist that the platform wrote; refuses any other entry."""
    found = []
    duration_s = 0.0
    for line in text.splitlines():
        if line.startswith("#EXTINF:"):
            duration_s = float(line.removeprefix("#EXTINF:").partition(",")[0])
        elif line and not line.startswith("#"):
            if not _SEGMENT.match(line):
                raise MediaUnreadable(f"the playlist names {line[:100]!r}, which is not a segment")
            found.append(PlaylistSegment(line, duration_s))
    return found


def render_playlist(segments: Sequence[PlaylistSegment], addresses: Mapping[str, str] | None = None) -> str:
    """The playlist of a finished video, with the name or, if given, the URL of each segment."""
    longest_s = max((segment.duration_s for segment in segments), default=0.0)
    lines = [
        "#EXTM3U",
        "#EXT-X-VERSION:6",
        f"#EXT-X-TARGETDURATION:{max(1, ceil(longest_s))}",
        "#EXT-X-MEDIA-SEQUENCE:0",
        "#EXT-X-PLAYLIST-TYPE:VOD",
        "#EXT-X-INDEPENDENT-SEGMENTS",
    ]
    for segment in segments:
        where = segment.name if addresses is None else addresses[segment.name]
        lines += [f"#EXTINF:{segment.duration_s:.6f},", where]
    return "\n".join([*lines, "#EXT-X-ENDLIST", ""])


def with_length(segments: Sequence[PlaylistSegment], length_s: float) -> list[PlaylistSegment]:
    """Extends the last segment to the end of the video: the muxer does not know how long the last frame is shown."""
    *others, last = segments
    rest_s = length_s - sum(segment.duration_s for segment in others)
    return [*others, PlaylistSegment(last.name, max(rest_s, 0.001))]
