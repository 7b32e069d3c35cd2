"""Bodies with the aws-chunked encoding, in which SDKs send checksums after the bytes: decoded and checked. Pure."""

import hashlib
import hmac
import re
from collections.abc import Callable

from sightline.errors import NotAllowed, PlatformError
from sightline.objects.errors import invalid_request
from sightline.sigv4 import SigningKey, VerifiedSignature, signature

UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
SIGNED_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
STREAMING_PAYLOADS = frozenset({UNSIGNED_TRAILER, SIGNED, SIGNED_TRAILER})

_MAX_LINE_BYTES = 8192
_MAX_TRAILERS = 16
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})(?:;chunk-signature=([0-9a-f]{64}))?")
_EMPTY_SHA256 = hashlib.sha256().hexdigest()


class ChunkSignatures:
    """Each chunk is signed together with the signature before it, starting with that of the request."""

    def __init__(self, verified: VerifiedSignature[SigningKey]) -> None:
        self._verified = verified
        self._previous = verified.signature

    def check_chunk(self, given: str | None, sha256: str) -> None:
        self._check(given, "AWS4-HMAC-SHA256-PAYLOAD", f"{_EMPTY_SHA256}\n{sha256}")

    def check_trailers(self, given: str | None, lines: list[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        self._check(given, "AWS4-HMAC-SHA256-TRAILER", hashlib.sha256(text.encode()).hexdigest())

    def _check(self, given: str | None, kind: str, rest: str) -> None:
        verified = self._verified
        text = "\n".join((kind, verified.timestamp, str(verified.scope), self._previous, rest))
        expected = signature(verified.key, verified.scope, text)
        if given is None or not hmac.compare_digest(expected, given):
            raise NotAllowed(
                "the signature of a chunk does not match the one we calculated",
                details={"code": "SignatureDoesNotMatch"},
            )
        self._previous = expected


class ChunkedBody:
    """Decodes the body: `feed` returns the payload of the received bytes, `finish` returns the trailers."""

    def __init__(self, length: int, *, signatures: ChunkSignatures | None = None) -> None:
        """`length` is the size of the payload, as `x-amz-decoded-content-length` declares it."""
        self._length = length
        self._signatures = signatures
        self._buffer = bytearray()
        self._parse: Callable[[], bytes | None] = self._size_line
        self._received = 0
        self._remaining = 0
        self._given: str | None = None
        self._hash = hashlib.sha256()
        self._trailers: list[str] = []
        self._is_finished = False

    def feed(self, data: bytes) -> list[bytes]:
        self._buffer += data
        found = []
        while not self._is_finished and (chunk := self._parse()) is not None:
            if chunk:
                found.append(chunk)
        if self._is_finished and self._buffer:
            raise _malformed("there are bytes after its end")
        return found

    def finish(self) -> dict[str, str]:
        """The trailers by lower-case name. Raises if the body broke off or has another length than declared."""
        if not self._is_finished or self._received != self._length:
            raise invalid_request(
                "IncompleteBody", f"the body has {self._received} bytes of the declared {self._length}, or no end"
            )
        split = (line.partition(":") for line in self._trailers)
        return {name.lower(): value.strip() for name, _, value in split}

    # Parsers: each takes what it can from the buffer, and returns None when it needs more.

    def _size_line(self) -> bytes | None:
        if (line := self._line()) is None:
            return None
        match = _CHUNK_SIZE.fullmatch(line)
        if match is None:
            raise _malformed(f"{bytes(line[:40])!r} does not start a chunk")
        self._remaining = int(match[1], 16)
        self._given = match[2].decode() if match[2] else None
        self._hash = hashlib.sha256()
        if self._received + self._remaining > self._length:
            raise _malformed(f"it is longer than the {self._length} declared bytes")
        if self._remaining == 0:
            self._check_chunk()
            self._parse = self._trailer_line
        else:
            self._parse = self._data
        return b""

    def _data(self) -> bytes | None:
        if not self._buffer:
            return None
        chunk = bytes(self._buffer[: self._remaining])
        del self._buffer[: len(chunk)]
        self._remaining -= len(chunk)
        self._received += len(chunk)
        if self._signatures is not None:
            self._hash.update(chunk)
        if self._remaining == 0:
            self._parse = self._data_end
        return chunk

    def _data_end(self) -> bytes | None:
        if len(self._buffer) < 2:
            return None
        if self._buffer[:2] != b"\r\n":
            raise _malformed("a chunk is longer than it says")
        del self._buffer[:2]
        self._check_chunk()
        self._parse = self._size_line
        return b""

    def _trailer_line(self) -> bytes | None:
        if (line := self._line()) is None:
            return None
        if line:
            if len(self._trailers) == _MAX_TRAILERS or b":" not in line:
                raise _malformed("its trailers cannot be read")
            self._trailers.append(line.decode("latin-1"))
            return b""
        self._check_trailers()
        self._is_finished = True
        return b""

    def _line(self) -> bytes | None:
        end = self._buffer.find(b"\r\n")
        if end < 0:
            if len(self._buffer) > _MAX_LINE_BYTES:
                raise _malformed("a line of it has no end")
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        return line

    def _check_chunk(self) -> None:
        if self._signatures is not None:
            self._signatures.check_chunk(self._given, self._hash.hexdigest())

    def _check_trailers(self) -> None:
        if self._signatures is None or not self._trailers:
            return
        given = [line for line in self._trailers if line.lower().startswith("x-amz-trailer-signature:")]
        self._trailers = [line for line in self._trailers if line not in given]
        self._signatures.check_trailers(given[0].partition(":")[2].strip() if given else None, self._trailers)


def _malformed(reason: str) -> PlatformError:
    return invalid_request("InvalidRequest", f"the aws-chunked body cannot be read: {reason}")
