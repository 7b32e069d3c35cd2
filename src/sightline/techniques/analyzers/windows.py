"""Sliding windows of key frames, and sequences of windows that are processed in parallel. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowFrame:
    key: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Window:
    number: int
    frames: tuple[WindowFrame, ...]

    @property
    def start_ms(self) -> int:
        return self.frames[0].at_ms

    @property
    def end_ms(self) -> int:
        return self.frames[-1].at_ms


def sliding_windows(frames: Sequence[WindowFrame], *, size: int, overlap: int) -> list[Window]:
    """Each window shares its first `overlap` frames with the one before, so that no technique falls between two."""
    step = max(1, size - overlap)
    found: list[Window] = []
    for start in range(0, len(frames), step):
        found.append(Window(len(found) + 1, tuple(frames[start : start + size])))
        if start + size >= len(frames):
            break
    return found


def split_into_sequences(windows: Sequence[Window], *, limit: int) -> list[list[Window]]:
    """At most `limit` sequences of neighbouring windows, since each window gets the findings of the one before."""
    count = min(limit, len(windows))
    if count == 0:
        return []
    size, larger = divmod(len(windows), count)
    found, start = [], 0
    for number in range(count):
        end = start + size + (number < larger)
        found.append(list(windows[start:end]))
        start = end
    return found
