"""Download of a language's package, resumed where an earlier attempt stopped."""

import asyncio
import gzip
import hashlib
import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import httpx

from sightline.errors import BackendUnavailable, PermanentFailure
from sightline.text.languages.catalogue import KnownLanguage, integrity_of, member_of

TIMEOUT_S = 60.0
"""For each step: connecting, and waiting for the next bytes."""
_PART = "language registry"

DownloadProgress = Callable[[int, int], None]
"""Gets the bytes so far and the bytes in all."""


class ModelRejected(PermanentFailure):
    """What was downloaded is not what the catalogue describes."""


async def download_archive(language: KnownLanguage, registry: str, part: Path, progress: DownloadProgress) -> bytes:
    """The package's archive, verified. An interrupted download stays in `part`, and the next one appends to it."""
    url = language.archive_url(registry)
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=True) as http:
            await _fetch(http, url, part, language.archive_bytes, progress)
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
        raise BackendUnavailable(
            _PART,
            f"{url} cannot be downloaded: {reason}. Check the connection and repeat the command, which resumes; "
            "SIGHTLINE_TEXT_LANGUAGE_REGISTRY names a mirror, and `--from FILE` installs a model without one",
        ) from error
    archive = await asyncio.to_thread(part.read_bytes)
    if len(archive) < language.archive_bytes:
        raise BackendUnavailable(_PART, f"the download of {url} ended early; repeat the command, which resumes")
    if integrity_of(archive) != language.archive_integrity:
        await asyncio.to_thread(part.unlink)  # resuming it could never succeed
        raise ModelRejected(
            f"{url} is not the known package of {language.code}: its SHA-512 differs. Nothing was installed"
        )
    return archive


def unpack_model(language: KnownLanguage, archive: bytes) -> bytes:
    """The model in a verified archive."""
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as files:
        packed = files.extractfile(member_of(language.code))
        if packed is None:
            raise ModelRejected(f"the package of {language.code} has no file {member_of(language.code)}")
        with gzip.GzipFile(fileobj=packed) as unpacked:
            model = unpacked.read(language.model_bytes + 1)
    if hashlib.sha256(model).hexdigest() != language.model_sha256:
        raise ModelRejected(
            f"the model of {language.code} is not the known one: its SHA-256 differs. Nothing was installed"
        )
    return model


async def _fetch(http: httpx.AsyncClient, url: str, part: Path, total: int, progress: DownloadProgress) -> None:
    done = _size_of(part)
    if done == total:
        return
    if done > total:  # not written by a download of this package
        done = 0
    headers = {"accept-encoding": "identity"} | ({"range": f"bytes={done}-"} if done else {})
    async with http.stream("GET", url, headers=headers) as response:
        _check_status(response, url)
        # A server that knows no ranges sends everything again.
        is_resumed = response.status_code == httpx.codes.PARTIAL_CONTENT
        done = done if is_resumed else 0
        with part.open("ab" if is_resumed else "wb") as file:
            async for chunk in response.aiter_bytes():
                done += len(chunk)
                if done > total:
                    break  # its hash will differ
                file.write(chunk)
                progress(done, total)
            file.flush()
            os.fsync(file.fileno())


def _size_of(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _check_status(response: httpx.Response, url: str) -> None:
    if response.status_code in (httpx.codes.NOT_FOUND, httpx.codes.FORBIDDEN):
        raise PermanentFailure(
            f"{url} does not exist in this registry (HTTP {response.status_code}); "
            "SIGHTLINE_TEXT_LANGUAGE_REGISTRY names another, and `--from FILE` installs a model without one"
        )
    response.raise_for_status()
