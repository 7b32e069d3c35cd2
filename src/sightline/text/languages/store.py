"""The directory of added languages: adding and removing models, each step whole or not at all."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import structlog

from sightline.errors import InvalidInput, NotFound
from sightline.http import installing
from sightline.linux import write_whole
from sightline.text.languages.catalogue import KnownLanguage, known_languages
from sightline.text.languages.download import DownloadProgress, download_archive, unpack_model
from sightline.text.languages.models import (
    DIRECTORY_VARIABLE,
    MODEL,
    InstalledLanguage,
    installed_languages,
    is_code,
)

MIN_MODEL_BYTES = 10_000
"""No model is smaller; a saved error page is."""
_PART_COUNTS = range(1, 100)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class AddedLanguage:
    code: str
    model: Path
    size_bytes: int
    sha256: str


class LanguageStore:
    """`directory` may be shared by several processes; a language is installed by one of them at a time."""

    def __init__(self, directory: Path, registry: str, known: Mapping[str, KnownLanguage] | None = None) -> None:
        self.directory = directory
        self._registry = registry
        self._known = known_languages() if known is None else known

    @property
    def known(self) -> Mapping[str, KnownLanguage]:
        """Languages that can be added by name, by code."""
        return self._known

    def installed(self) -> dict[str, InstalledLanguage]:
        return installed_languages(self.directory)

    async def add(
        self, language: KnownLanguage, progress: DownloadProgress = lambda done, total: None
    ) -> AddedLanguage:
        """Downloads, verifies and installs a model, or finds it installed. Safe to repeat after any interruption."""
        with installing(language.code, self.directory):
            if (found := await asyncio.to_thread(self._verified, language)) is not None:
                return found
            part = self.directory / f".{language.code}-{language.version}.part"
            archive = await download_archive(language, self._registry, part, progress)
            model = await asyncio.to_thread(unpack_model, language, archive)
            added = await asyncio.to_thread(self._write, language.code, model)
            part.unlink(missing_ok=True)
        log.info(
            "language.added", language=added.code, sha256=added.sha256, bytes=added.size_bytes, source=self._registry
        )
        return added

    def add_file(self, code: str, file: Path) -> AddedLanguage:
        """Installs a model from a file on this machine, which is trusted."""
        if not is_code(code) or "/" in code:
            raise InvalidInput(f"{code!r} is not a language code: letters, digits and underscores, such as por")
        try:
            model = file.read_bytes()
        except OSError as error:
            raise InvalidInput(f"{file} cannot be read: {error.strerror or error}") from error
        if not _is_model(model):
            raise InvalidInput(f"{file} is not a model of Tesseract (a .traineddata file)")
        with installing(code, self.directory):
            added = self._write(code, model)
        log.info("language.added", language=code, sha256=added.sha256, bytes=added.size_bytes, source=str(file))
        return added

    def remove(self, code: str) -> Path:
        """Removes an added model; returns its path. Models of the installation are not touched."""
        model = self.directory / f"{code}{MODEL}"
        if not is_code(code) or not model.is_file():
            raise NotFound(self._not_added(code), code="UNKNOWN_LANGUAGE")
        with installing(code, self.directory):
            model.unlink(missing_ok=True)
        log.info("language.removed", language=code)
        return model

    def _not_added(self, code: str) -> str:
        found = self.installed().get(code)
        if found is None:
            added = [one.code for one in self.installed().values() if one.source == "added"]
            return f"the language {code} is not installed; added languages: {', '.join(added) or 'none'}"
        where = f"in {DIRECTORY_VARIABLE}" if found.source == "environment" else "with Sightline"
        return f"the language {code} came {where} ({found.model}), not by `sightline languages add`; it stays"

    def _verified(self, language: KnownLanguage) -> AddedLanguage | None:
        """The model that is installed, unless it is damaged or another version."""
        model = self.directory / f"{language.code}{MODEL}"
        if not model.is_file():
            return None
        digest = hashlib.sha256(model.read_bytes()).hexdigest()
        if digest != language.model_sha256:
            return None
        return AddedLanguage(language.code, model, language.model_bytes, digest)

    def _write(self, code: str, model: bytes) -> AddedLanguage:
        path = self.directory / f"{code}{MODEL}"
        write_whole(path, model)
        return AddedLanguage(code, path, len(model), hashlib.sha256(model).hexdigest())


def _is_model(content: bytes) -> bool:
    """Whether it begins as Tesseract's files do: with the number of their parts, then an offset for each."""
    count = int.from_bytes(content[:4], "little")
    return len(content) >= MIN_MODEL_BYTES and count in _PART_COUNTS
