"""Top-level boxes of an MP4 file, which show whether its index is missing."""

import struct
from collections.abc import Iterator
from io import RawIOBase
from os import SEEK_END

from sightline.file_types import MP4_BOXES

MAX_BOXES = 10_000
"""A file of tiny boxes is not read further than this."""


def lacks_index(file: RawIOBase) -> bool:
    """Whether it is an MP4 file without its index (moov), which recorders write last."""
    names = list(_boxes(file))
    return bool(names) and names[0] in MP4_BOXES and b"moov" not in names and b"moof" not in names


def _boxes(file: RawIOBase) -> Iterator[bytes]:
    size = file.seek(0, SEEK_END)
    position = 0
    for _ in range(MAX_BOXES):
        file.seek(position)
        header = file.read(16) or b""
        if len(header) < 8:
            return
        length, name = struct.unpack(">I4s", header[:8])
        if length == 1 and len(header) == 16:
            (length,) = struct.unpack(">Q", header[8:])
        yield name
        if length < 8 or position + length > size:
            return
        position += length
