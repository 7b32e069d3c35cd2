"""The part of a stream that lies in a range of time. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.media.stream.playlist import PlaylistSegment


@dataclass(frozen=True, slots=True)
class PlaylistPart:
    segments: tuple[PlaylistSegment, ...]
    offset_ms: int
    """Where the first segment begins in the video; a player shows it at 0."""

    def has(self, name: str) -> bool:
        return any(segment.name == name for segment in self.segments)


def part_of_playlist(segments: Sequence[PlaylistSegment], start_ms: int | None, end_ms: int | None) -> PlaylistPart:
    """The segments that overlap the range: the first and the last may reach beyond it by up to their own length."""
    kept: list[PlaylistSegment] = []
    offset_ms = 0
    at_s = 0.0
    for segment in segments:
        until_s = at_s + segment.duration_s
        if (start_ms is None or until_s * 1000 > start_ms) and (end_ms is None or at_s * 1000 < end_ms):
            if not kept:
                offset_ms = round(at_s * 1000)
            kept.append(segment)
        at_s = until_s
    return PlaylistPart(tuple(kept), offset_ms)
