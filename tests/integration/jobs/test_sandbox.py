"""What a sandboxed process can reach: its own directory, the files it was given, and nothing else."""

import os
import socket

import pytest

from sightline.jobs import Sandbox, confinement, run_in_process
from support import process_work

pytestmark = pytest.mark.skipif(bool(confinement().missing), reason=f"this system cannot: {confinement().missing}")

ALL = ["append", "connect", "import", "list", "listen", "own", "read", "remove", "run", "signal", "write"]


@pytest.fixture
def argument(tmp_path):
    """Things of others, and a server."""
    others = tmp_path / "others"
    others.mkdir()
    for name in ("file", "other"):
        (others / name).write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield {
            "file": str(others / "file"),
            "other": str(others / "other"),
            "directory": str(others),
            "port": server.getsockname()[1],
            "pid": os.getpid(),
        }


async def reached(argument, sandbox):
    found = await run_in_process(process_work.reach, argument, lambda *_: None, sandbox=sandbox)
    assert found is not None
    return found["done"]


async def test_a_process_without_a_sandbox_reaches_everything(argument):
    assert await reached(argument, None) == ALL


async def test_a_sandboxed_process_reaches_only_its_own_directory(argument):
    assert await reached(argument, Sandbox()) == ["import", "own"]
    assert sorted(os.listdir(argument["directory"])) == ["file", "other"]


async def test_a_sandboxed_process_can_read_its_file_and_nothing_more(argument):
    assert await reached(argument, Sandbox(readable=(argument["file"],))) == ["import", "own", "read"]
