"""MD5 digests of SQS, by which clients check that a message arrived unchanged. Pure."""

import hashlib
import struct

from sightline.bus.message import Attributes

_STRING, _BINARY = b"\x01", b"\x02"


def digest_of_body(body: str) -> str:
    return digest_of_text(body.encode())


def digest_of_text(text: bytes) -> str:
    return hashlib.md5(text, usedforsecurity=False).hexdigest()


def digest_of_attributes(attributes: Attributes) -> str:
    """Over the attributes in the order of their names: name, type, kind of value and value, each with its length."""
    digest = hashlib.md5(usedforsecurity=False)
    for name in sorted(attributes):
        attribute = attributes[name]
        is_text = isinstance(attribute.value, str)
        for part in (name, attribute.data_type):
            digest.update(_with_length(part))
        digest.update(_STRING if is_text else _BINARY)
        digest.update(_with_length(attribute.value))
    return digest.hexdigest()


def _with_length(value: str | bytes) -> bytes:
    encoded = value.encode() if isinstance(value, str) else value
    return struct.pack("!I", len(encoded)) + encoded
