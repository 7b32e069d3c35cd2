"""The filter of system calls: a small BPF program that the kernel runs before each call of the confined process.

It allows what `system_calls.py` lists and refuses the rest with `EPERM`, so that a library that asks for more than it needs goes
on without. A call by another architecture's convention, by which a filter could be passed by, kills the process.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from sightline.jobs.confinement.system_calls import (
    ALLOWED,
    ARCHITECTURES,
    CONNECTING,
    OPEN_NETWORK,
    Architecture,
    number_of,
)
from sightline.linux import prctl, syscall

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER, _GET_ACTION_AVAILABLE = 1, 2
_PR_SET_NO_NEW_PRIVILEGES = 38

# Instructions of classic BPF.
_LOAD, _IF_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
# Results of a filter.
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
# Places in what a filter is given: the number of the call, the architecture, and the arguments, whose lower half comes first.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

_CLONE_THREAD = 0x10000
_NAMES_OF_THREADS = (15, 16, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_SET_VMA
_FILE_COMMANDS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
"""Duplicates, flags and locks; not the commands that let the kernel send signals to another process."""

_INTERNET_FAMILIES = (2, 10)  # IPv4, IPv6
_STREAM, _DATAGRAM = 1, 2
_SOCKET_FLAGS = (0, 0x800, 0x80000, 0x80800)  # non-blocking, close-on-exec
_PROTOCOLS = (0, 6, 17)
"""The usual one, TCP and UDP. Not MPTCP, which Landlock does not bind."""
_MSG_FASTOPEN = 0x20000000
"""Connects without the call that Landlock binds."""

Network = Literal["none", "port", "open"]
Instruction = tuple[int, int, int, int]


def has_seccomp() -> bool:
    """Whether this kernel takes filters, and this is an architecture whose system calls are known."""
    if sys.platform != "linux" or platform.machine() not in _SECCOMP:
        return False
    try:
        action = ctypes.c_uint32(_FAIL)
        syscall(_SECCOMP[platform.machine()], _GET_ACTION_AVAILABLE, 0, ctypes.byref(action))
    except OSError:
        return False
    return True


def filter_system_calls(network: Network = "none") -> None:
    """Binds the calling thread and every thread that it starts, for good. Raises `OSError` if the kernel refuses."""
    machine = platform.machine()
    code = b"".join(struct.pack("=HBBI", *one) for one in build_filter(ARCHITECTURES[machine], os.getpid(), network))
    program = _Program(len(code) // 8, ctypes.cast(ctypes.create_string_buffer(code, len(code)), ctypes.c_void_p))
    prctl(_PR_SET_NO_NEW_PRIVILEGES, 1)
    syscall(_SECCOMP[machine], _SET_MODE_FILTER, 0, ctypes.byref(program))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def build_filter(architecture: Architecture, own_pid: int, network: Network = "none") -> list[Instruction]:
    """The program for a process with this id. Pure."""
    allowed = [*ALLOWED, *(CONNECTING if network != "none" else ()), *(OPEN_NETWORK if network == "open" else ())]
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, architecture.audit_number),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        *_allow_all(allowed, architecture),
        *_sockets(architecture, network),
        *_checked(
            "clone", architecture, [(_LOAD, 0, 0, _ARGUMENTS), (_IF_ANY_BIT, 0, 1, _CLONE_THREAD), _returns(_ALLOW)]
        ),
        # By this error the C library starts threads with clone, whose arguments a filter can see.
        *_checked("clone3", architecture, [], otherwise=_FAIL | errno.ENOSYS),
        *_checked("kill", architecture, _one_of(0, [own_pid])),
        *_checked("tgkill", architecture, _one_of(0, [own_pid])),
        *_checked("prlimit64", architecture, _one_of(0, [0, own_pid])),
        *_checked("prctl", architecture, _one_of(0, _NAMES_OF_THREADS)),
        *_checked("fcntl", architecture, _one_of(1, _FILE_COMMANDS)),
        *_checked("ioctl", architecture, [], otherwise=_FAIL | errno.ENOTTY),
        _returns(_FAIL | errno.EPERM),
    ]


def _sockets(architecture: Architecture, network: Network) -> Iterator[Instruction]:
    """TCP sockets, and UDP sockets in an open network; never raw ones, those of the kernel or of other programs."""
    if network == "none":
        return
    kinds = (_STREAM, _DATAGRAM) if network == "open" else (_STREAM,)
    types = [kind | flag for kind in kinds for flag in _SOCKET_FLAGS]
    yield from _checked(
        "socket",
        architecture,
        [*_unless_one_of(0, _INTERNET_FAMILIES), *_unless_one_of(1, types), *_one_of(2, _PROTOCOLS)],
    )
    yield from _checked(
        "sendto",
        architecture,
        [(_LOAD, 0, 0, _ARGUMENTS + 8 * 3), (_IF_ANY_BIT, 0, 1, _MSG_FASTOPEN), _returns(_FAIL | errno.EPERM)],
        otherwise=_ALLOW,
    )


def _allow_all(names: Iterable[str], architecture: Architecture) -> Iterator[Instruction]:
    for name in names:
        number = number_of(name, architecture)
        if number is not None:
            yield (_IF_EQUAL, 0, 1, number)
            yield _returns(_ALLOW)


def _checked(
    name: str, architecture: Architecture, check: Sequence[Instruction], *, otherwise: int = _FAIL | errno.EPERM
) -> Iterator[Instruction]:
    """`check` ends the program for what is allowed; for anything else it falls through."""
    number = number_of(name, architecture)
    if number is not None:
        yield (_IF_EQUAL, 0, len(check) + 1, number)
        yield from check
        yield _returns(otherwise)


def _one_of(argument: int, values: Sequence[int]) -> list[Instruction]:
    """Compares the lower 32 bits, which are all that the kernel looks at in these arguments."""
    found: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument)]
    for value in values:
        found += [(_IF_EQUAL, 0, 1, value), _returns(_ALLOW)]
    return found


def _unless_one_of(argument: int, values: Sequence[int]) -> list[Instruction]:
    """Refuses the call if the argument is none of these, and goes on behind this part otherwise."""
    found: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument)]
    for index, value in enumerate(values):
        found.append((_IF_EQUAL, len(values) - index, 0, value))
    found.append(_returns(_FAIL | errno.EPERM))
    return found


def _returns(result: int) -> Instruction:
    return (_RETURN, 0, 0, result)
