"""How the processes of a run read the test files. A plug-in of pytest.

Each of them imports every file, and the first that does rewrites its assertions and keeps the result for the others. On a fresh
clone nothing is kept yet, so each begins at another file: the work is done once and not once in each process.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from _pytest.pathlib import import_path

_FILES = "test_*.py"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    gc.disable()  # what is made now stays until the end
    try:
        if hasattr(session.config, "workerinput") and not sys.dont_write_bytecode:
            _read_all(session.config, session.config.workerinput)
        return (yield)
    finally:
        gc.freeze()  # no collection of garbage need look at ten thousand tests again
        gc.enable()


def _read_all(config: pytest.Config, worker: dict[str, Any]) -> None:
    files = _test_files(config)
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[first:] + files[:first]:
        _read(file, config)


def _test_files(config: pytest.Config) -> list[Path]:
    named = [config.invocation_params.dir / argument.split("::")[0] for argument in config.args]
    found = (below for one in named for below in (one.rglob(_FILES) if one.is_dir() else [one]))
    return sorted(set(found))


def _read(file: Path, config: pytest.Config) -> None:
    known = set(sys.modules)
    try:
        import_path(file, mode="importlib", root=config.rootpath, consider_namespace_packages=False)
    except (Exception, pytest.skip.Exception):
        # To be imported again, and complained of, where the file is collected.
        for name in set(sys.modules) - known:
            if getattr(sys.modules[name], "__file__", None) == str(file):
                with suppress(KeyError):
                    del sys.modules[name]
