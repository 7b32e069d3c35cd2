"""Motion JPEG over HTTP (`multipart/x-mixed-replace`): pictures one after the other in one response. Pure."""

import re

MAX_PICTURE_BYTES = 32 * 1024 * 1024
_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*(\d{1,9})[ \t]*\r?$")
_BOUNDARY = re.compile(r'(?i)boundary=(?:"([^"]{1,100})"|([^\s;]{1,100}))')


class NotMjpeg(Exception):
    """The response is no sequence of pictures."""


def boundary_of(content_type: str) -> bytes:
    found = _BOUNDARY.search(content_type)
    if "multipart/" not in content_type.lower() or found is None:
        raise NotMjpeg
    return b"--" + (found[1] or found[2]).removeprefix("--").encode()


class MjpegParser:
    """Takes the body in pieces of any size and gives back the pictures that are whole."""

    def __init__(self, boundary: bytes) -> None:
        self._boundary = boundary
        self._data = bytearray()
        self._searched = 0

    def feed(self, data: bytes) -> list[bytes]:
        self._data += data
        found = []
        while (picture := self._next()) is not None:
            if picture:
                found.append(picture)
        if len(self._data) > MAX_PICTURE_BYTES:
            raise NotMjpeg
        return found

    def _next(self) -> bytes | None:
        """The next part; empty for what stands before the first boundary, None when more data is needed."""
        if not self._data.startswith(self._boundary):
            start = self._data.find(self._boundary)
            if start < 0:
                return None
            del self._data[:start]
            self._searched = 0
        head_end = self._data.find(b"\r\n\r\n", len(self._boundary), 8192)
        if head_end < 0:
            if len(self._data) > 8192:
                raise NotMjpeg
            return None
        body = head_end + 4
        length = _LENGTH.search(self._data, len(self._boundary), head_end + 2)
        if length is not None:
            end = body + int(length[1])
            if end - body > MAX_PICTURE_BYTES:
                raise NotMjpeg
            if len(self._data) < end:
                return None
        else:
            # Not searched twice: a picture comes in many pieces.
            end = self._data.find(self._boundary, max(body, self._searched - len(self._boundary)))
            if end < 0:
                self._searched = len(self._data)
                return None
        picture = bytes(self._data[body:end])
        del self._data[:end]
        self._searched = 0
        return picture.removesuffix(b"\r\n") if length is None else picture
