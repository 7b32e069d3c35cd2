"""Privileges of the embedded server: PostgreSQL refuses to run as root, so root starts it under ids that nobody else has.

The server gets no capability and no open door: it stands in its data directory and calls it `/proc/self/cwd`, so directories above
may stay closed to it (ADR 0031).
"""

import os
import pwd
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sightline.errors import ConfigurationError
from sightline.linux import ProcessIds, find_unused_ids, prctl, used_ids
from sightline.linux import become as become_ids

SETTING = "SIGHTLINE_DATABASE_EMBEDDED_USER"
_PR_SET_PDEATHSIG = 1
_NOBODY = (65_534, 99)


@dataclass(frozen=True, slots=True)
class ServiceUser:
    uid: int
    gid: int
    name: str
    """Of its account; empty for ids that have none."""

    @property
    def ids(self) -> ProcessIds:
        return ProcessIds(self.uid, self.gid)

    def may_enter(self, path: Path) -> bool:
        """Whether every directory on the way to `path` lets this user through."""
        for directory in (path, *path.parents):
            status = directory.stat()
            if status.st_uid == self.uid:
                bit = 0o100
            elif status.st_gid == self.gid:
                bit = 0o010
            else:
                bit = 0o001
            if not status.st_mode & bit:
                return False
        return True


def service_user(name: str | None) -> ServiceUser | None:
    """The account that the settings name for the server. None: the current user, or under root ids of its own."""
    if os.geteuid() != 0 or name is None:
        return None
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise ConfigurationError(
            f"started by root, and there is no user {name!r} for PostgreSQL to run as; unset {SETTING}, or name another"
        ) from None
    if entry.pw_uid == 0:
        raise ConfigurationError(f"{SETTING} is {name!r}, which is root; PostgreSQL refuses that")
    if entry.pw_uid in _NOBODY or name == "nobody":
        raise ConfigurationError(f"{SETTING} is {name!r}, which other services run as too; unset it, or name another")
    return ServiceUser(entry.pw_uid, entry.pw_gid, name)


def own_service_user(file: Path) -> ServiceUser:
    """ProcessIds that nobody else has, chosen once and kept in `file`, which only root can change."""
    try:
        number = int(file.read_text())
    except FileNotFoundError:
        number = find_unused_ids()
        file.touch(mode=0o600)
        file.write_text(f"{number}\n")
    except ValueError as error:
        raise ConfigurationError(f"{file} holds no user id") from error
    if number <= 0:
        raise ConfigurationError(f"{file} names root")
    return ServiceUser(number, number, "")


def idle_account() -> ServiceUser:
    """An account of the system that no process runs as. `initdb` works only for a user with a name."""
    used = used_ids()
    for entry in _by_modesty(pwd.getpwall()):
        if entry.pw_uid != 0 and entry.pw_gid != 0 and entry.pw_uid not in (*_NOBODY, *used):
            return ServiceUser(entry.pw_uid, entry.pw_gid, entry.pw_name)
    raise ConfigurationError(
        f"started by root, and no account of the system is idle; name one for PostgreSQL in {SETTING}"
    )


def _by_modesty(entries: Iterable[pwd.struct_passwd]) -> list[pwd.struct_passwd]:
    """Accounts that nobody can log in to come first."""
    return sorted(entries, key=lambda entry: not entry.pw_shell.endswith(("nologin", "false")))


def become(user: ServiceUser | None, directory: Path, *, die_with_parent_signal: int | None) -> None:
    """Runs in the child between fork and exec: goes to `directory`, changes to `user`, who might not get there, and requests a
    signal for when the parent dies."""
    os.chdir(directory)
    if user is not None:
        become_ids(user.ids)
    if die_with_parent_signal is not None and sys.platform == "linux":
        prctl(_PR_SET_PDEATHSIG, die_with_parent_signal)  # after the change of user, which clears it
