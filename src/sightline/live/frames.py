"""WebSocket frames as a server sends them, built once for all who get the same (RFC 6455, 5.2). Pure."""

import struct
from collections.abc import Sequence

_TEXT = 0x81  # the whole message in one frame
_CLOSE = 0x88
_LONGEST_REASON = 123


class Frames:
    """Messages that go out together: `wire` is what a socket takes, `payloads` is for servers that frame themselves."""

    __slots__ = ("payloads", "wire")

    def __init__(self, payloads: Sequence[bytes]) -> None:
        self.payloads = tuple(payloads)
        self.wire = b"".join([_framed(_TEXT, payload) for payload in payloads])


def close_frame(code: int, reason: str) -> bytes:
    cut = reason.encode()[:_LONGEST_REASON].decode(errors="ignore").encode()  # never half a character
    return _framed(_CLOSE, struct.pack("!H", code) + cut)


def _framed(opcode: int, payload: bytes) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes((opcode, size)) + payload
    if size < 65536:
        return struct.pack("!BBH", opcode, 126, size) + payload
    return struct.pack("!BBQ", opcode, 127, size) + payload
