"""The learned mask of a camera, read from the stored state of its motion gate. Pure.

The state was made by the process that decodes the camera's pictures, which a hostile camera may have taken over. So it is read
without numpy: one member of the archive, of a bounded size and of the one form that it should have.
"""

import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO

from sightline.errors import InvalidInput

MAX_STATE_BYTES = 4 * 1024 * 1024
MAX_CELLS = 256
MAX_MEMBER_BYTES = MAX_CELLS * MAX_CELLS + 1024
_MEMBER = "learned.npy"
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(rb"\{'descr': '\|b1', 'fortran_order': False, 'shape': \((\d{1,3}), (\d{1,3})\), \} *\n")


@dataclass(frozen=True, slots=True)
class LearnedMask:
    rows: int
    columns: int
    cells: bytes
    """Row by row; 1 where motion is ignored."""

    @property
    def share(self) -> float:
        """The part of the picture that is ignored."""
        return sum(self.cells) / len(self.cells)

    def lines(self) -> list[str]:
        """A line of 0 and 1 for each row."""
        width = self.columns
        return ["".join("01"[cell] for cell in self.cells[at : at + width]) for at in range(0, len(self.cells), width)]

    def png(self) -> bytes:
        """A picture with one pixel per cell: red and half transparent where motion is ignored, transparent elsewhere."""
        lines = b"".join(b"\x00" + self.cells[at : at + self.columns] for at in range(0, len(self.cells), self.columns))
        parts = (
            (b"IHDR", struct.pack(">IIBBBBB", self.columns, self.rows, 8, 3, 0, 0, 0)),
            (b"PLTE", bytes([0, 0, 0, 220, 40, 40])),
            (b"tRNS", bytes([0, 128])),
            (b"IDAT", zlib.compress(lines)),
            (b"IEND", b""),
        )
        return b"\x89PNG\r\n\x1a\n" + b"".join(_part(name, content) for name, content in parts)


def read_learned_mask(state: bytes) -> LearnedMask:
    """Refuses whatever is not exactly what a motion gate writes."""
    try:
        content = _member(state)
    except (zipfile.BadZipFile, zlib.error, KeyError, OSError, EOFError, NotImplementedError, RuntimeError, ValueError):
        raise _unreadable() from None
    header_end = len(_MAGIC) + 2
    if not content.startswith(_MAGIC) or len(content) < header_end:
        raise _unreadable()
    length = int.from_bytes(content[len(_MAGIC) : header_end], "little")
    form = _HEADER.fullmatch(content[header_end : header_end + length])
    cells = content[header_end + length :]
    if form is None:
        raise _unreadable()
    rows, columns = int(form[1]), int(form[2])
    if not (0 < rows <= MAX_CELLS and 0 < columns <= MAX_CELLS and len(cells) == rows * columns and max(cells) <= 1):
        raise _unreadable()
    return LearnedMask(rows, columns, cells)


def _member(state: bytes) -> bytes:
    if len(state) > MAX_STATE_BYTES:
        raise ValueError("a motion gate learns less than that")
    with zipfile.ZipFile(BytesIO(state)) as archive:
        if archive.getinfo(_MEMBER).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError("a motion gate compresses in no other way")
        with archive.open(_MEMBER) as member:
            content = member.read(MAX_MEMBER_BYTES + 1)  # what an archive says of its sizes is not believed
    if len(content) > MAX_MEMBER_BYTES:
        raise ValueError("a mask has fewer cells")
    return content


def _part(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _unreadable() -> InvalidInput:
    return InvalidInput("what the motion gate of this camera learned cannot be read; forget it, and it learns anew")
