"""The body of a request to the object routes: how long it is, what it means, and whether it arrived as it was sent."""

import base64
import binascii
import re
from collections.abc import AsyncIterator

from sightline.api.objects_request import ObjectRequest
from sightline.api.objects_xml import LARGEST_DOCUMENT
from sightline.objects import LARGEST_PART
from sightline.objects.aws_chunked import KINDS, UNSIGNED_TRAILER, ChunkedBody, ChunkSignatures
from sightline.objects.checksums import HEADER, Digests, algorithm_of
from sightline.objects.refusals import refused
from sightline.objects.sigv4 import UNSIGNED

_SHA256 = re.compile("[0-9a-f]{64}")
# These speak of checksums without being one.
_NO_CHECKSUMS = frozenset(HEADER + name for name in ("algorithm", "mode", "type"))


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
            self._expected["sha256"] = (bytes.fromhex(payload), "XAmzContentSHA256Mismatch")
        promised = (asked.header("x-amz-trailer") or "").split(",")
        self._promised = {name.strip().lower(): algorithm_of(name.strip()) for name in promised if name.strip()}

    @property
    def checksums(self) -> set[str]:
        """Those that have to be made of the bytes."""
        return {*self._expected, *self._promised.values()}

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
                self._expected[algorithm] = (_decoded(trailers[name], name), "BadDigest")

    def check(self, digests: Digests) -> dict[str, str]:
        """Raises if a checksum does not match; otherwise the headers that tell the client which did."""
        for name, (wanted, code) in self._expected.items():
            if digests.digest(name) != wanted:
                raise refused(code, f"the {name} of the bytes that arrived is not the one that was told")
        shown = {name for name in self._expected if name != "md5"} - {"sha256"}
        return {HEADER + name: base64.b64encode(digests.digest(name)).decode() for name in shown}


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
    text = asked.header(header) or ""
    if not text.isdecimal() or "content-length" not in asked.request.headers:
        raise refused("MissingContentLength", f"You must provide the {header} HTTP header.")
    if len(text) > 18 or int(text) > LARGEST_PART:
        raise refused("EntityTooLarge", f"{LARGEST_PART} bytes can be sent at once; larger objects are sent in parts")
    return int(text)


def _told_before(asked: ObjectRequest) -> dict[str, tuple[bytes, str]]:
    """Checksums in headers: what each must be, and what it is called if it is not."""
    expected: dict[str, tuple[bytes, str]] = {}
    if (md5 := asked.header("content-md5")) is not None:
        wanted = _decoded(md5, "Content-MD5")
        if len(wanted) != 16:
            raise refused("InvalidDigest", "The Content-MD5 you specified is not valid.")
        expected["md5"] = (wanted, "BadDigest")
    for name, value in asked.request.headers.items():
        if name.startswith(HEADER) and name not in _NO_CHECKSUMS:
            expected[algorithm_of(name)] = (_decoded(value, name), "BadDigest")
    return expected


def _decoded(value: str, name: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise refused("InvalidDigest", f"the value of {name} is not base64") from error
