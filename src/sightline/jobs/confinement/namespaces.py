"""Namespaces of the confined process: no network interface, and a way to the code where directories above it are closed."""

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sightline.linux import has_capabilities, libc

_NEW_MOUNTS, _NEW_USER, _NEW_NETWORK = 0x00020000, 0x10000000, 0x40000000
_NO_SETUID, _NO_DEVICES, _BIND, _RECURSIVE, _PRIVATE = 2, 4, 4096, 16384, 1 << 18
_CAP_SYS_ADMIN = 21


def may_mount() -> bool:
    return has_capabilities(_CAP_SYS_ADMIN)


def leave_network() -> bool:
    """Whether the process is now in a network of its own, which has no interface. Not every system allows that."""
    with suppress(OSError):
        _unshare(_NEW_NETWORK if may_mount() else _NEW_USER | _NEW_NETWORK)
        return True
    return False


def closed_above(path: str) -> str | None:
    """The topmost directory on the way to `path` that only its owner may pass; None if everybody reaches it."""
    for directory in reversed(Path(path).parents):
        if not directory.stat().st_mode & 0o001:
            return str(directory)
    return None


def open_ways(paths: Iterable[str]) -> None:
    """Lets everybody reach these paths in this process, though directories above them are closed. Needs `may_mount`.

    What else the closed directories hold becomes invisible to this process. Nothing changes for others.
    """
    closed = _outermost(path for path in paths if Path(path).exists() and closed_above(path) is not None)
    if not closed:
        return
    covered = {closed_above(path) for path in closed}
    _unshare(_NEW_MOUNTS)
    _mount("none", "/", None, _RECURSIVE | _PRIVATE)
    # Opened in the new namespace: what was opened in another cannot be mounted here.
    handles = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in closed}
    for directory in sorted(filter(None, covered)):
        _mount("sightline", directory, "tmpfs", _NO_SETUID | _NO_DEVICES, "mode=755,size=1m")
    mask = os.umask(0o022)
    for path, handle in handles.items():
        # Never through a link: the directories here were just made, and are empty.
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            os.makedirs(path, exist_ok=True)
        else:
            os.makedirs(Path(path).parent, exist_ok=True)
            Path(path).touch()
        _mount(f"/proc/self/fd/{handle}", path, None, _BIND | _RECURSIVE)
        os.close(handle)
    os.umask(mask)


def _outermost(paths: Iterable[str]) -> list[str]:
    found: list[str] = []
    for path in sorted(paths):
        if not any(Path(path).is_relative_to(above) for above in found):
            found.append(path)
    return found


def _unshare(flags: int) -> None:
    _check(libc().unshare(ctypes.c_int(flags)), "unshare")


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    encoded = (None if text is None else os.fsencode(text) for text in (source, target, kind))
    options = None if data is None else data.encode()
    _check(libc().mount(*encoded, ctypes.c_ulong(flags), options), f"mount {target}")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
