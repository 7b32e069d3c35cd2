"""Directories of an upgrade, and the swap that ends it.

`data` is what the platform uses. `upgrade/data` is filled beside it and takes its place once everything was compared. What a kill
leaves is recognized by the versions of the two, so the next run finishes the swap or starts over.
"""

import os
import shutil
from pathlib import Path

from sightline.byte_sizes import bytes_text
from sightline.db import MAJOR, PASSWORD_FILE, SERVICE_PASSWORD_FILE, UPGRADE_DIRECTORY, data_version
from sightline.errors import ConfigurationError
from sightline.linux import exchange, sync_path

_SHARED_FILES = (PASSWORD_FILE, SERVICE_PASSWORD_FILE, "ids")
_SPARE_FACTOR = 2
_SPARE_BYTES = 256 * 1024 * 1024


class UpgradeDirectories:
    def __init__(self, postgres: Path) -> None:
        self.postgres = postgres
        self.data = postgres / "data"
        self.work = postgres / UPGRADE_DIRECTORY
        self.new_data = self.work / "data"
        self.dump = self.work / "dump"
        self.programs = postgres / "old-programs"
        self._removed = postgres / f"{UPGRADE_DIRECTORY}.removed"
        self._verified = self.work / "verified"

    def finish_swap(self) -> Path | None:
        """Finishes a swap that a kill interrupted. Returns where the old data is kept, None if there was no swap to finish."""
        if not self._verified.exists():
            return None
        kept = self.postgres / self._verified.read_text().strip()
        current, other = data_version(self.data), data_version(self.new_data)
        if current == MAJOR and other is not None and other != MAJOR:
            self._rename(self.new_data, kept)
        elif current is None and other == MAJOR and kept.exists():
            self._rename(self.new_data, self.data)
        elif not (current == MAJOR and other is None and kept.exists()):
            return None
        self.clean_up()
        return kept

    def begin(self) -> None:
        """An empty work directory, with the passwords and ids of the server."""
        self.clean_up()
        self.work.mkdir(mode=0o700)
        for name in _SHARED_FILES:
            if (self.postgres / name).exists():
                shutil.copy2(self.postgres / name, self.work / name)
        self.dump.mkdir(mode=0o700)

    def swap(self, old_major: int) -> Path:
        """Puts the new data where the old is, in one moment where the system can. Returns where the old data is kept."""
        kept = self._free_name(f"data-{old_major}-before-upgrade")
        self._verified.write_text(kept.name)
        sync_path(self._verified)
        sync_path(self.work)
        if exchange(self.data, self.new_data):
            self._rename(self.new_data, kept)
        else:
            self._rename(self.data, kept)
            self._rename(self.new_data, self.data)
        self.clean_up()
        return kept

    def clean_up(self) -> None:
        """Removes the work directory; never the data of another server, which may be the only one."""
        found = data_version(self.new_data)
        if found is not None and found != MAJOR:
            raise ConfigurationError(f"{self.new_data} holds data of PostgreSQL {found}; move it away by hand")
        shutil.rmtree(self._removed, ignore_errors=True)
        if self.work.exists():
            self.work.rename(self._removed)
            shutil.rmtree(self._removed, ignore_errors=True)

    def check_space(self) -> None:
        """The new data with its log, and a compressed dump for the time of the upgrade."""
        needed = _size(self.data) * _SPARE_FACTOR + _SPARE_BYTES
        free = shutil.disk_usage(self.postgres).free
        if free < needed:
            raise ConfigurationError(
                f"not enough space: the upgrade needs about {bytes_text(needed)} beside {self.data}, "
                f"and {bytes_text(free)} are free"
            )

    def _free_name(self, name: str) -> Path:
        path, number = self.postgres / name, 1
        while path.exists():
            number += 1
            path = self.postgres / f"{name}-{number}"
        return path

    def _rename(self, source: Path, target: Path) -> None:
        source.rename(target)
        sync_path(self.postgres)
        sync_path(self.work)


def _size(data: Path) -> int:
    total = 0
    for folder, folders, names in os.walk(data):
        if Path(folder) == data and "pg_wal" in folders:
            folders.remove("pg_wal")
        total += sum(Path(folder, name).lstat().st_size for name in names)
    return total
