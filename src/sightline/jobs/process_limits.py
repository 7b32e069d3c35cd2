"""What a process may use: CPU time, memory, size of a file, time on the wall; and which of these it died of."""

import errno
import os
import resource
import signal
from dataclasses import dataclass
from typing import Literal

from sightline.errors import PermanentFailure

Limit = Literal["cpu_s", "memory_bytes", "file_bytes", "wall_s"]

CPU_GRACE_S = 5
"""CPU time that a program has to say its last words in, once it was reason of its limit."""

NEAR_LIMIT_SHARE = 0.85
"""Of the memory limit: what is asked for at once may be large, so the limit itself is hardly ever reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """None is no limit. Programs that the process starts have the same limits, each for itself; the wall is for all together."""

    cpu_s: int | None = None
    memory_bytes: int | None = None
    """Of address space, which is a good deal more than what lies in memory."""
    file_bytes: int | None = None
    """Of any one file that is written."""
    wall_s: float | None = None
    nice: int = 0
    """How much other processes come first, 0 to 19."""

    def apply(self) -> None:
        """Binds the process that calls it, for good."""
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
    """The work wanted more than it may have, and would want it again. `details["limit"]` names what of."""


class LimitReached(Exception):
    """Raised by work in a process, for a program that it started and that ended at a limit."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit)
        self.limit: Limit = limit


def limit_behind(error: BaseException) -> Limit | None:
    """The limit that shows itself in this error, in the process that is bound by it."""
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
    """Whether this process has come near its limit: libraries may call a lack of memory by any other name."""
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return False
    with open("/proc/self/status", encoding="ascii") as file:
        peak_kib = next(int(line.split()[1]) for line in file if line.startswith("VmPeak:"))
    return peak_kib * 1024 > NEAR_LIMIT_SHARE * most


def limit_behind_signal(number: int) -> Limit | None:
    """The limit that a process died of, if it is one that kills by this signal."""
    if number == signal.SIGXCPU:
        return "cpu_s"
    return "file_bytes" if number == signal.SIGXFSZ else None


def _lower(kind: int, soft: int, hard: int | None = None) -> None:
    """Never above what the process is allowed already."""
    _, ceiling = resource.getrlimit(kind)
    wanted = soft if hard is None else hard
    most = wanted if ceiling == resource.RLIM_INFINITY else min(wanted, ceiling)
    resource.setrlimit(kind, (min(soft, most), most))


def _size(value: int | None) -> str:
    if value is None:
        return "some"
    return f"{value / 1024**3:g} GiB" if value >= 1024**3 else f"{value / 1024**2:g} MiB"
