"""The bytes of one video in the sandbox: a file that was handed over open, or ranges that the worker fetches on request.

The sandboxed process opens neither files nor connections, so a decoder in a stranger's hand has no path and no address to use.
"""

import io
import os
import struct
from typing import Protocol

from sightline.errors import TransientFailure

OPEN_FILE = "handle:"
CHANNEL = "channel:"
REQUEST = struct.Struct(">QI")
"""Position and number of bytes that are wanted."""
ANSWER = struct.Struct(">qQ")
"""Number of bytes that follow, and the size of the whole video. A negative number means that it could not be read."""
MAX_REQUEST_BYTES = 1024 * 1024


class _Bytes(Protocol):
    def read(self, position: int, length: int) -> bytes: ...

    def size(self) -> int: ...


def open_bytes(readable: str) -> io.RawIOBase:
    """A reader at the start of the video. `readable` is a path, or names what this process was handed."""
    if readable.startswith(OPEN_FILE):
        return _Reader(_OpenFile(int(readable.removeprefix(OPEN_FILE))))
    if is_remote(readable):
        return _Reader(_Channel(int(readable.removeprefix(CHANNEL))))
    return open(readable, "rb", buffering=0)


def is_remote(readable: str) -> bool:
    return readable.startswith(CHANNEL)


class _Reader(io.RawIOBase):
    """Each has a position of its own, though all share what was handed over."""

    def __init__(self, source: _Bytes) -> None:
        self._source = source
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position}.get(whence)
        self._position = max(0, offset + (self._source.size() if start is None else start))
        return self._position

    def read(self, size: int = -1) -> bytes:
        found = self._source.read(self._position, size if size >= 0 else MAX_REQUEST_BYTES)
        self._position += len(found)
        return found


class _OpenFile:
    def __init__(self, handle: int) -> None:
        self._handle = handle

    def read(self, position: int, length: int) -> bytes:
        return os.pread(self._handle, length, position)

    def size(self) -> int:
        return os.fstat(self._handle).st_size


class _Channel:
    """Asks the worker for ranges, one at a time."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._size: int | None = None

    def read(self, position: int, length: int) -> bytes:
        request = REQUEST.pack(position, min(length, MAX_REQUEST_BYTES))
        if os.write(self._handle, request) != len(request):
            raise TransientFailure("the worker does not take requests for the video")
        found, self._size = ANSWER.unpack(self._receive(ANSWER.size))
        if found < 0:
            raise TransientFailure("the object store did not return the video")
        return self._receive(found)

    def size(self) -> int:
        if self._size is None:
            self.read(0, 1)
        assert self._size is not None
        return self._size

    def _receive(self, length: int) -> bytes:
        received = bytearray()
        while len(received) < length:
            part = os.read(self._handle, length - len(received))
            if not part:
                raise TransientFailure("the worker does not answer requests for the video")
            received += part
        return bytes(received)
