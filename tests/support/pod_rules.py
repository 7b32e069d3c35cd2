"""A process as a pod of the manifests runs it: another user, no new privileges, no capability, nothing writable but two
directories, and the system calls refused that the default profile of container runtimes refuses.

Landlock stands for the read-only root file system, since only root could mount one.
"""

import ctypes
import errno
import platform
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

from sightline.jobs.confinement.landlock import Ruleset
from sightline.jobs.confinement.seccomp import _SECCOMP, _SET_MODE_FILTER, _Program
from sightline.jobs.confinement.system_calls import ARCHITECTURES
from sightline.linux import prctl, syscall
from support.other_user import as_user

_NO_NEW_PRIVILEGES = 38
_EXECUTE, _WRITE, _READ, _LIST, _DEVICE_CONTROL = 1, 2, 4, 8, 1 << 15
_EVERYTHING = (1 << 16) - 1
_NEW_NAMESPACES = 0x7E020000
# Numbers of system calls that the profile refuses without CAP_SYS_ADMIN, and of those that it looks into.
_REFUSED = {
    "x86_64": (272, 165, 166, 308, 155, 321, 298, 250, 248, 249),
    "aarch64": (97, 40, 39, 268, 41, 280, 241, 219, 217, 218),
}
"""unshare, mount, umount2, setns, pivot_root, bpf, perf_event_open, keyctl, add_key, request_key"""
_CLONE, _CLONE3 = {"x86_64": 56, "aarch64": 220}, 435
_LOAD, _IF_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000


def pod_rules(*writable: Path) -> Callable[[], None]:
    """What a child process calls to become one of a pod."""
    _, change = as_user(*writable)

    def apply() -> None:
        change()
        prctl(_NO_NEW_PRIVILEGES, 1)
        rules = Ruleset(binds_tcp=False)
        rules.allow(("/",), _EXECUTE | _READ | _LIST | _DEVICE_CONTROL)
        rules.allow(("/dev/null", "/dev/shm", "/proc/self"), _READ | _LIST | _WRITE)
        rules.allow(map(str, writable), _EVERYTHING)
        rules.restrict_self()
        _refuse_system_calls()

    return apply


def _refuse_system_calls() -> None:
    machine = platform.machine()
    program: Sequence[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, 4),
        (_IF_EQUAL, 1, 0, ARCHITECTURES[machine].audit_number),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, 0),
        *(
            one
            for number in _REFUSED[machine]
            for one in ((_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _FAIL | errno.EPERM))
        ),
        (_IF_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _FAIL | errno.ENOSYS),
        (_IF_EQUAL, 0, 3, _CLONE[machine]),
        (_LOAD, 0, 0, 16),
        (_IF_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _FAIL | errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *one) for one in program)
    made = _Program(len(code) // 8, ctypes.cast(ctypes.create_string_buffer(code, len(code)), ctypes.c_void_p))
    syscall(_SECCOMP[machine], _SET_MODE_FILTER, 0, ctypes.byref(made))
