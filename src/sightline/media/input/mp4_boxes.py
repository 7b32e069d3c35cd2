"""Top-level boxes of an MP4 file, which show whether its index is missing."""

import struct
from collections.abc import Iterator
from pathlib import Path

from sightline.file_types import MP4_BOXES

MAX_BOXES = 10_000
"""A file of tiny boxes is not read further than this."""


def lacks_index(path: str) -> bool:
    """Whether it is an MP4 file without its index (moov), which recorders write last."""
    names = list(_boxes(Path(path)))
    return bool(names) and names[0] in MP4_BOXES and b"moov" not in names and b"moof" not in names


def _boxes(path: Path) -> Iterator[bytes]:
    size = path.stat().st_size
    with path.open("rb") as file:
        position = 0
        for _ in range(MAX_BOXES):
            header = file.read(16)
            if len(header) < 8:
                return
            length, name = struct.unpack(">I4s", header[:8])
            if length == 1 and len(header) == 16:
                (length,) = struct.unpack(">Q", header[8:])
            yield name
            if length < 8 or position + length > size:
                return
            position += length
            file.seek(position)
