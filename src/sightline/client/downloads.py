"""Downloads by signed URL: into a file that appears when it is complete, continued after a cut connection."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import httpx

from sightline.client.api_client import ApiClient
from sightline.client.failures import failure_of
from sightline.errors import BackendUnavailable, PermanentFailure, PlatformError, TooLarge

DownloadProgress = Callable[[int, int | None], None]
"""Called with the bytes so far and, where known, of the whole file."""


async def download_file(api: ApiClient, url: str, target: Path, *, progress: DownloadProgress | None = None) -> Path:
    """Writes `{target}.part` and renames it at the end, so that the target is never half a file."""
    part = target.with_name(f"{target.name}.part")
    try:
        with await asyncio.to_thread(part.open, "wb") as file:
            await _Download(api, url, file, progress).run()
        await asyncio.to_thread(part.replace, target)
    except OSError as error:
        raise PermanentFailure(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        await asyncio.to_thread(part.unlink, missing_ok=True)
    return target


async def read_url(api: ApiClient, url: str, *, max_bytes: int) -> bytes:
    """The whole content, which must not be longer than `max_bytes`."""
    attempts = api.attempts()
    while True:
        status = None
        try:
            async with api.http.stream("GET", url) as response:
                if (status := response.status_code) < 400:
                    return await _limited(response, max_bytes)
                await response.aread()
                failure = failure_of(response, str(response.url.host))
        except httpx.TransportError as error:
            failure = _unreachable(error)
        attempts.failed(status)
        if attempts.are_over or not failure.is_retryable:
            raise failure
        await api.wait(attempts)


async def _limited(response: httpx.Response, max_bytes: int) -> bytes:
    content = bytearray()
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > max_bytes:
            raise TooLarge(f"{response.url.path} has more than {max_bytes} bytes")
    return bytes(content)


class _Download:
    def __init__(self, api: ApiClient, url: str, file: BinaryIO, progress: DownloadProgress | None) -> None:
        self._api = api
        self._url = url
        self._file = file
        self._progress = progress
        self._written = 0
        self._etag: str | None = None

    async def run(self) -> None:
        attempts = self._api.attempts()
        while True:
            before, status, failure = self._written, None, None
            try:
                async with self._api.http.stream("GET", self._url, headers=self._range()) as response:
                    if (status := response.status_code) < 400:
                        await self._write(response)
                        return
                    await response.aread()
                    failure = failure_of(response, str(response.url.host))
            except httpx.TransportError as error:
                failure = _unreachable(error)
            if self._written > before:
                attempts = self._api.attempts()  # it moves on
            attempts.failed(status)
            if attempts.are_over or not failure.is_retryable:
                raise failure
            await self._api.wait(attempts)

    def _range(self) -> dict[str, str]:
        if not self._written or self._etag is None:
            return {}
        return {"range": f"bytes={self._written}-", "if-range": self._etag}

    async def _write(self, response: httpx.Response) -> None:
        if response.status_code != 206 and self._written:
            await asyncio.to_thread(self._restart)  # another content, or a server that knows no ranges
        self._etag = response.headers.get("etag")
        length = response.headers.get("content-length")
        total = None if length is None else self._written + int(length)
        async for piece in response.aiter_raw():
            await asyncio.to_thread(self._file.write, piece)
            self._written += len(piece)
            if self._progress is not None:
                self._progress(self._written, total)

    def _restart(self) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._written = 0


def _unreachable(error: httpx.TransportError) -> PlatformError:
    return BackendUnavailable("objects", f"the download was interrupted: {str(error) or type(error).__name__}")
