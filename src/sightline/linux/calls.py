"""System calls that Python does not wrap, with errors as `OSError`."""

import ctypes
import os
import sys
from functools import cache
from pathlib import Path

_PR_SET_DUMPABLE = 4


@cache
def libc() -> ctypes.CDLL:
    found = ctypes.CDLL(None, use_errno=True)
    if hasattr(found, "syscall"):
        found.syscall.restype = ctypes.c_long
    return found


def syscall(number: int, *arguments: object) -> int:
    """The result; raises `OSError` with the kernel's reason."""
    ctypes.set_errno(0)
    result: int = libc().syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise _error(f"system call {number}")
    return result


def prctl(option: int, *arguments: int) -> int:
    """Changes the calling process; raises `OSError` with the kernel's reason."""
    filled = (*arguments, 0, 0, 0, 0)[:4]
    result: int = libc().prctl(ctypes.c_int(option), *(ctypes.c_ulong(value) for value in filled))
    if result < 0:
        raise _error(f"prctl {option}")
    return result


def hide_from_other_processes() -> None:
    """Keeps other processes of the same user from reading this one's memory, environment and open files, for good.

    A program that this process starts is not hidden. Core dumps, which would hold the same, are not written.
    """
    if sys.platform == "linux":
        prctl(_PR_SET_DUMPABLE, 0)


def has_capabilities(*numbers: int) -> bool:
    """Whether this thread may use all of these capabilities."""
    status = Path("/proc/thread-self/status").read_text(encoding="ascii", errors="replace")
    effective = int(status.partition("CapEff:")[2].split()[0], 16)
    return all(effective & 1 << number for number in numbers)


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
