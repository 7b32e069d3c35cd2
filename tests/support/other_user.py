"""Programs of tests as an ordinary user, though root runs the tests: the code may lie where only root can go."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from sightline.jobs.confinement.namespaces import may_mount, open_ways
from sightline.linux import ProcessIds, become, find_unused_ids

TESTS = Path(__file__).parents[1]


def can_be_another_user() -> bool:
    return os.geteuid() == 0 and may_mount()


def as_user(*directories: Path, ids: ProcessIds | None = None) -> tuple[ProcessIds, Callable[[], None]]:
    """ProcessIds of a user who owns these directories, and what a child process calls to become that user."""
    ids = ids or ProcessIds(number := find_unused_ids(), number)
    for directory in directories:
        os.chown(directory, ids.uid, ids.gid)

    chosen = ids

    def change() -> None:
        open_ways([sys.base_prefix, str(TESTS.parent), *map(str, directories)])
        become(chosen)

    return ids, change
