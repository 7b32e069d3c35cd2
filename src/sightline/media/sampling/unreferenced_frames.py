"""Pictures that no other refers to: where nobody looks at them either, they need not be decoded. Pure.

Sampling looks at ten pictures a second of thirty or sixty. Those between are needed as far as others are made from them, which
about half are not. Leaving them out changes neither the pictures that are looked at nor their times.
"""

from typing_extensions import Buffer

_SLICES = (1, 5)  # types of H.264 units that hold a part of a picture
_LENGTH_CODED = 1  # first byte of the header of a stream as MP4 and Matroska keep it


def length_bytes(codec: str, header: bytes | None) -> int | None:
    """How many bytes tell the length of a unit; None where such pictures are not recognised."""
    if codec != "h264" or header is None or len(header) < 7 or header[0] != _LENGTH_CODED:
        return None
    return (header[4] & 3) + 1


def is_unreferenced(packet: Buffer, prefix: int) -> bool:
    """Whether the picture is used for no other. What cannot be read counts as used."""
    content = memoryview(packet)
    at = 0
    while at + prefix < len(content):
        kind = content[at + prefix]
        if kind & 0x1F in _SLICES:
            return kind & 0x60 == 0
        at += prefix + int.from_bytes(content[at : at + prefix], "big")
    return False
