"""Request bodies of the object endpoint: length, decoding, and checksums."""

import base64
import binascii
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from sightline.api.s3.request import ObjectRequest
from sightline.api.s3.xml import MAX_DOCUMENT_BYTES
from sightline.objects import MAX_PART_BYTES
from sightline.objects.protocol import (
    CHECKSUM_HEADER_PREFIX,
    STREAMING_PAYLOADS,
    UNSIGNED_TRAILER,
    ChunkedBody,
    ChunkSignatures,
    Digests,
    checksum_algorithm,
    invalid_request,
)
from sightline.sigv4 import UNSIGNED_PAYLOAD

_SHA256 = re.compile("[0-9a-f]{64}")
# Headers about checksums that hold none.
_NOT_CHECKSUMS = frozenset(CHECKSUM_HEADER_PREFIX + name for name in ("algorithm", "mode", "type"))


@dataclass(frozen=True, slots=True)
class _ExpectedChecksum:
    """A checksum that the bytes must have."""

    algorithm: str
    digest: bytes
    code: str = "BadDigest"
    """The error code if they do not."""
    response_header: str = ""
    """The response header that confirms it."""


class RequestBody:
    """Read `chunks` to the end, then `check` the checksums that were computed on the way."""

    def __init__(self, request: ObjectRequest) -> None:
        self._request = request
        payload = request.verified.payload
        is_chunked = payload in STREAMING_PAYLOADS or "aws-chunked" in (request.header("content-encoding") or "")
        if not is_chunked and payload != UNSIGNED_PAYLOAD and not _SHA256.fullmatch(payload):
            raise invalid_request(
                "InvalidArgument", "x-amz-content-sha256 must be a sha256, UNSIGNED-PAYLOAD or a known STREAMING- kind"
            )
        self.length = _length(request, "x-amz-decoded-content-length" if is_chunked else "content-length")
        self._chunked: ChunkedBody | None = None
        if is_chunked:
            is_signed = payload in STREAMING_PAYLOADS and payload != UNSIGNED_TRAILER
            signatures = ChunkSignatures(request.verified) if is_signed else None
            self._chunked = ChunkedBody(self.length, signatures=signatures)
        self._expected = _checksums_in_headers(request)
        if _SHA256.fullmatch(payload):
            self._expected.append(_ExpectedChecksum("sha256", bytes.fromhex(payload), "XAmzContentSHA256Mismatch"))
        announced = (request.header("x-amz-trailer") or "").split(",")
        self._announced = {name.strip().lower(): checksum_algorithm(name.strip()) for name in announced if name.strip()}

    @property
    def checksums(self) -> set[str]:
        """The checksums that have to be computed of the bytes."""
        return {*(one.algorithm for one in self._expected), *self._announced.values()}

    async def chunks(self) -> AsyncIterator[bytes]:
        async for data in self._request.http.stream():
            if self._chunked is None:
                yield data
            else:
                for chunk in self._chunked.feed(data):
                    yield chunk
        if self._chunked is not None:
            trailers = self._chunked.finish()
            for name, algorithm in self._announced.items():
                if name not in trailers:
                    raise invalid_request("MalformedTrailerError", f"the trailer {name} was announced but not sent")
                self._expected.append(
                    _ExpectedChecksum(algorithm, _decoded(trailers[name], name), response_header=name)
                )

    def check(self, digests: Digests) -> dict[str, str]:
        """Raises if a checksum does not match; returns the response headers that confirm those that do."""
        for one in self._expected:
            if digests.digest(one.algorithm) != one.digest:
                raise invalid_request(
                    one.code, f"the {one.algorithm} of the received bytes does not match the given one"
                )
        return {
            one.response_header: base64.b64encode(one.digest).decode() for one in self._expected if one.response_header
        }


async def read_document(request: ObjectRequest) -> bytes:
    """The whole body, for XML documents."""
    body = RequestBody(request)
    if body.length > MAX_DOCUMENT_BYTES:
        raise invalid_request("MaxMessageLengthExceeded", f"a document may have at most {MAX_DOCUMENT_BYTES} bytes")
    content, digests = bytearray(), Digests(body.checksums)
    async for chunk in body.chunks():
        content += chunk
        digests.update(chunk)
    body.check(digests)
    return bytes(content)


def _length(request: ObjectRequest, header: str) -> int:
    # Of an aws-chunked body only the decoded length counts; SDKs often do not know the other in advance.
    text = request.header(header) or ""
    if not text.isdecimal():
        raise invalid_request("MissingContentLength", f"You must provide the {header} HTTP header.")
    if len(text) > 18 or int(text) > MAX_PART_BYTES:
        raise invalid_request(
            "EntityTooLarge", f"at most {MAX_PART_BYTES} bytes can be sent at once; send larger objects in parts"
        )
    return int(text)


def _checksums_in_headers(request: ObjectRequest) -> list[_ExpectedChecksum]:
    expected = []
    if (md5 := request.header("content-md5")) is not None:
        md5_digest = _decoded(md5, "Content-MD5")
        if len(md5_digest) != 16:
            raise invalid_request("InvalidDigest", "The Content-MD5 you specified is not valid.")
        expected.append(_ExpectedChecksum("md5", md5_digest))
    for name, value in request.http.headers.items():
        if name.startswith(CHECKSUM_HEADER_PREFIX) and name not in _NOT_CHECKSUMS:
            expected.append(_ExpectedChecksum(checksum_algorithm(name), _decoded(value, name), response_header=name))
    return expected


def _decoded(value: str, name: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise invalid_request("InvalidDigest", f"the value of {name} is not base64") from error
