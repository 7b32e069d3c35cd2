"""In which order test files run, which of them run in the same process, and how many processes there are. A plug-in of pytest.

A process is given one file after the other, but all files that use something expensive together: a platform with its page and
a browser, an emulator of AWS. So that is started once in a run and not once in each process.

Long work comes first and short files last, so that no process is left alone at the end with much to do. The very first files
need nothing that `make test` installs while they run.
"""

import os
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from xdist.remote import Producer

# A test process with the platforms and browsers that it starts.
_NEEDED_BYTES = 2 << 30
# What begins like this runs in the process of the others of its group.
_TOGETHER = {
    # Two browsers side by side: one alone would take longer than all other processes need for the rest.
    "browser with videos": (
        "tests/e2e/test_page_journeys",
        "tests/e2e/test_page_library",
        "tests/e2e/test_page_player",
        "tests/e2e/test_page_search",
        "tests/e2e/test_page_share",
        "tests/e2e/test_page_techniques",
        "tests/e2e/test_page_upload",
        "tests/e2e/test_page_video",
        "tests/e2e/test_uppy",
    ),
    "browser": (
        "tests/e2e/test_page_",
        "tests/e2e/test_camera_to_browser",
        "tests/e2e/test_recording_in_browser",
    ),
    "sample": ("tests/e2e/test_client", "tests/e2e/test_mcp"),
    "emulators": (
        "tests/integration/bus/test_aws_",
        "tests/integration/bus/test_relay",
        "tests/integration/messages/test_store_conformance",
        "tests/integration/messages/test_eventbridge_clock",
        "tests/integration/messages/test_foreign_items",
        "tests/integration/messages/test_on_aws",
        "tests/integration/notifications/test_ses_",
        "tests/integration/notifications/test_on_aws",
        "tests/integration/objects/test_s3_",
        "tests/integration/techniques/test_other_consumers",
        "tests/integration/techniques/test_publication_on_aws",
        "tests/integration/api/aws/test_topology",
        "tests/integration/api/test_tus",
    ),
}
_FIRST = (
    "tests/integration/media",
    "browser",
    "sample",
    "tests/e2e",
    "emulators",
    "tests/integration/text",
    "tests/integration/cameras",
    "tests/blackbox",
    "tests/integration",
)


def unit_of(test: str) -> str:
    """What the test is given to a process with: its group or its file."""
    file = test.partition("::")[0]
    return next((name for name, begins in _TOGETHER.items() if file.startswith(begins)), file)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _rank(unit_of(item.nodeid)))  # stable: within a file and a folder the order stays


def _rank(unit: str) -> int:
    return next((rank for rank, begin in enumerate(_FIRST) if unit.startswith(begin)), len(_FIRST))


class Scheduling(LoadScopeScheduling):  # type: ignore[misc] # it has no types
    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> Any:
    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_xdist_auto_num_workers() -> int:
    """More than there are cores, because tests also wait: for a process to start, for a timer of an emulator, for a browser.
    With two for each core, the cores were idle for a third of the time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    room = psutil.virtual_memory().available // _NEEDED_BYTES
    return max(2, min(cores * 3, room))
