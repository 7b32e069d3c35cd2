"""Process limits: CPU time, memory, file size and wall-clock time, and which of them a process has reached."""

import errno
import os
import resource
import signal
from dataclasses import dataclass
from typing import Literal

from sightline.errors import PermanentFailure

Limit = Literal["cpu_s", "memory_bytes", "file_bytes", "wall_s"]

CPU_GRACE_S = 5
"""CPU time between the signal of the soft limit and the kill of the hard limit."""

NEAR_LIMIT_SHARE = 0.85
"""Share of the memory limit. One allocation may be large, so the limit itself is rarely reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """None means no limit. Programs that the process starts each have the same limits; the wall-clock limit is for all together."""

    cpu_s: int | None = None
    memory_bytes: int | None = None
    """Address space, which is much larger than resident memory."""
    file_bytes: int | None = None
    """Size of each file that is written."""
    wall_s: float | None = None
    nice: int = 0
    """Scheduling priority from 0 to 19, the lowest."""
    may_be_unconfined: bool = False
    """Whether a sandbox that this system cannot enforce is done without, as far as it cannot."""

    def apply(self) -> None:
        """Applies the limits to the calling process, for good."""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash must not fill the disk
        if self.cpu_s is not None:
            _lower(resource.RLIMIT_CPU, self.cpu_s, self.cpu_s + CPU_GRACE_S)
        if self.memory_bytes is not None:
            _lower(resource.RLIMIT_AS, self.memory_bytes)
        if self.file_bytes is not None:
            _lower(resource.RLIMIT_FSIZE, self.file_bytes)
        if self.nice:
            os.nice(self.nice)

    def exceeded(self, limit: Limit) -> "LimitExceeded":
        value = getattr(self, limit)
        reason = {
            "cpu_s": f"needs more than {value} s of CPU time",
            "memory_bytes": f"needs more than {_size(value)} of memory",
            "file_bytes": f"writes more than {_size(value)} into one file",
            "wall_s": f"takes longer than {value:g} s" if value is not None else "takes too long",
        }[limit]
        return LimitExceeded(f"the work {reason}, which is its limit", details={"limit": limit, "value": value})


class LimitExceeded(PermanentFailure):
    """The work reached a limit and would reach it again. `details["limit"]` names the limit."""


class LimitReached(Exception):
    """Raised in the child process when a program that it started ended at a limit."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit)
        self.limit: Limit = limit


def limit_behind(error: BaseException) -> Limit | None:
    """The limit that caused this error in the limited process."""
    match error:
        case LimitReached():
            return error.limit
        case MemoryError():
            return "memory_bytes"
        case OSError(errno=errno.EFBIG):
            return "file_bytes"
        case OSError(errno=errno.ENOMEM):
            return "memory_bytes"
    return None


def was_short_of_memory() -> bool:
    """Whether this process came near its memory limit, which libraries may report as any error."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return False
    with open("/proc/self/status", encoding="ascii") as file:
        peak_kib = next(int(line.split()[1]) for line in file if line.startswith("VmPeak:"))
    return peak_kib * 1024 > NEAR_LIMIT_SHARE * limit


def limit_behind_signal(number: int) -> Limit | None:
    """The limit whose signal killed the process; None for any other signal."""
    if number == signal.SIGXCPU:
        return "cpu_s"
    return "file_bytes" if number == signal.SIGXFSZ else None


def _lower(kind: int, soft: int, hard: int | None = None) -> None:
    """Sets a limit, but never above the present hard limit."""
    _, ceiling = resource.getrlimit(kind)
    requested = soft if hard is None else hard
    new_hard = requested if ceiling == resource.RLIM_INFINITY else min(requested, ceiling)
    resource.setrlimit(kind, (min(soft, new_hard), new_hard))


def _size(value: int | None) -> str:
    if value is None:
        return "some"
    return f"{value / 1024**3:g} GiB" if value >= 1024**3 else f"{value / 1024**2:g} MiB"
