"""How the processes of a run read the test files. A plug-in of pytest.

The run's own process forks a reader, which imports all test files once, and rewrites their assertions. The processes that run the
tests are forks of the reader: an interpreter that imports everything anew needs ten seconds of CPU time. The reader knows nothing
of tests; its forks collect and run them as any process that xdist starts.
"""

import atexit
import gc
import json
import os
import select
import shlex
import shutil
import signal
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
from _pytest.pathlib import import_path

_FILES = "test_*.py"
_READER = pytest.StashKey[Path]()
# What xdist starts in place of an interpreter: hands its streams over, and ends with the process that has them now.
_HAND_OVER = """
import json, os, socket, sys
reader = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
reader.connect(sys.argv[1])
socket.send_fds(reader, [json.dumps([os.getcwd(), dict(os.environ)]).encode()], [0, 1, 2])
os.close(0)
os.close(1)
reader.recv(1)
"""


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Before anything has started a thread, which a fork would not have."""
    is_parallel = bool(getattr(config.option, "tx", None)) and not hasattr(config, "workerinput")
    if sys.platform == "linux" and is_parallel and not config.option.collectonly:
        directory = tempfile.mkdtemp(prefix="sightline-reader-", dir="/tmp")  # an address must be short
        config.add_cleanup(lambda: shutil.rmtree(directory, ignore_errors=True))
        config.stash[_READER] = address = Path(directory) / "socket"
        _start_reader(config, address)


def pytest_xdist_setupnodes(config: pytest.Config, specs: list[Any]) -> None:
    if (address := config.stash.get(_READER, None)) is not None:
        for spec in specs:
            # execnet adds options for an interpreter; the program looks at none of them.
            spec.python = shlex.join([sys.executable, "-I", "-S", "-c", _HAND_OVER, str(address)])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    gc.disable()  # what is made now stays until the end
    try:
        return (yield)
    finally:
        gc.freeze()  # no collection of garbage need look at ten thousand tests again
        gc.enable()


def _start_reader(config: pytest.Config, address: Path) -> None:
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(str(address))
    listening.listen(64)
    run_lasts, ends_with_run = os.pipe()  # nothing is written: its end is the end of the run, however that comes
    if (reader := os.fork()) != 0:
        listening.close()
        os.close(run_lasts)
        config.add_cleanup(partial(_end_reader, reader, ends_with_run))
        return
    os.close(ends_with_run)
    try:
        gc.disable()
        _read_all(config)
        gc.freeze()
        gc.enable()
        signal.signal(signal.SIGCHLD, _reap)
        _fork_on_request(listening, run_lasts)
    finally:
        os._exit(0)


def _end_reader(reader: int, ends_with_run: int) -> None:
    os.close(ends_with_run)
    os.waitpid(reader, 0)


def _read_all(config: pytest.Config) -> None:
    named = [config.invocation_params.dir / argument.split("::")[0] for argument in config.args]
    found = (below for one in named for below in (one.rglob(_FILES) if one.is_dir() else [one]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # as where files are collected
        for file in sorted(set(found)):
            _read(file, config)


def _read(file: Path, config: pytest.Config) -> None:
    known = set(sys.modules)
    try:
        import_path(file, mode="importlib", root=config.rootpath, consider_namespace_packages=False)
    except BaseException:  # whatever it is, also the end of a process or a skip
        # To be imported again, and complained of, where the file is collected.
        for name in set(sys.modules) - known:
            if getattr(sys.modules[name], "__file__", None) == str(file):
                with suppress(KeyError):
                    del sys.modules[name]


def _reap(_number: int, _frame: object) -> None:
    """What the forks used counts for this process then, and so for the run."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _fork_on_request(listening: socket.socket, run_lasts: int) -> None:
    awaited: list[Any] = [listening, run_lasts]
    while run_lasts not in select.select(awaited, [], [])[0]:
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            os.close(run_lasts)
            _become_worker(connection)
        connection.close()


def _become_worker(connection: socket.socket) -> NoReturn:
    """What an interpreter does that execnet has started: it runs the line that it is told."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        about, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
        for number, fd in enumerate(streams):
            os.dup2(fd, number)
            os.close(fd)
        directory, environment = json.loads(about)
        os.chdir(directory)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        sys.argv = ["-c"]
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        threading.Thread(target=_end_with, args=(connection,), daemon=True).start()
        exec(eval(sys.stdin.readline()), {"__name__": "__main__"})
        atexit._run_exitfuncs()
    finally:
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(0)


def _end_with(connection: socket.socket) -> None:
    """xdist kills what it has started when that does not end, which is not this process."""
    connection.recv(1)
    os._exit(1)
