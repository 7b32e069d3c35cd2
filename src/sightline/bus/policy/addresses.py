"""IP addresses and CIDR blocks, with the error messages of AWS for malformed ones."""

import ipaddress
import re
from typing import NamedTuple

from sightline.bus.policy.json_complaints import Complaint

__all__ = ["Address", "Block", "parse_address", "parse_block"]

_V4 = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+")
_V6 = re.compile(r"[0-9a-fA-F:]*:[0-9a-fA-F:]*")
_INTEGER = re.compile(r"[+-]?[0-9]{1,10}")
_MAX_LITERAL = 45


class Address(NamedTuple):
    bits: int
    value: int


class Block(NamedTuple):
    """All addresses of one family that share the first `length` bits."""

    bits: int
    length: int
    prefix: int

    def holds(self, address: Address) -> bool:
        return address.bits == self.bits and address.value >> (self.bits - self.length) == self.prefix


def parse_address(text: str) -> Address | None:
    if len(text) > _MAX_LITERAL:
        return None
    if _V4.fullmatch(text):
        octets = [int(octet) for octet in text.split(".")]
        return Address(32, int.from_bytes(bytes(octets), "big")) if max(octets) < 256 else None
    if not _V6.fullmatch(text):
        return None
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return None
    if address.ipv4_mapped is not None:
        return Address(32, int(address.ipv4_mapped))
    return Address(128, int(address))


def parse_block(text: str) -> Block:
    parts = text.split("/")
    while parts and parts[-1] == "":
        parts.pop()
    if len(parts) != 2:
        raise Complaint("Malformed CIDR, one '/' required")
    if not _INTEGER.fullmatch(parts[1]):
        raise Complaint("Malformed CIDR, mask bits must be an integer")
    length = int(parts[1])
    if length < 0:
        raise Complaint("Malformed CIDR, mask bits must not be negative")
    address = parse_address(parts[0])
    if address is None:
        looks_right = _V4.fullmatch(parts[0]) or _V6.fullmatch(parts[0])
        raise Complaint(f"{'Invalid' if looks_right else 'Nonstandard'} IP address: {parts[0]}")
    if length >= address.bits:
        raise Complaint(f"IPv{4 if address.bits == 32 else 6} mask bits must be < {address.bits}")
    return Block(address.bits, length, address.value >> (address.bits - length))
