"""Keeps the machine busy, as `stress` does, until it is ended. Linux only.

scripts/neighbours.py 30    30 busy processes: of each three, one computes, one writes and syncs, one fills memory

They are children of one command in one session. The kernel shares the processor out between sessions first, so that thirty
commands with a session each would leave the tests a thirtieth of it, and thirty processes of one command leave them a half.
Where the kernel does not look at sessions, each process counts by itself.
"""

import ctypes
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from typing import NoReturn

_WRITTEN_BYTES = 1 << 20
_FILLED_BYTES = 64 << 20
_PAGE_BYTES = 4096
_PR_SET_PDEATHSIG = 1


def compute() -> NoReturn:
    while True:
        sum(range(10_000))


def write() -> NoReturn:
    """As a build or a backup would: mostly waiting for the disk, with some work in between."""
    with tempfile.TemporaryFile(dir="/var/tmp") as file:  # /tmp is in memory on many machines
        while True:
            file.seek(0)
            file.write(os.urandom(_WRITTEN_BYTES))
            file.flush()
            os.fsync(file.fileno())
            sum(range(1_000_000))


def fill() -> NoReturn:
    """Takes memory, touches each page, and gives it back."""
    while True:
        memory = bytearray(_FILLED_BYTES)
        memory[::_PAGE_BYTES] = b"\1" * (_FILLED_BYTES // _PAGE_BYTES)
        del memory


KINDS: tuple[Callable[[], NoReturn], ...] = (compute, write, fill)


def end_with_parent(parent: int) -> None:
    """The kernel ends this process with the one that started it, however that one ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the process that wanted neighbours is gone already")


def main() -> int:
    count = int(sys.argv[1])
    own = os.getpid()
    for number in range(count):
        if os.fork() == 0:
            end_with_parent(own)
            KINDS[number % len(KINDS)]()
    print(f"{count} neighbours", flush=True)
    signal.pause()
    return 0


if __name__ == "__main__":
    end_with_parent(os.getppid())
    raise SystemExit(main())
