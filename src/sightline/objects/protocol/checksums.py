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


# The checksums that stand in for the md5 where a client sends one of them with a part; the better one first.
_INSTEAD_OF_MD5 = ("crc64nvme", "crc32c")


def replaces_md5(checksums: Iterable[str]) -> bool:
    """Whether bytes with these checksums need no md5 of their own. It costs ten times what receiving and storing them does."""
    return not set(_INSTEAD_OF_MD5).isdisjoint(checksums)


class Digests:
    """Several checksums over the same bytes, and the ETag that follows from them."""

    def __init__(self, names: Iterable[str] = (), *, with_md5: bool = True) -> None:
        """`with_md5`: also if it is not among the names."""
        wanted = {"md5", *names} if with_md5 else set(names)
        self._hashers = {name: _HASHERS[name]() for name in wanted}

    def update(self, data: bytes) -> None:
        for hasher in self._hashers.values():
            hasher.update(data)

    def digest(self, name: str) -> bytes:
        return self._hashers[name].digest()

    @property
    def etag(self) -> str:
        """The md5, or else `<checksum>-<algorithm>`: by the hyphen, clients know that it is no md5."""
        if "md5" in self._hashers:
            return self.digest("md5").hex()
        name = next(name for name in _INSTEAD_OF_MD5 if name in self._hashers)
        return f"{self.digest(name).hex()}-{name}"
