"""PostgreSQL's programs where the server's user can run them: in the wheel, or in a copy if the wheel lies behind a closed door."""

import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from sightline.db.privileges import ServiceUser
from sightline.errors import ConfigurationError

OPEN_PLACE = Path("/var/lib/sightline-programs")
"""Owned by root and readable by all. What it holds is public: programs of the wheel."""


def programs_for(user: ServiceUser, programs: Path) -> Path:
    """The directory of programs, copied once if the user may not enter it."""
    if user.may_enter(programs):
        return programs
    installed = programs.parent
    package = installed.parent
    target = OPEN_PLACE / f"postgresql-{_fingerprint(programs)}"
    try:
        _make_open_place()
        if not target.exists():
            fresh = Path(tempfile.mkdtemp(dir=OPEN_PLACE))
            shutil.copytree(installed, fresh / package.name / installed.name, symlinks=True)
            libraries = package.with_name(f"{package.name}.libs")  # where the programs look for them
            if libraries.exists():
                shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
            _open_to_all(fresh)
            fresh.rename(target)
    except OSError as error:
        raise ConfigurationError(
            f"PostgreSQL's programs in {programs} are closed to others than root, and cannot be copied to {OPEN_PLACE}: {error}; "
            "install Sightline where others may read it, or start it as another user"
        ) from error
    return target / package.name / installed.name / programs.name


def _make_open_place() -> None:
    OPEN_PLACE.mkdir(mode=0o755, parents=True, exist_ok=True)
    found = OPEN_PLACE.lstat()
    if found.st_uid != 0 or found.st_mode & 0o022 or not OPEN_PLACE.is_dir() or OPEN_PLACE.is_symlink():
        raise PermissionError(f"{OPEN_PLACE} is not a directory that only root can change")
    OPEN_PLACE.chmod(0o755)


def _fingerprint(programs: Path) -> str:
    """Changes when another version is installed in the same place."""
    found = (programs / "postgres").stat()
    return hashlib.sha256(f"{programs}\0{found.st_size}\0{found.st_mtime_ns}".encode()).hexdigest()[:12]


def _open_to_all(top: Path) -> None:
    for _, _, files, handle in os.fwalk(top):
        os.fchmod(handle, 0o755)
        for name in files:
            mode = os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode
            if stat.S_ISREG(mode):
                os.chmod(name, 0o755 if mode & 0o100 else 0o644, dir_fd=handle)
