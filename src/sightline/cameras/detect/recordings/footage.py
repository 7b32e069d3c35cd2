"""Footage: stored segments of a camera that are decoded as one file, and the time at which its pictures were filmed. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sightline.cameras.recording import Recording

MAX_LENGTH = timedelta(seconds=60)
MAX_BYTES = 96 * 1024 * 1024
"""A process is started for each, and progress is stored after it."""


@dataclass(frozen=True, slots=True)
class Footage:
    """Segments of one run, without a gap. The first begins with a key frame."""

    recordings: tuple[Recording, ...]

    @property
    def started_at(self) -> datetime:
        return self.recordings[0].started_at

    @property
    def ended_at(self) -> datetime:
        return self.recordings[-1].ended_at

    def moment(self, at_ms: int) -> datetime:
        """When the picture at this time of the file was filmed: each segment has a time of its own."""
        left = timedelta(milliseconds=at_ms)
        for one in self.recordings[:-1]:
            length = one.ended_at - one.started_at
            if left < length:
                return one.started_at + left
            left -= length
        return self.recordings[-1].started_at + left

    @staticmethod
    def joined(segments: Sequence[tuple[Recording, bytes]]) -> bytes:
        """One file of all: segments of a run have the same initialization, and their samples one clock (ADR 0062)."""
        (_, first), *others = segments
        return b"".join([first, *(content[one.init_bytes :] for one, content in others)])


def footage_of(recordings: Sequence[Recording]) -> Iterator[Footage]:
    """`recordings` are playable, in the order of time."""
    group: list[Recording] = []
    for one in recordings:
        if group and (not one.continues(group[-1]) or (one.is_independent and _is_full(group))):
            yield Footage(tuple(group))
            group = []
        group.append(one)
    if group:
        yield Footage(tuple(group))


def _is_full(group: Sequence[Recording]) -> bool:
    return group[-1].ended_at - group[0].started_at >= MAX_LENGTH or sum(one.bytes for one in group) >= MAX_BYTES
