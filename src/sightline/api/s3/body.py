"""The body of a request to the object routes: how long it is, what it means, and whether it arrived as it was sent."""

import base64
import binascii
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from sightline.api.s3.request import ObjectRequest
from sightline.api.s3.xml import LARGEST_DOCUMENT
from sightline.objects import LARGEST_PART
from sightline.objects.aws_chunked import KINDS, UNSIGNED_TRAILER, ChunkedBody, ChunkSignatures
from sightline.objects.checksums import HEADER, Digests, algorithm_of
from sightline.objects.refusals import refused
from sightline.objects.sigv4 import UNSIGNED

_SHA256 = re.compile("[0-9a-f]{64}")
# These speak of checksums without being one.
_NO_CHECKSUMS = frozenset(HEADER + name for name in ("algorithm", "mode", "type"))


@dataclass(frozen=True, slots=True)
class _Expected:
    """What a checksum of the bytes must be."""

    algorithm: str
    digest: bytes
    code: str = "BadDigest"
    """What S3 calls it if it is not."""
    shown_as: str = ""
    """The header by which the answer tells that it is."""


class Body:
    """Read `pieces` to the end, then `check` the checksums that were made of them on the way."""

    def __init__(self, asked: ObjectRequest) -> None:
        self._asked = asked
        payload = asked.verified.payload
        is_chunked = payload in KINDS or "aws-chunked" in (asked.header("content-encoding") or "")
        if not is_chunked and payload != UNSIGNED and not _SHA256.fullmatch(payload):
            raise refused(
                "InvalidArgument", "x-amz-content-sha256 must be a sha256, UNSIGNED-PAYLOAD or a known STREAMING- kind"
            )
        self.length = _length(asked, "x-amz-decoded-content-length" if is_chunked else "content-length")
        self._chunked: ChunkedBody | None = None
        if is_chunked:
            is_signed = payload in KINDS and payload != UNSIGNED_TRAILER
            signatures = ChunkSignatures(asked.objects.signing_key, asked.verified) if is_signed else None
            self._chunked = ChunkedBody(self.length, signatures=signatures)
        self._expected = _told_before(asked)
        if _SHA256.fullmatch(payload):
            self._expected.append(_Expected("sha256", bytes.fromhex(payload), "XAmzContentSHA256Mismatch"))
        promised = (asked.header("x-amz-trailer") or "").split(",")
        self._promised = {name.strip().lower(): algorithm_of(name.strip()) for name in promised if name.strip()}

    @property
    def checksums(self) -> set[str]:
        """Those that have to be made of the bytes."""
        return {*(one.algorithm for one in self._expected), *self._promised.values()}

    async def pieces(self) -> AsyncIterator[bytes]:
        async for data in self._asked.request.stream():
            if self._chunked is None:
                yield data
            else:
                for piece in self._chunked.feed(data):
                    yield piece
        if self._chunked is not None:
            trailers = self._chunked.finish()
            for name, algorithm in self._promised.items():
                if name not in trailers:
                    raise refused("MalformedTrailerError", f"the trailer {name} was promised and did not come")
                self._expected.append(_Expected(algorithm, _decoded(trailers[name], name), shown_as=name))

    def check(self, digests: Digests) -> dict[str, str]:
        """Raises if a checksum does not match; otherwise the headers that tell the client which did."""
        for one in self._expected:
            if digests.digest(one.algorithm) != one.digest:
                raise refused(one.code, f"the {one.algorithm} of the bytes that arrived is not the one that was told")
        return {one.shown_as: base64.b64encode(one.digest).decode() for one in self._expected if one.shown_as}


async def small_body(asked: ObjectRequest) -> bytes:
    """A document, whole."""
    body = Body(asked)
    if body.length > LARGEST_DOCUMENT:
        raise refused("MaxMessageLengthExceeded", f"a document here may have {LARGEST_DOCUMENT} bytes at the most")
    content, digests = bytearray(), Digests(body.checksums)
    async for piece in body.pieces():
        content += piece
        digests.update(piece)
    body.check(digests)
    return bytes(content)


def _length(asked: ObjectRequest, header: str) -> int:
    # Of an aws-chunked body only the length that is meant counts; SDKs often do not know the other beforehand.
    text = asked.header(header) or ""
    if not text.isdecimal():
        raise refused("MissingContentLength", f"You must provide the {header} HTTP header.")
    if len(text) > 18 or int(text) > LARGEST_PART:
        raise refused("EntityTooLarge", f"{LARGEST_PART} bytes can be sent at once; larger objects are sent in parts")
    return int(text)


def _told_before(asked: ObjectRequest) -> list[_Expected]:
    """Checksums in headers."""
    expected = []
    if (md5 := asked.header("content-md5")) is not None:
        wanted = _decoded(md5, "Content-MD5")
        if len(wanted) != 16:
            raise refused("InvalidDigest", "The Content-MD5 you specified is not valid.")
        expected.append(_Expected("md5", wanted))
    for name, value in asked.request.headers.items():
        if name.startswith(HEADER) and name not in _NO_CHECKSUMS:
            expected.append(_Expected(algorithm_of(name), _decoded(value, name), shown_as=name))
    return expected


def _decoded(value: str, name: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise refused("InvalidDigest", f"the value of {name} is not base64") from error
