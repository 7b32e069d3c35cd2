"""Bodies in aws-chunked form, which SDKs use to send checksums after the bytes: taken apart and checked. Pure."""

import hashlib
import hmac
import re
from collections.abc import Callable

from sightline.errors import NotAllowed, PlatformError
from sightline.objects.refusals import refused
from sightline.objects.signed_requests import Verified
from sightline.objects.sigv4 import SigningKey, signature

UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
SIGNED_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
KINDS = frozenset({UNSIGNED_TRAILER, SIGNED, SIGNED_TRAILER})

_LONGEST_LINE = 8192
_MOST_TRAILERS = 16
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})(?:;chunk-signature=([0-9a-f]{64}))?")
_NOTHING = hashlib.sha256().hexdigest()


class ChunkSignatures:
    """Each chunk's signature is made over the one before it, beginning with the request's own."""

    def __init__(self, key: SigningKey, verified: Verified) -> None:
        self._key = key
        self._verified = verified
        self._previous = verified.signature

    def check_chunk(self, offered: str | None, sha256: str) -> None:
        self._check(offered, "AWS4-HMAC-SHA256-PAYLOAD", f"{_NOTHING}\n{sha256}")

    def check_trailers(self, offered: str | None, lines: list[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        self._check(offered, "AWS4-HMAC-SHA256-TRAILER", hashlib.sha256(text.encode()).hexdigest())

    def _check(self, offered: str | None, kind: str, rest: str) -> None:
        verified = self._verified
        text = "\n".join((kind, verified.timestamp, str(verified.scope), self._previous, rest))
        made = signature(self._key, verified.scope, text)
        if offered is None or not hmac.compare_digest(made, offered):
            raise NotAllowed(
                "the signature of a chunk does not match the one we calculated",
                details={"code": "SignatureDoesNotMatch"},
            )
        self._previous = made


class ChunkedBody:
    """Feed it what arrives, get what was meant; `finish` says what stood behind it."""

    def __init__(self, length: int, *, signatures: ChunkSignatures | None = None) -> None:
        """`length` is that of the bytes that are meant, as `x-amz-decoded-content-length` told it."""
        self._length = length
        self._signatures = signatures
        self._buffer = bytearray()
        self._step: Callable[[], bytes | None] = self._size_line
        self._taken = 0
        self._left = 0
        self._offered: str | None = None
        self._hash = hashlib.sha256()
        self._trailers: list[str] = []
        self._is_over = False

    def feed(self, data: bytes) -> list[bytes]:
        self._buffer += data
        found = []
        while not self._is_over and (piece := self._step()) is not None:
            if piece:
                found.append(piece)
        if self._is_over and self._buffer:
            raise _malformed("there is more behind its end")
        return found

    def finish(self) -> dict[str, str]:
        """The trailers by lower-case name. Raises if the body broke off or has another length than was told."""
        if not self._is_over or self._taken != self._length:
            raise refused(
                "IncompleteBody", f"the body has {self._taken} bytes of the {self._length} that were told of, or no end"
            )
        split = (line.partition(":") for line in self._trailers)
        return {name.lower(): value.strip() for name, _, value in split}

    # The steps: each takes what it can from the buffer, and returns None when it needs more.

    def _size_line(self) -> bytes | None:
        if (line := self._line()) is None:
            return None
        match = _SIZE.fullmatch(line)
        if match is None:
            raise _malformed(f"{bytes(line[:40])!r} does not begin a chunk")
        self._left = int(match[1], 16)
        self._offered = match[2].decode() if match[2] else None
        self._hash = hashlib.sha256()
        if self._taken + self._left > self._length:
            raise _malformed(f"it is longer than the {self._length} bytes that were told of")
        if self._left == 0:
            self._check_chunk()
            self._step = self._trailer_line
        else:
            self._step = self._data
        return b""

    def _data(self) -> bytes | None:
        if not self._buffer:
            return None
        piece = bytes(self._buffer[: self._left])
        del self._buffer[: len(piece)]
        self._left -= len(piece)
        self._taken += len(piece)
        if self._signatures is not None:
            self._hash.update(piece)
        if self._left == 0:
            self._step = self._data_end
        return piece

    def _data_end(self) -> bytes | None:
        if len(self._buffer) < 2:
            return None
        if self._buffer[:2] != b"\r\n":
            raise _malformed("a chunk is longer than it says")
        del self._buffer[:2]
        self._check_chunk()
        self._step = self._size_line
        return b""

    def _trailer_line(self) -> bytes | None:
        if (line := self._line()) is None:
            return None
        if line:
            if len(self._trailers) == _MOST_TRAILERS or b":" not in line:
                raise _malformed("its trailers cannot be read")
            self._trailers.append(line.decode("latin-1"))
            return b""
        self._check_trailers()
        self._is_over = True
        return b""

    def _line(self) -> bytes | None:
        end = self._buffer.find(b"\r\n")
        if end < 0:
            if len(self._buffer) > _LONGEST_LINE:
                raise _malformed("a line of it has no end")
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        return line

    def _check_chunk(self) -> None:
        if self._signatures is not None:
            self._signatures.check_chunk(self._offered, self._hash.hexdigest())

    def _check_trailers(self) -> None:
        if self._signatures is None or not self._trailers:
            return
        offered = [line for line in self._trailers if line.lower().startswith("x-amz-trailer-signature:")]
        self._trailers = [line for line in self._trailers if line not in offered]
        self._signatures.check_trailers(offered[0].partition(":")[2].strip() if offered else None, self._trailers)


def _malformed(reason: str) -> PlatformError:
    return refused("InvalidRequest", f"the aws-chunked body cannot be read: {reason}")
