"""The disk layout: objects at `<directory>/<key>`, everything else below a hidden directory that no key can name."""

import os
import secrets
import stat
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sightline.errors import BackendUnavailable, ConfigurationError
from sightline.objects.disk.files import make_directories, sync_directory
from sightline.objects.errors import conflict, invalid_request
from sightline.objects.key_rules import HIDDEN, check_key

_MAX_PUBLISH_TRIES = 20


def changed_at(found: os.stat_result) -> datetime:
    return datetime.fromtimestamp(found.st_mtime_ns / 1e9, UTC)


class DiskLayout:
    """Symbolic links below the directory are never followed: what they point to is not an object."""

    def __init__(self, directory: Path) -> None:
        try:
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.root = directory.resolve(strict=True)
            self.hidden = self.root / HIDDEN
            self.temporary, self.uploads, self.completed, self.announcements = (
                self.hidden / name for name in ("temporary", "uploads", "finished", "announcements")
            )
            for folder in (self.temporary, self.uploads, self.completed, self.announcements):
                make_directories(folder)
        except OSError as error:
            raise ConfigurationError(
                f"cannot create the objects directory {directory}: {error.strerror or error}"
            ) from error

    def path_of(self, key: str) -> Path:
        return self.root / check_key(key)

    def find(self, key: str) -> tuple[Path, os.stat_result] | None:
        """The file at a key, if there is one."""
        path = self.path_of(key)
        try:
            found = os.stat(path, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(found.st_mode) or os.path.realpath(path) != str(path):
            return None
        return path, found

    def new_temporary(self) -> Path:
        return self.temporary / secrets.token_hex(12)

    def publish(self, source: Path, key: str) -> Path:
        """Moves a complete file to its key: readers see the old or the new object. Durable when this returns."""
        path = self.path_of(key)
        for _ in range(_MAX_PUBLISH_TRIES):
            try:
                make_directories(path.parent)
                if os.path.realpath(path.parent) != str(path.parent):
                    raise invalid_request("InvalidKey", f"{key!r} leads through a symbolic link")
                os.replace(source, path)
            except FileNotFoundError:
                if not source.exists():
                    raise
                continue  # an emptied directory was removed between the two steps
            except (NotADirectoryError, FileExistsError) as error:
                raise conflict(
                    "KeyConflict", f"a part of {key!r} is an object itself, so nothing fits below"
                ) from error
            except IsADirectoryError as error:
                raise conflict("KeyConflict", f"there are objects below {key!r}, so it cannot be one itself") from error
            with suppress(FileNotFoundError):  # it has been deleted again, and its directory with it
                sync_directory(path.parent)
            return path
        raise BackendUnavailable("objects", f"the directories of {key!r} are removed as fast as they are created")

    def remove(self, path: Path) -> bool:
        """Whether the file existed. Directories that become empty are removed too."""
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            return False
        folder = path.parent
        while folder != self.root:
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass  # another process emptied and removed it
            except OSError:
                break
            folder = folder.parent
        with suppress(FileNotFoundError):
            sync_directory(folder)
        return True
