"""Checksums that S3 clients send with their bytes, computed while the bytes arrive."""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import anycrc

from sightline.objects.errors import invalid_request


class _Hasher(Protocol):
    def update(self, data: bytes, /) -> object: ...
    def digest(self) -> bytes: ...


class _Crc32:
    def __init__(self) -> None:
        self._value = 0

    def update(self, data: bytes) -> None:
        self._value = zlib.crc32(data, self._value)

    def digest(self) -> bytes:
        return self._value.to_bytes(4, "big")


class _Crc:
    """A CRC by the name of its model."""

    def __init__(self, model: str, width: int) -> None:
        self._model = anycrc.Model(model)
        self._width = width
        self._value: int = self._model.calc(b"")

    def update(self, data: bytes) -> None:
        self._value = self._model.calc(data, self._value)

    def digest(self) -> bytes:
        return self._value.to_bytes(self._width, "big")


_HASHERS: Mapping[str, Callable[[], _Hasher]] = {
    "md5": lambda: hashlib.md5(usedforsecurity=False),
    "sha1": lambda: hashlib.sha1(usedforsecurity=False),
    "sha256": hashlib.sha256,
    "crc32": _Crc32,
    "crc32c": lambda: _Crc("CRC32-ISCSI", 4),
    "crc64nvme": lambda: _Crc("CRC64-NVME", 8),
}
CHECKSUM_HEADER_PREFIX = "x-amz-checksum-"


def checksum_algorithm(header: str) -> str:
    """`crc32` of `x-amz-checksum-crc32`; an unknown one is refused, because it could not be checked."""
    name = header.lower().removeprefix(CHECKSUM_HEADER_PREFIX)
    if not header.lower().startswith(CHECKSUM_HEADER_PREFIX) or name not in _HASHERS or name == "md5":
        known = ", ".join(sorted(name.upper() for name in _HASHERS if name != "md5"))
        raise invalid_request("InvalidRequest", f"{header[:100]} is not a supported checksum; use one of {known}")
    return name


class Digests:
    """Several checksums over the same bytes. The md5 is always one of them: it becomes the ETag."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._hashers = {name: _HASHERS[name]() for name in {"md5", *names}}

    def update(self, data: bytes) -> None:
        for hasher in self._hashers.values():
            hasher.update(data)

    def digest(self, name: str) -> bytes:
        return self._hashers[name].digest()

    @property
    def md5(self) -> str:
        return self.digest("md5").hex()
