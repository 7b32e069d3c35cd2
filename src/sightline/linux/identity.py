"""Another identity: user and group ids for a process that root started, and an end to its capabilities."""

import ctypes
import os
from contextlib import suppress
from dataclasses import dataclass

from sightline.linux.calls import libc, prctl

_PR_CAPBSET_DROP = 24
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522
_MAX_CAPABILITY = 63


@dataclass(frozen=True, slots=True)
class ProcessIds:
    uid: int
    gid: int


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapabilitySets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def become(ids: ProcessIds) -> None:
    """Changes the calling process to these ids, in no other group and without capabilities, for good."""
    _drop_bounding_set()
    os.setgroups([])
    os.setresgid(ids.gid, ids.gid, ids.gid)
    os.setresuid(ids.uid, ids.uid, ids.uid)
    drop_capabilities()


def drop_capabilities() -> None:
    """Takes every capability from the calling thread, also those that a new user namespace gave it."""
    with suppress(OSError):  # kernels before 4.3 have no ambient capabilities
        prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header, data = _CapabilityHeader(_CAPABILITY_VERSION_3, 0), (_CapabilitySets * 2)()
    if libc().capset(ctypes.byref(header), data) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"cannot drop capabilities: {os.strerror(number)}")


def _drop_bounding_set() -> None:
    """So that no program gives capabilities back. Not every root may do this; the rest does not depend on it."""
    for number in range(_MAX_CAPABILITY + 1):
        with suppress(OSError):
            prctl(_PR_CAPBSET_DROP, number)
