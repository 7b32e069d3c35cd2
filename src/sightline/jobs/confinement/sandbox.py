"""Entering the sandbox: the calling process gives up, for good, whatever decoding one file does not need.

Limits bound how much a process may use; the sandbox bounds what it can reach. A decoder that a hostile file has taken over can
read the code, and what was handed to it, write to its own directory, and do nothing else (ADR 0030).
"""

import os
import resource
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module

from sightline.jobs.confinement.code_paths import SYSTEM_FACTS, SYSTEM_LIBRARIES, code_paths
from sightline.jobs.confinement.landlock import OWN_DIRECTORY, READING, READING_AND_WRITING, Ruleset
from sightline.jobs.confinement.namespaces import leave_network, open_ways
from sightline.jobs.confinement.seccomp import Network, filter_system_calls
from sightline.linux import ProcessIds, become, drop_capabilities, give_tree, hide_from_other_processes, prctl

MAX_THREADS = 256
_PR_SET_NO_NEW_PRIVILEGES = 38
_OWN_FACTS = ("/proc/self/status", "/proc/self/stat", "/proc/self/statm", "/proc/self/maps")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """What a process may read besides the code, its own directory and the files handed to it."""

    readable: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    """Imported before the sandbox is entered. Their packages stay readable, for what they import later."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """All the variables that the process has."""
    ids: ProcessIds | None = None
    """The ids that a process of root changes to."""
    network: Network = "none"
    """`port`: TCP connections to `port` alone (where Landlock can hold it to that). `open`: TCP and UDP to any address."""
    port: int | None = None

    def import_modules(self) -> None:
        for name in self.modules:
            import_module(name)


def enter_sandbox(sandbox: Sandbox, *, may_be_unconfined: bool = False) -> None:
    """Confines the calling process, which has one thread and stands in its own directory.

    Raises `OSError` when the kernel refuses a part of it; with `may_be_unconfined` the other parts are done all the same.
    """
    attempt = _suppressing if may_be_unconfined else _strictly
    os.environ.clear()
    os.environ.update(sandbox.environment)
    _close_standard_streams()
    has_left = sandbox.network == "none" and leave_network()
    readable = [*code_paths(sandbox.modules), *sandbox.readable]
    if sandbox.ids is not None:
        with attempt():
            give_tree(".", sandbox.ids)  # root has filled it
            open_ways(readable)
    ruleset: Ruleset | None = None
    with attempt():
        ruleset = _ruleset(readable, sandbox)
    with attempt():
        if sandbox.ids is not None:
            become(sandbox.ids)
        else:
            drop_capabilities()  # a normal user has none, but the new network came with some
    if has_left or sandbox.ids is not None:  # the kernel counts threads by user, which here means this process alone
        resource.setrlimit(resource.RLIMIT_NPROC, (MAX_THREADS, MAX_THREADS))
    hide_from_other_processes()
    prctl(_PR_SET_NO_NEW_PRIVILEGES, 1)
    if ruleset is not None:
        with attempt():
            ruleset.restrict_self()
    with attempt():
        filter_system_calls(sandbox.network)


def _ruleset(readable: list[str], sandbox: Sandbox) -> Ruleset:
    ruleset = Ruleset(binds_tcp=sandbox.network != "open")
    if sandbox.network == "port" and sandbox.port is not None:
        ruleset.allow_connecting(sandbox.port)
    ruleset.allow((*SYSTEM_LIBRARIES, *SYSTEM_FACTS, *readable), READING)
    ruleset.allow(("/dev/null",), READING_AND_WRITING)
    ruleset.allow((".",), OWN_DIRECTORY)
    for path in _OWN_FACTS:
        # Left open: the kernel forgets files of /proc that nobody holds, and the rule with them.
        ruleset.allow_handle(os.open(path, os.O_PATH | os.O_CLOEXEC), READING)
    return ruleset


def _close_standard_streams() -> None:
    """They belong to the program that runs the platform: a terminal, or a log that must not be cut."""
    null = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)


@contextmanager
def _strictly() -> Iterator[None]:
    yield


@contextmanager
def _suppressing() -> Iterator[None]:
    with suppress(OSError):
        yield
