"""XML of devices that nobody vouches for: small, without document types, and found by local names. Pure."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

MAX_BYTES = 512 * 1024


class BadXml(Exception):
    """What a device sent is no XML that is read."""


def parse(content: bytes) -> Element:
    """Refuses document types: entities of one are how a short text becomes a long one."""
    if len(content) > MAX_BYTES or b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise BadXml("the text is too long, or has a document type")
    try:
        return ET.fromstring(content)  # noqa: S314 - has no document type, so no entities
    except (ET.ParseError, LookupError, ValueError) as error:
        raise BadXml(str(error)) from None


def all_named(element: Element, name: str) -> Iterator[Element]:
    """Descendants by local name: prefixes and even namespaces differ between makers."""
    return (one for one in element.iter() if one.tag.rpartition("}")[2] == name)


def first_named(element: Element, *names: str) -> Element | None:
    """The first descendant along a path of local names."""
    found: Element | None = element
    for name in names:
        found = None if found is None else next(all_named(found, name), None)
    return found


def text_of(element: Element, *names: str) -> str:
    found = first_named(element, *names)
    return "" if found is None or found.text is None else found.text.strip()
