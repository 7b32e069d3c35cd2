"""A disk held down by the kernel's block controller, for the processes that are started in it. Needs root and cgroups."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from object_servers import Absent

_OLD = Path("/sys/fs/cgroup/blkio")
_NEW = Path("/sys/fs/cgroup")


@contextmanager
def held_down(directory: Path, bytes_per_s: int) -> Iterator[list[str]]:
    """What to put before a command so that it writes to this directory's disk no faster than that."""
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
        raise Absent(f"this machine lets us slow down no disk: {error}") from error
    try:
        yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh"]
    finally:
        group.rmdir()
