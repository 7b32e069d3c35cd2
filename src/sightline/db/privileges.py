"""Privileges of the embedded server: PostgreSQL refuses to run as root, so root starts it as an unprivileged user.

That user can often not reach the state directory or the environment, because they lie below a directory that only
root may enter (`/root`, a `mktemp -d`). Changing the modes of other people's directories is not ours to do; on Linux
the server is given the one capability that lets it pass through them.
"""

import ctypes
import os
import pwd
import sys
from dataclasses import dataclass
from pathlib import Path

from sightline.errors import ConfigurationError

_CAP_DAC_OVERRIDE = 1
_PR_SET_PDEATHSIG = 1
_PR_SET_SECUREBITS = 28
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_SECBIT_NO_SETUID_FIXUP = 4
_CAPABILITY_VERSION_3 = 0x20080522


@dataclass(frozen=True, slots=True)
class ServiceUser:
    uid: int
    gid: int
    name: str

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


def service_user(name: str) -> ServiceUser | None:
    """The user that the embedded server runs as; None means the current user, which is right unless that is root."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise ConfigurationError(
            f"started by root, and there is no user {name!r} for PostgreSQL to run as; "
            "name another in SIGHTLINE_DATABASE_EMBEDDED_USER"
        ) from None
    if entry.pw_uid == 0:
        raise ConfigurationError(
            f"SIGHTLINE_DATABASE_EMBEDDED_USER is {name!r}, which is root; PostgreSQL refuses that"
        )
    return ServiceUser(entry.pw_uid, entry.pw_gid, name)


class _CapHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapData(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def become(user: ServiceUser | None, *, reach: bool, die_with_parent_signal: int | None) -> None:
    """Runs in the child between fork and exec: changes to `user`, and requests a signal for when the parent dies.

    `reach` keeps the capability to pass through directories that the user may not enter.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if user is not None:
        if reach:
            # Changing the user then takes no capability away, and neither does access(2), which would otherwise ask what the
            # user may do without any: PostgreSQL looks for its own programs by it.
            _check(libc.prctl(_PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP, 0, 0, 0), "keep capabilities")
        os.setgroups([])
        os.setgid(user.gid)
        os.setuid(user.uid)
        if reach:
            header = _CapHeader(_CAPABILITY_VERSION_3, 0)
            mask = 1 << _CAP_DAC_OVERRIDE
            data = (_CapData * 2)(_CapData(mask, mask, mask), _CapData(0, 0, 0))
            _check(libc.capset(ctypes.byref(header), data), "set capabilities")
            _check(libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _CAP_DAC_OVERRIDE, 0, 0), "raise a capability")
    if die_with_parent_signal is not None and sys.platform == "linux":
        # After setuid, which clears it.
        _check(libc.prctl(_PR_SET_PDEATHSIG, die_with_parent_signal, 0, 0, 0), "follow the parent")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"cannot {what}: {os.strerror(number)}")
