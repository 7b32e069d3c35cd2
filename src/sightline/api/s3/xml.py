"""XML documents that S3 clients send and read."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from typing import Any

from sightline.objects import PartTag
from sightline.objects.protocol import invalid_request

XML_TYPE = "application/xml"
"""Exactly this value: some clients compare it."""
NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
"""Enough for ten thousand parts with ETags and checksums."""

Field = tuple[str, Any]
"""A name with a value, or with nested fields."""

_INVALID_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(name: str, fields: Iterable[Field], *, namespace: str | None = NAMESPACE) -> bytes:
    root = ET.Element(name, {} if namespace is None else {"xmlns": namespace})
    _fill(root, fields)
    content: bytes = ET.tostring(root, encoding="UTF-8", xml_declaration=True)
    return content


def _fill(parent: ET.Element, fields: Iterable[Field]) -> None:
    for name, value in fields:
        element = ET.SubElement(parent, name)
        if isinstance(value, str):
            element.text = _INVALID_CHARACTERS.sub("\ufffd", value)
        elif isinstance(value, bool):
            element.text = str(value).lower()
        elif isinstance(value, int):
            element.text = str(value)
        else:
            _fill(element, value)


def read_completion(content: bytes) -> list[PartTag]:
    """The parts of a `CompleteMultipartUpload`, in the order given."""
    tags = []
    for part in _children(_root(content, "CompleteMultipartUpload"), "Part"):
        number, etag = _text(part, "PartNumber"), _text(part, "ETag")
        if not re.fullmatch("[0-9]{1,5}", number):
            raise _malformed()
        tags.append(PartTag(int(number), etag))
    return tags


def read_deletion(content: bytes) -> tuple[list[str], bool]:
    """The keys of a `Delete`, and whether the response lists only failures."""
    root = _root(content, "Delete")
    keys = [_text(one, "Key") for one in _children(root, "Object")]
    return keys, any(quiet.text == "true" for quiet in _children(root, "Quiet"))


def _root(content: bytes, name: str) -> ET.Element:
    if b"<!" in content:  # no client needs a document type, and entities can exhaust a parser
        raise _malformed()
    try:
        root = ET.fromstring(content)  # noqa: S314 - without a document type there is nothing to attack with
    except ET.ParseError as error:
        raise _malformed() from error
    if _bare(root.tag) != name:
        raise _malformed()
    return root


def _children(parent: ET.Element, name: str) -> Sequence[ET.Element]:
    return [child for child in parent if _bare(child.tag) == name]


def _text(parent: ET.Element, name: str) -> str:
    found = _children(parent, name)
    if len(found) != 1 or not found[0].text:
        raise _malformed()
    return found[0].text.strip() if name != "Key" else found[0].text


def _bare(tag: str) -> str:
    return tag.rpartition("}")[2]


def _malformed() -> Exception:
    return invalid_request(
        "MalformedXML",
        "The XML you provided was not well-formed or did not validate against our published schema",
    )
