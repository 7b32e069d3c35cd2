"""Gives memory back while a run is under way. A plug-in of pytest.

What decoding of pictures and videos has freed stays with the process: hundreds of megabytes in each, in which other programs, and
other runs of the tests, could work. And directories of a run are in memory, where pytest would keep those of fixtures that
several tests share until the run ends.
"""

import ctypes
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

_KEPT_SCOPES = (
    "function",
    "session",
)  # pytest removes the directory of a test; what a session has made, it may need again
_OWN = pytest.StashKey[dict["pytest.FixtureDef[object]", set[Path]]]()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is None or nextitem.path != item.path:
        give_back()


def give_back() -> None:
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):  # only glibc has it
        trim(0)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: "pytest.FixtureDef[object]", request: pytest.FixtureRequest) -> Iterator[None]:
    """Notes the directories that the fixture has made, without those of fixtures that it asked for meanwhile."""
    if fixturedef.scope in _KEPT_SCOPES:
        return (yield)
    own = request.config.stash.setdefault(_OWN, {})
    base = request.getfixturevalue("tmp_path_factory").getbasetemp()
    before = set(base.iterdir())
    try:
        return (yield)
    finally:
        own[fixturedef] = set(base.iterdir()) - before - set[Path]().union(*own.values())


def pytest_fixture_post_finalizer(fixturedef: "pytest.FixtureDef[object]", request: pytest.FixtureRequest) -> None:
    """May be called more than once, and for a fixture that was never set up."""
    for made in request.config.stash.get(_OWN, {}).pop(fixturedef, ()):
        if made.is_symlink():  # to the newest of its name
            made.unlink(missing_ok=True)
        else:
            shutil.rmtree(made, ignore_errors=True)
