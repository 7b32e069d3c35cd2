"""Gives memory back between test files. A plug-in of pytest.

What decoding of pictures and videos has freed stays with the process: hundreds of megabytes in each, in which other programs, and
other runs of the tests, could work.
"""

import ctypes

import pytest


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is None or nextitem.path != item.path:
        give_back()


def give_back() -> None:
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):  # only glibc has it
        trim(0)
