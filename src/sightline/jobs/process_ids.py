"""User ids for child processes of root: each child has its own, which nobody else has."""

import itertools
import os
from functools import cache

from sightline.linux import ProcessIds, find_unused_ids

IDS = 64
"""Children at a time; far fewer run in one process."""

_started = itertools.count()


def next_ids() -> ProcessIds | None:
    """None unless this is root: a normal user cannot change ids."""
    if os.geteuid() != 0:
        return None
    number = _first_id() + next(_started) % IDS
    return ProcessIds(number, number)


@cache
def _first_id() -> int:
    return find_unused_ids(IDS)
