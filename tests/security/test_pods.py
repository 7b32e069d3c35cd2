"""Inside a pod of the manifests, the sandbox of videos still holds, and a worker says so to the probe of its container."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest

from sightline.jobs import confinement
from support.database_wire import DatabaseWire
from support.emulators import free_port
from support.hostile_work import REACHED
from support.other_user import TESTS, can_be_another_user
from support.pod_rules import pod_rules
from support.postgres import DatabaseAddresses
from support.waiting import soon, until

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from monitoring import catalogue

pytestmark = pytest.mark.skipif(
    bool(confinement().missing) or not can_be_another_user(), reason="needs Landlock, and root to become another user"
)
TOKEN = "scraper-of-the-tests"


@contextmanager
def writable() -> Iterator[tuple[Path, Path]]:
    """Those that a pod may write to. Their paths are short enough for sockets."""
    with tempfile.TemporaryDirectory() as directory:
        made = (Path(directory) / "state", Path(directory) / "tmp")
        for one in made:
            one.mkdir(mode=0o700)
        yield made


def run_hostile(how: str) -> dict[str, tuple[str, str]]:
    with writable() as directories:
        done = subprocess.run(
            [sys.executable, "-m", "support.hostile_parent", how],
            cwd=directories[0],
            env={"PYTHONPATH": str(TESTS), "SIGHTLINE_SECRET": "do-not-tell", "TMPDIR": str(directories[1])},
            preexec_fn=pod_rules(*directories),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, tuple[str, str]] = json.loads(done.stdout)["found"]
    return found


@pytest.mark.req(1023)
def test_hostile_code_in_a_pod_reaches_nothing_by_the_sandbox_and_much_without_it():
    confined = run_hostile("sandboxed")
    assert confined
    assert {name: why for name, (result, why) in confined.items() if result == REACHED} == {}
    bare = run_hostile("open")
    assert sum(result == REACHED for result, _ in bare.values()) > 10, "the rules of the pod alone are not the sandbox"


@asynccontextmanager
async def worker(database: DatabaseWire, directories: tuple[Path, Path], port: int) -> AsyncIterator[dict[str, str]]:
    """`sightline work`, and the environment that the probe beside it has."""
    environment = {
        "PATH": os.environ["PATH"],
        "TMPDIR": str(directories[1]),
        "HOME": str(directories[0]),
        "SIGHTLINE_STATE_DIR": str(directories[0]),
        "SIGHTLINE_DATABASE_URL": database.url,
        "SIGHTLINE_AUTH_JWT_SECRET": "s" * 40,
        "SIGHTLINE_OBSERVABILITY_METRICS_TOKEN": TOKEN,
        "SIGHTLINE_OBSERVABILITY_PROBE_PORT": str(port),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightline", "work", "--types", "transcode,sample"),
        cwd=directories[0],
        env=environment,
        preexec_fn=pod_rules(*directories),
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield environment
        assert process.returncode is None
        process.terminate()
        assert await soon(process.wait()) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def probe(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    """As the kubelet starts it."""
    command = (sys.executable, "-m", "sightline.probe", *arguments)
    process = await asyncio.create_subprocess_exec(*command, env=environment, stderr=asyncio.subprocess.PIPE)
    _, said = await soon(process.communicate())
    return process.returncode or 0, said.decode()


@pytest.mark.req(1013, 1023)
async def test_a_worker_in_a_pod_is_ready_and_says_that_videos_are_confined(
    fresh_database: DatabaseAddresses,
):
    port = free_port()
    wire = DatabaseWire(fresh_database.admin_url)  # another user does not reach the socket of the tests' server
    await wire.mend()
    try:
        with writable() as directories:
            await check_worker(wire, directories, port)
    finally:
        await wire.cut()


async def check_worker(database: DatabaseWire, directories: tuple[Path, Path], port: int) -> None:
    async with worker(database, directories, port) as environment:

        async def is_ready() -> bool:
            return (await probe(environment, "--deep", str(port)))[0] == 0

        await until(is_ready, within_s=30)
        assert await probe(environment, str(port)) == (0, "")
        code, said = await probe(environment | {"SIGHTLINE_OBSERVABILITY_METRICS_TOKEN": ""}, "--deep", str(port))
        assert (code, "SIGHTLINE_OBSERVABILITY_METRICS_TOKEN" in said) == (1, True)
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
            health = (await http.get(f"http://127.0.0.1:{port}/api/health", params={"deep": "true"})).json()
            metrics = (await http.get(f"http://127.0.0.1:{port}/metrics")).text
    detail = health["parts"]["media sandbox"]["detail"]
    assert detail.startswith("confined: files by Landlock")
    assert detail.endswith("system calls by seccomp")
    named = {line.split("{")[0].split(" ")[0] for line in metrics.splitlines() if line.startswith("sightline_")}
    assert named
    assert {name for name in named if not name.endswith("_created")} <= catalogue.series().keys()
