"""Packages of PyPI and npm that are used for the files in them, such as models: fetched by name, and verified by hash."""

import asyncio
import fcntl
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sightline.errors import Conflict, NotFound, PermanentFailure

if TYPE_CHECKING:
    from sightline.http.resumed_download import DownloadProgress

Registry = Literal["npm", "pypi"]


class BadPackage(PermanentFailure):
    """A package is not the one that was expected, or cannot be unpacked. Nothing of it is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryPackage:
    registry: Registry
    name: str
    version: str
    path: str
    """Of the archive, below the address of the registry."""
    size_bytes: int
    sha256: str

    @property
    def title(self) -> str:
        return f"{self.registry} {self.name} {self.version}"

    @property
    def file_name(self) -> str:
        return self.path.rpartition("/")[2]


class PackageSource:
    """`addresses` are those of the registries; `advice` is what to do when one cannot be reached."""

    def __init__(self, addresses: Mapping[Registry, str], *, advice: str) -> None:
        self._addresses = {registry: address.rstrip("/") for registry, address in addresses.items()}
        self._advice = advice

    async def fetch(
        self, package: RegistryPackage, part: Path, progress: "DownloadProgress", *, directory: Path | None = None
    ) -> bytes:
        """The verified archive. An interrupted download stays in `part`. `directory` holds archives for machines without a
        network."""
        if directory is not None:
            file = directory / package.file_name
            if not file.is_file():
                raise NotFound(f"{file} is missing; put the archive of {package.title} there")
            archive, where = await asyncio.to_thread(file.read_bytes), str(file)
        else:
            from sightline.http.resumed_download import download_file  # loads a general HTTP client

            where = f"{self._addresses[package.registry]}/{package.path}"
            archive = await download_file(
                where, part, package.size_bytes, progress, source="package registry", advice=self._advice
            )
        if hashlib.sha256(archive).hexdigest() != package.sha256:
            await asyncio.to_thread(part.unlink, missing_ok=True)  # resuming it could never succeed
            raise BadPackage(f"{where} is not {package.title}: its SHA-256 differs. Nothing was installed")
        return archive


@contextmanager
def installing(name: str, directory: Path) -> Iterator[None]:
    """Keeps other processes from installing or removing the same thing there. The kernel ends the lock with the process."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / f".{name}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Conflict(f"another process is installing or removing {name}; try again when it is done") from None
        yield


def members_of(archive: bytes, paths: Mapping[str, str]) -> dict[str, bytes]:
    """The files at these paths, by role. A tar archive is gone through once, since unpacking it takes seconds."""
    found: dict[str, bytes] = {}
    roles = {path: role for role, path in paths.items()}
    try:
        if zipfile.is_zipfile(io.BytesIO(archive)):
            with zipfile.ZipFile(io.BytesIO(archive)) as files:
                found = {role: files.read(path) for path, role in roles.items() if path in files.namelist()}
        else:
            with tarfile.open(fileobj=io.BytesIO(archive), mode="r|gz") as stream:
                for member in stream:
                    if member.name in roles and (content := stream.extractfile(member)) is not None:
                        found[roles[member.name]] = content.read()
                    if len(found) == len(roles):
                        break
    except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise BadPackage(f"the package cannot be unpacked: {error}") from error
    if missing := [path for path, role in roles.items() if role not in found]:
        raise BadPackage(f"the package has no file {missing[0]}")
    return found
