"""Remote inputs: the worker fetches ranges of one address for the sandboxed process, which has no network.

The process names positions and lengths and nothing else: the address, its signature and the connection stay here.
"""

import asyncio
import socket
from contextlib import suppress

import structlog

from sightline.errors import BackendUnavailable, PermanentFailure, PlatformError
from sightline.http import HttpClient, HttpResponse, check_status
from sightline.media.input.byte_source import ANSWER, MAX_REQUEST_BYTES, REQUEST

FIRST_RANGE_BYTES = 256 * 1024
MAX_RANGE_BYTES = 4 * 1024 * 1024
"""Ranges double up to this while the video is read in order, so that a jump costs little and a long read few requests."""
TIMEOUT_S = 60.0
RETRY_DELAYS_S = (0.2, 1.0, 5.0, 15.0)
"""A connection that broke is tried again in the middle of a video; at its beginning the job is tried again instead."""

log = structlog.get_logger(__name__)


class RemoteInput:
    """Answers requests on `ours` from one address. `failure` is the reason of the last one that could not be answered."""

    def __init__(self, url: str, ours: socket.socket) -> None:
        self._url = url
        self._socket = ours
        self._client = HttpClient("objects", timeout_s=TIMEOUT_S, max_body_bytes=MAX_RANGE_BYTES)
        self._size: int | None = None
        self._start, self._block = 0, b""
        self._next_bytes = FIRST_RANGE_BYTES
        self._ahead: tuple[int, asyncio.Task[bytes]] | None = None
        self.failure: PlatformError | None = None

    async def serve(self) -> None:
        """Until the process closes its end, or sends what is no request."""
        self._socket.setblocking(False)
        try:
            while (request := await self._receive(REQUEST.size)) is not None:
                position, length = REQUEST.unpack(request)
                if length > MAX_REQUEST_BYTES:
                    return
                await self._answer(position, length)
        finally:
            self._socket.close()
            if self._ahead is not None:
                self._ahead[1].cancel()
                with suppress(asyncio.CancelledError, PlatformError):
                    await self._ahead[1]
            self._client.close()

    async def _answer(self, position: int, length: int) -> None:
        try:
            found = await self._read(position, length)
        except PlatformError as error:
            self.failure = error
            header, found = ANSWER.pack(-1, self._size or 0), b""
        else:
            header = ANSWER.pack(len(found), self._size or 0)
        with suppress(BrokenPipeError, ConnectionResetError):
            await asyncio.get_running_loop().sock_sendall(self._socket, header + found)

    async def _read(self, position: int, length: int) -> bytes:
        """Up to `length` bytes; fewer at the end of a range, none at the end of the video."""
        if not self._start <= position < self._start + len(self._block):
            if self._size is not None and position >= self._size:
                return b""
            await self._load(position)
        offset = position - self._start
        return self._block[offset : offset + length]

    async def _load(self, position: int) -> None:
        ahead, self._ahead = self._ahead, None
        follows = position == self._start + len(self._block)
        self._next_bytes = min(2 * self._next_bytes, MAX_RANGE_BYTES) if follows else FIRST_RANGE_BYTES
        if ahead is not None and ahead[0] == position:
            block = await ahead[1]
        else:
            if ahead is not None:
                ahead[1].cancel()
            block = await self._fetch(position, self._next_bytes)
        self._start, self._block = position, block
        following = position + len(block)
        if follows and self._size is not None and following < self._size:
            self._ahead = (following, asyncio.create_task(self._fetch(following, self._next_bytes)))

    async def _fetch(self, position: int, length: int) -> bytes:
        delays = iter(() if self._size is None else RETRY_DELAYS_S)
        while True:
            try:
                return await self._fetch_once(position, length)
            except BackendUnavailable as error:
                delay = next(delays, None)
                if delay is None:
                    raise
                log.warning("media.remote_read_failed", error=error.message, position=position)
                await asyncio.sleep(delay)

    async def _fetch_once(self, position: int, length: int) -> bytes:
        wanted = f"bytes={position}-{position + length - 1}"
        response = await self._client.request("GET", self._url, headers={"Range": wanted})
        if response.status == 416 and position == 0:  # what every server says of an empty file
            self._size = 0
            return b""
        check_status("objects", response)
        self._size = _size_in(response)
        return bytes(response.body)

    async def _receive(self, length: int) -> bytes | None:
        received = b""
        while len(received) < length:
            try:
                part = await asyncio.get_running_loop().sock_recv(self._socket, length - len(received))
            except ConnectionResetError:
                return None
            if not part:
                return None
            received += part
        return received


def _size_in(response: HttpResponse) -> int:
    """The size of the whole, from `content-range: bytes 0-99/1234`."""
    _, _, size = response.headers.get("content-range", "").rpartition("/")
    if response.status != 206 or not size.isdecimal():
        raise PermanentFailure("the object store does not return ranges of a video")
    return int(size)
