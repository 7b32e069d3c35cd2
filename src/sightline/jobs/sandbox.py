"""A sandbox for processes: no files and no network beyond what is allowed (Landlock, Linux 5.13 and later).

Limits bound how much a process may use; the sandbox bounds what it can reach. It is the last line of defence: a decoder that a
hostile file has taken over can read only that file, write only to its own directory, and connect to nothing.
"""

import ctypes
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

# Numbers of the system calls, the same on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIRECTORY = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_READING = _EXECUTE | _READ_FILE | _READ_DIRECTORY
# How many rights over files each version of the interface knows.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_LATEST_RIGHTS = 16
_TCP = 0b11  # to listen and to connect
_SCOPES = 0b11  # signals and abstract sockets of others

# Needed by Python, its libraries and name resolution.
_SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/proc",
    "/sys/devices/system/cpu",
    "/dev/urandom",
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/ld.so.cache",
    "/etc/localtime",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """What a process may reach besides its own directory, Python and the system libraries."""

    readable: tuple[str, ...] = ()
    may_connect: bool = False


class _RulesetAttributes(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneathAttributes(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("directory", ctypes.c_int32))


def landlock_version() -> int:
    """Version of Landlock in the kernel; 0 without it."""
    return max(0, _call(_CREATE_RULESET, None, 0, _VERSION))


def enter_sandbox(sandbox: Sandbox, directory: str) -> bool:
    """Restricts the calling thread and everything it starts, for good. False if the kernel does not support it."""
    present = landlock_version()
    if present == 0:
        return False
    rights = (1 << _RIGHTS.get(present, _LATEST_RIGHTS)) - 1
    attributes = _RulesetAttributes(
        rights,
        _TCP if present >= 4 and not sandbox.may_connect else 0,
        _SCOPES if present >= 6 else 0,
    )
    size = 8 if present < 4 else 16 if present < 6 else 24
    ruleset = _call(_CREATE_RULESET, ctypes.byref(attributes), size, 0)
    if ruleset < 0:
        return False
    try:
        for path in _readable_paths(sandbox.readable):
            _allow(ruleset, path, _READING & rights)
        _allow(ruleset, directory, rights)
        _allow(ruleset, "/dev/null", (_READ_FILE | _WRITE_FILE) & rights)
        _libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return _call(_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _readable_paths(readable: Iterable[str]) -> set[str]:
    code = {path for path in sys.path if path} | {sys.prefix, sys.base_prefix, sys.exec_prefix}
    return {*_SYSTEM, *code, *readable}


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Allows access to a path, if it exists."""
    with suppress(OSError):
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            beneath = _PathBeneathAttributes(rights if Path(path).is_dir() else rights & _OF_FILES, handle)
            _call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(beneath), 0)
        finally:
            os.close(handle)


def _call(number: int, *arguments: object) -> int:
    result: int = _libc().syscall(ctypes.c_long(number), *arguments)
    return result


def _libc() -> ctypes.CDLL:
    found = ctypes.CDLL(None, use_errno=True)
    found.syscall.restype = ctypes.c_long
    return found
