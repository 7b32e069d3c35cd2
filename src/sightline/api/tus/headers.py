"""Headers of tus requests, read and checked. Pure."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import UUID

from sightline.errors import InvalidInput
from sightline.uploads.tus import CHECKSUM_ALGORITHMS, MAX_SOURCES, ExpectedChecksum

VERSION = "1.0.0"
EXTENSIONS = (
    "creation",
    "creation-with-upload",
    "creation-defer-length",
    "termination",
    "checksum",
    "expiration",
    "concatenation",
)
OFFSET_TYPE = "application/offset+octet-stream"
MAX_METADATA_LENGTH = 8192
_KEY = re.compile(r"[!-+\--~]{1,255}")  # ASCII without spaces and commas


class UnsupportedVersion(InvalidInput):
    """The client speaks another version of tus."""


class UnsupportedBody(InvalidInput):
    """The body of the request is not of the type that tus uses."""


@dataclass(frozen=True, slots=True)
class Concatenation:
    """What `Upload-Concat` says: a partial upload, or a final one made of those."""

    sources: tuple[UUID, ...] | None
    """None: the upload is partial."""


def check_version(headers: Mapping[str, str]) -> None:
    if headers.get("tus-resumable") != VERSION:
        raise UnsupportedVersion(f"Tus-Resumable: this server speaks version {VERSION}")


def check_body_type(headers: Mapping[str, str]) -> None:
    if headers.get("content-type", "").partition(";")[0].strip().lower() != OFFSET_TYPE:
        raise UnsupportedBody(f"Content-Type must be {OFFSET_TYPE}")


def read_number(headers: Mapping[str, str], name: str) -> int | None:
    text = headers.get(name.lower())
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise InvalidInput(f"{name}: must be a number of bytes")
    return int(text)


def read_offset(headers: Mapping[str, str]) -> int:
    offset = read_number(headers, "Upload-Offset")
    if offset is None:
        raise InvalidInput("Upload-Offset: is missing")
    return offset


def read_length(headers: Mapping[str, str]) -> int | None:
    """None if the client will say it later."""
    length = read_number(headers, "Upload-Length")
    is_deferred = headers.get("upload-defer-length")
    if is_deferred not in (None, "1"):
        raise InvalidInput("Upload-Defer-Length: must be 1")
    if (length is None) == (is_deferred is None):
        raise InvalidInput("Upload-Length: give either it or Upload-Defer-Length: 1")
    if length == 0:
        raise InvalidInput("Upload-Length: this file is empty")
    return length


def read_metadata(headers: Mapping[str, str]) -> dict[str, str]:
    """Values by key. Keys are unique, values base64 of UTF-8; a value may be missing."""
    text = headers.get("upload-metadata", "")
    if len(text) > MAX_METADATA_LENGTH:
        raise InvalidInput(f"Upload-Metadata: at most {MAX_METADATA_LENGTH} characters")
    found: dict[str, str] = {}
    for pair in filter(None, (one.strip() for one in text.split(","))):
        key, _, encoded = pair.partition(" ")
        if not _KEY.fullmatch(key) or key in found:
            raise InvalidInput(f"Upload-Metadata: {key[:50]!r} is no key, or is there twice")
        try:
            found[key] = base64.b64decode(encoded.strip(), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise InvalidInput(f"Upload-Metadata: the value of {key[:50]!r} is not base64 of UTF-8") from error
    return found


def read_concatenation(headers: Mapping[str, str]) -> Concatenation | None:
    text = headers.get("upload-concat")
    if text is None:
        return None
    if text == "partial":
        return Concatenation(None)
    kind, _, addresses = text.partition(";")
    if kind != "final" or not addresses.strip():
        raise InvalidInput("Upload-Concat: must be `partial`, or `final;` and the addresses of partial uploads")
    sources = tuple(_id_of(address) for address in addresses.split())
    if len(sources) > MAX_SOURCES or len(set(sources)) < len(sources):
        raise InvalidInput(f"Upload-Concat: at most {MAX_SOURCES} uploads, each once")
    return Concatenation(sources)


def read_checksum(headers: Mapping[str, str]) -> ExpectedChecksum | None:
    text = headers.get("upload-checksum")
    if text is None:
        return None
    algorithm, _, encoded = text.partition(" ")
    if algorithm not in CHECKSUM_ALGORITHMS:
        raise InvalidInput(f"Upload-Checksum: use one of {', '.join(CHECKSUM_ALGORITHMS)}")
    try:
        return ExpectedChecksum(algorithm, base64.b64decode(encoded.strip(), validate=True))
    except binascii.Error as error:
        raise InvalidInput("Upload-Checksum: the checksum is not base64") from error


def _id_of(address: str) -> UUID:
    """The upload of an absolute or relative address."""
    try:
        return UUID(urlsplit(address).path.rstrip("/").rpartition("/")[2])
    except ValueError:
        raise InvalidInput(f"Upload-Concat: {address[:200]!r} is no address of an upload") from None
