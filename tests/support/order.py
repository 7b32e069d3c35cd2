"""In which order test files run, and how many at a time. A plug-in of pytest.

Long files come first and short ones last, so that no worker is left alone at the end with a long one. The very first need nothing
that `make test` installs while they run.
"""

import os

import pytest

_FIRST = (
    "tests/integration/media",
    "tests/integration/text",
    "tests/integration/jobs",
    "tests/e2e",
    "tests/integration",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _rank(item.nodeid))  # stable: within a file and a folder the order stays


def _rank(name: str) -> int:
    return next((rank for rank, folder in enumerate(_FIRST) if name.startswith(folder)), len(_FIRST))


def pytest_xdist_auto_num_workers() -> int:
    """More than there are cores, because tests also wait: for a process to start, for a timer of an emulator, for a browser."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(2, cores * 2)
