"""A ZIP file written in chunks, so that an archive of any size needs little memory."""

import io
import zipfile
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first date that ZIP supports. A fixed date makes archives of the same content identical."""


class ZipStream:
    """`chunk = zip.add(name, content)` for each file, `zip.close()` for the last chunk. Pictures are not compressed again."""

    def __init__(self) -> None:
        self._sink = _ChunkSink()
        self._file = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_STORED, allowZip64=True)

    def add(self, name: str, content: bytes, *, is_text: bool = False) -> bytes:
        info = zipfile.ZipInfo(name, _EARLIEST)
        info.compress_type = zipfile.ZIP_DEFLATED if is_text else zipfile.ZIP_STORED
        self._file.writestr(info, content)
        return self._sink.take()

    def start(self, name: str, *, is_text: bool = False) -> "ZipMember":
        """A file that is written in pieces; finish it before the next one begins."""
        info = zipfile.ZipInfo(name, _EARLIEST)
        info.compress_type = zipfile.ZIP_DEFLATED if is_text else zipfile.ZIP_STORED
        return ZipMember(self._file.open(info, "w", force_zip64=True), self._sink)

    def close(self) -> bytes:
        self._file.close()
        return self._sink.take()


class ZipMember:
    """Each call returns what is to be sent next."""

    def __init__(self, file: IO[bytes], sink: "_ChunkSink") -> None:
        self._file = file
        self._sink = sink

    def write(self, content: bytes) -> bytes:
        self._file.write(content)
        return self._sink.take()

    def finish(self) -> bytes:
        self._file.close()
        return self._sink.take()


class _ChunkSink(io.RawIOBase):
    """The write-only stream that zipfile writes to."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: "Buffer", /) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        return len(piece)

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
