"""Landlock: which files the confined process can open (Linux 5.13 and later; later versions bind more)."""

import ctypes
import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress

from sightline.linux import syscall

# Numbers of the system calls, the same on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH, _NET_PORT = 1, 2
_CONNECT_TCP = 0b10

_WRITE_FILE, _READ_FILE, _READ_DIRECTORY = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIRECTORY, _REMOVE_FILE, _MAKE_DIRECTORY, _MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_TRUNCATE = 1 << 14
READING = _READ_FILE | _READ_DIRECTORY
READING_AND_WRITING = _READ_FILE | _WRITE_FILE
OWN_DIRECTORY = READING | _WRITE_FILE | _REMOVE_DIRECTORY | _REMOVE_FILE | _MAKE_DIRECTORY | _MAKE_FILE | _TRUNCATE
"""Files and directories, but no links, sockets, pipes or devices, by which the process could lead its reader elsewhere."""
_OF_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE

# How many rights over files each version of the interface knows.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_LATEST_RIGHTS = 16
_TCP = 0b11  # to listen and to connect
_SCOPES = 0b11  # signals and abstract sockets of others


class _RulesetAttributes(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _NetPortAttributes(ctypes.Structure):
    _fields_ = (("rights", ctypes.c_uint64), ("port", ctypes.c_uint64))


class _PathBeneathAttributes(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("directory", ctypes.c_int32))


def landlock_version() -> int:
    """Version of Landlock in the kernel; 0 without it."""
    if sys.platform != "linux":
        return 0
    try:
        return syscall(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


class Ruleset:
    """Denies every right over files that the kernel knows, then allows some of them again path by path."""

    def __init__(self, *, binds_tcp: bool = True) -> None:
        """`binds_tcp`: it denies TCP as well, except to ports that are allowed again."""
        version = landlock_version()
        self._knows_ports = version >= 4
        self._rights = (1 << _RIGHTS.get(version, _LATEST_RIGHTS)) - 1
        attributes = _RulesetAttributes(
            self._rights, _TCP if version >= 4 and binds_tcp else 0, _SCOPES if version >= 6 else 0
        )
        size = 8 if version < 4 else 16 if version < 6 else 24
        self._handle = syscall(_CREATE_RULESET, ctypes.byref(attributes), size, 0)

    def allow(self, paths: Iterable[str], rights: int) -> None:
        """Paths that do not exist are skipped."""
        for path in paths:
            with suppress(FileNotFoundError, NotADirectoryError):
                handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
                try:
                    self.allow_handle(handle, rights)
                finally:
                    os.close(handle)

    def allow_handle(self, handle: int, rights: int) -> None:
        is_directory = stat.S_ISDIR(os.fstat(handle).st_mode)
        beneath = _PathBeneathAttributes((rights if is_directory else rights & _OF_FILES) & self._rights, handle)
        syscall(_ADD_RULE, self._handle, _PATH_BENEATH, ctypes.byref(beneath), 0)

    def allow_connecting(self, port: int) -> None:
        """TCP connections to this port, on any host. Kernels before 6.7 do not bind TCP, and allow it anyway."""
        if self._knows_ports:
            rule = _NetPortAttributes(_CONNECT_TCP, port)
            syscall(_ADD_RULE, self._handle, _NET_PORT, ctypes.byref(rule), 0)

    def restrict_self(self) -> None:
        """Binds the calling thread and every thread that it starts, for good. It must have given up new privileges."""
        syscall(_RESTRICT_SELF, self._handle, 0)
        os.close(self._handle)
