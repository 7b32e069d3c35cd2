"""Messages between a process and its child: a word, fields as JSON, and bytes that stay bytes. Never pickles.

A frame is two lengths (four bytes each, little-endian), the JSON text `[kind, fields]`, and the content.
"""

import asyncio
import json
import os
import select
import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

from sightline.errors import TransientFailure

MAX_FIELDS_BYTES = 4 * 1024 * 1024
MAX_CONTENT_BYTES = 256 * 1024 * 1024
_LENGTHS = struct.Struct("<II")
_READ_BYTES = 1024 * 1024


class BrokenChannel(TransientFailure):
    """The other side sent what is no message. A child that does so may be compromised, and is ended."""


class ProcessMessage(NamedTuple):
    kind: str
    fields: dict[str, Any]
    content: bytes = b""


class ChildChannel:
    """The child's end. Blocking; used by one thread at a time in each direction."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._received = bytearray()

    def send(self, kind: str, fields: Mapping[str, Any] | None = None, content: Any = b"") -> None:
        """`content` is anything with a buffer of bytes, such as an array."""
        data = memoryview(content).cast("B")
        head = _head(kind, fields or {}, len(data))
        self._write(memoryview(head))
        self._write(data)

    def receive(self, timeout_s: float | None = None) -> ProcessMessage | None:
        """None when nothing came in this time. Raises `EOFError` when the parent has closed its end."""
        while (message := self._whole_message()) is None:
            if not select.select([self._number], [], [], timeout_s)[0]:
                return None
            data = os.read(self._number, _READ_BYTES)
            if not data:
                raise EOFError("the parent closed the channel")
            self._received += data
        return message

    def _write(self, data: memoryview) -> None:
        while data:
            data = data[os.write(self._number, data) :]

    def _whole_message(self) -> ProcessMessage | None:
        if len(self._received) < _LENGTHS.size:
            return None
        fields, content = _checked_lengths(self._received[: _LENGTHS.size])
        if len(self._received) < _LENGTHS.size + fields + content:
            return None
        body = bytes(self._received[_LENGTHS.size : _LENGTHS.size + fields + content])
        del self._received[: _LENGTHS.size + fields + content]
        return _message(body[:fields], body[fields:])


class ParentChannel:
    """The parent's end, on the event loop."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._sending = asyncio.Lock()

    async def send(self, kind: str, fields: Mapping[str, Any] | None = None, content: Any = b"") -> None:
        """Waits while the child does not read. A child that has ended is noticed by `receive`."""
        data = memoryview(content).cast("B")
        async with self._sending:
            try:
                self._writer.write(_head(kind, fields or {}, len(data)))
                if data:
                    self._writer.write(data)
                await self._writer.drain()
            except ConnectionError:
                return

    async def receive(self) -> ProcessMessage | None:
        """None when the child has closed its end, or ended."""
        try:
            fields, content = _checked_lengths(await self._reader.readexactly(_LENGTHS.size))
            return _message(
                await self._reader.readexactly(fields), await self._reader.readexactly(content) if content else b""
            )
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    @property
    def at_end(self) -> bool:
        """The child has closed its end, and nothing that it sent is left."""
        return self._reader.at_eof()


def _head(kind: str, fields: Mapping[str, Any], content_length: int) -> bytes:
    text = json.dumps((kind, dict(fields)), separators=(",", ":")).encode()
    return _LENGTHS.pack(len(text), content_length) + text


def _checked_lengths(head: bytes | bytearray) -> tuple[int, int]:
    fields, content = _LENGTHS.unpack(head)
    if fields > MAX_FIELDS_BYTES or content > MAX_CONTENT_BYTES:
        raise BrokenChannel("a message of the child process is too long")
    return fields, content


def _message(text: bytes, content: bytes) -> ProcessMessage:
    try:
        match json.loads(text):
            case [str() as kind, dict() as fields]:
                return ProcessMessage(kind, fields, content)
    except (ValueError, RecursionError):
        pass
    raise BrokenChannel("a message of the child process cannot be read")
