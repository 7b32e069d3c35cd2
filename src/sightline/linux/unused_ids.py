"""User and group ids that nobody else has: in no account, no range of a container, and no running process."""

import grp
import pwd
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sightline.errors import ConfigurationError

PREFERRED = range(0x7000_0000, 0x7FFF_0000)
"""Above the ranges of accounts, containers and dynamic users, and below what programs take for a negative number."""
INSIDE_CONTAINERS = range(20_000, 60_000)
"""Where a user namespace maps only the first 65,536 ids: above usual accounts, below dynamic users and `nobody`."""
_TRIES = 100


def find_unused_ids(count: int = 1) -> int:
    """The first of `count` successive numbers, each free as a user id and as a group id."""
    available = PREFERRED if _maps(PREFERRED) else INSIDE_CONTAINERS
    taken = (*_ranges_of_containers(), *(range(one, one + 1) for one in used_ids()))
    for _ in range(_TRIES):
        first = available.start + secrets.randbelow(len(available) - count)
        wanted = range(first, first + count)
        if not any(_overlap(wanted, other) for other in taken) and not any(_has_account(one) for one in wanted):
            return first
    raise ConfigurationError(f"no unused user ids between {available.start} and {available.stop} were found")


def _maps(wanted: range) -> bool:
    """Whether this user namespace knows these numbers, both of users and of groups."""
    for name in ("uid_map", "gid_map"):
        lines = [line.split() for line in _lines(Path("/proc/self") / name)]
        known = [range(int(first), int(first) + int(length)) for first, _, length in lines]
        if not any(one.start <= wanted.start and wanted.stop <= one.stop for one in known):
            return False
    return True


def _ranges_of_containers() -> Iterator[range]:
    for name in ("/etc/subuid", "/etc/subgid"):
        for line in _lines(Path(name)):
            with suppress(ValueError):
                _, first, length = line.split(":")
                yield range(int(first), int(first) + int(length))


def used_ids() -> set[int]:
    """Users and groups of running processes."""
    found: set[int] = set()
    for path in Path("/proc").glob("[0-9]*/status"):
        for line in _lines(path):
            if line.startswith(("Uid:", "Gid:", "Groups:")):
                found.update(map(int, line.split()[1:]))
    return found


def _has_account(number: int) -> bool:
    for look_up in (pwd.getpwuid, grp.getgrgid):
        with suppress(KeyError):
            look_up(number)
            return True
    return False


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # a process that has ended, or a file that this system does not have
        return []
