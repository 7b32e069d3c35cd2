"""A throttled disk for benchmarks, by the block controller of the kernel. Needs root and cgroups."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from object_servers import Unavailable

_OLD = Path("/sys/fs/cgroup/blkio")
_NEW = Path("/sys/fs/cgroup")


@contextmanager
def throttled_disk(directory: Path, bytes_per_s: int) -> Iterator[list[str]]:
    """A command prefix that limits writes to the disk of this directory."""
    number = os.stat(directory).st_dev
    device = f"{os.major(number)}:{os.minor(number)}"
    is_old = _OLD.is_dir()
    group = (_OLD if is_old else _NEW) / f"sightline-bench-{os.getpid()}"
    try:
        group.mkdir()
        if is_old:
            (group / "blkio.throttle.write_bps_device").write_text(f"{device} {bytes_per_s}")
        else:
            (group / "io.max").write_text(f"{device} wbps={bytes_per_s}")
    except OSError as error:
        if group.is_dir():
            group.rmdir()
        raise Unavailable(f"disks cannot be throttled on this machine: {error}") from error
    try:
        yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh"]
    finally:
        group.rmdir()
