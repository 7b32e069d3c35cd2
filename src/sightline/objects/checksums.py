"""Running checksums of bytes on their way in: what S3 clients send along to have their bytes checked."""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import anycrc

from sightline.objects.refusals import refused


class _Running(Protocol):
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
    """By the name of its model."""

    def __init__(self, model: str, width: int) -> None:
        self._model = anycrc.Model(model)
        self._width = width
        self._value: int = self._model.calc(b"")

    def update(self, data: bytes) -> None:
        self._value = self._model.calc(data, self._value)

    def digest(self) -> bytes:
        return self._value.to_bytes(self._width, "big")


_MAKERS: Mapping[str, Callable[[], _Running]] = {
    "md5": lambda: hashlib.md5(usedforsecurity=False),
    "sha1": lambda: hashlib.sha1(usedforsecurity=False),
    "sha256": hashlib.sha256,
    "crc32": _Crc32,
    "crc32c": lambda: _Crc("CRC32-ISCSI", 4),
    "crc64nvme": lambda: _Crc("CRC64-NVME", 8),
}
HEADER = "x-amz-checksum-"


def algorithm_of(header: str) -> str:
    """`crc32` of `x-amz-checksum-crc32`; one that cannot be checked is refused rather than believed."""
    name = header.lower().removeprefix(HEADER)
    if not header.lower().startswith(HEADER) or name not in _MAKERS or name == "md5":
        known = ", ".join(sorted(name.upper() for name in _MAKERS if name != "md5"))
        raise refused("InvalidRequest", f"{header[:100]} is not a checksum that can be checked here; {known} are")
    return name


class Digests:
    """Several checksums over the same bytes. The md5 is always one of them: it becomes the ETag."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._running = {name: _MAKERS[name]() for name in {"md5", *names}}

    def update(self, data: bytes) -> None:
        for running in self._running.values():
            running.update(data)

    def digest(self, name: str) -> bytes:
        return self._running[name].digest()

    @property
    def md5(self) -> str:
        return self.digest("md5").hex()
