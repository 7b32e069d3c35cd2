"""Unreferenced frames: H.264 frames that no other frame refers to need not be decoded unless they are sampled. Pure.

Sampling uses ten frames per second of thirty or sixty. The frames between are needed only if others refer to them, which about
half are not. Leaving them out changes neither the sampled frames nor their times.
"""

from typing_extensions import Buffer

_SLICES = (1, 5)  # types of H.264 units that hold a part of a frame
_LENGTH_CODED = 1  # first byte of the stream header in MP4 and Matroska


def length_bytes(codec: str, header: bytes | None) -> int | None:
    """Size of the length field of a unit; None if unreferenced frames cannot be recognised."""
    if codec != "h264" or header is None or len(header) < 7 or header[0] != _LENGTH_CODED:
        return None
    return (header[4] & 3) + 1


def is_unreferenced(packet: Buffer, prefix: int) -> bool:
    """Whether no other frame refers to this one. A packet that cannot be parsed counts as referenced."""
    content = memoryview(packet)
    at = 0
    while at + prefix < len(content):
        kind = content[at + prefix]
        if kind & 0x1F in _SLICES:
            return kind & 0x60 == 0
        at += prefix + int.from_bytes(content[at : at + prefix], "big")
    return False
