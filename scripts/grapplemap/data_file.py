"""The file of GrappleMap: names, tags and joints of two people in 3D, as positions (one frame) and transitions (several)."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

JOINTS_PER_PERSON = 23
FRAME_LENGTH = 2 * JOINTS_PER_PERSON * 3 * 2
"""Two characters per coordinate."""
_DIGITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_ORIGIN = np.array([2.0, 0.0, 2.0], np.float32)
"""The mat is four metres wide, and its middle is the origin. The second coordinate is the height."""

HEAD, CORE = 22, 20
TO_SKELETON = (HEAD, 10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5)
"""The joints of the skeleton, in its order: head, then left and right shoulder, elbow, wrist, hip, knee and ankle."""


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    tags: frozenset[str]
    properties: frozenset[str]
    frames: NDArray[np.float32]
    """(frames, 2, 23, 3), in metres."""

    @property
    def is_position(self) -> bool:
        return len(self.frames) == 1


def read_entries(file: Path) -> list[Entry]:
    found: list[Entry] = []
    head: list[str] = []
    coded = ""
    for line in [*file.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("    "):
            coded += line.strip()
            continue
        if coded:
            found.append(_entry(head, coded))
            head, coded = [], ""
        if line.strip():
            head.append(line)
    return found


def _entry(head: list[str], coded: str) -> Entry:
    if len(coded) % FRAME_LENGTH:
        raise ValueError(f"{' '.join(head)!r} has {len(coded)} characters of joints, not a multiple of {FRAME_LENGTH}")
    fields = {key: _field(head, f"{key}:") for key in ("tags", "properties", "ref")}
    names = [line for line in head if not line.startswith(("tags:", "properties:", "ref:"))]
    return Entry(" ".join(names).replace("\\n", " "), fields["tags"], fields["properties"], _frames(coded))


def _field(head: list[str], start: str) -> frozenset[str]:
    return frozenset(word for line in head if line.startswith(start) for word in line.removeprefix(start).split())


def _frames(coded: str) -> NDArray[np.float32]:
    digits = np.array([_DIGITS.index(one) for one in coded], np.float32).reshape(-1, 2)
    metres = (digits[:, 0] * len(_DIGITS) + digits[:, 1]) / 1000
    return (metres.reshape(-1, 2, JOINTS_PER_PERSON, 3) - _ORIGIN).astype(np.float32)
