"""Download of a large file, resumed where an earlier attempt stopped."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import httpx

from sightline.errors import BackendUnavailable, PermanentFailure

TIMEOUT_S = 60.0
"""For each step: connecting, and waiting for the next bytes."""

DownloadProgress = Callable[[int, int], None]
"""Gets the bytes so far and the bytes in all."""


async def download_file(
    url: str, part: Path, total_bytes: int, progress: DownloadProgress, *, source: str, advice: str
) -> bytes:
    """All bytes of the file, not verified. An interrupted download stays in `part`, and the next one appends to it.

    `source` names the server in errors; `advice` is what to do when it cannot be reached.
    """
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=True) as http:
            await _fetch(http, url, part, total_bytes, progress, advice)
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
        raise BackendUnavailable(
            source,
            f"{url} cannot be downloaded: {reason}. Check the connection and repeat the command, which resumes; {advice}",
        ) from error
    content = await asyncio.to_thread(part.read_bytes)
    if len(content) < total_bytes:
        raise BackendUnavailable(source, f"the download of {url} ended early; repeat the command, which resumes")
    return content


async def _fetch(
    http: httpx.AsyncClient, url: str, part: Path, total: int, progress: DownloadProgress, advice: str
) -> None:
    done = _size_of(part)
    if done == total:
        return
    if done > total:  # not written by a download of this file
        done = 0
    headers = {"accept-encoding": "identity"} | ({"range": f"bytes={done}-"} if done else {})
    async with http.stream("GET", url, headers=headers) as response:
        if response.status_code in (httpx.codes.NOT_FOUND, httpx.codes.FORBIDDEN):
            raise PermanentFailure(f"{url} does not exist in this registry (HTTP {response.status_code}); {advice}")
        response.raise_for_status()
        # A server that knows no ranges sends everything again.
        is_resumed = response.status_code == httpx.codes.PARTIAL_CONTENT
        done = done if is_resumed else 0
        with part.open("ab" if is_resumed else "wb") as file:
            async for chunk in response.aiter_bytes():
                done += len(chunk)
                if done > total:
                    await asyncio.to_thread(part.unlink)  # resuming it could never succeed
                    raise PermanentFailure(
                        f"{url} is larger than the {total} bytes of the file that is looked for; {advice}"
                    )
                file.write(chunk)
                progress(done, total)
            file.flush()
            os.fsync(file.fileno())


def _size_of(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0
