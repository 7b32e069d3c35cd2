"""`sightline up` as a person uses it: real processes, real signals."""

import asyncio
import json
import os
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import asyncpg
import httpx
import psutil
import pytest

from waiting import until

STATE = "state of things"  # with spaces, on purpose


class Up:
    """A platform started by the command."""

    def __init__(self, process: asyncio.subprocess.Process, output: bytes) -> None:
        self.process = process
        self.greeting = output.decode()
        found = re.search(r"Address\s+(http://\S+)", self.greeting)
        assert found is not None
        self.address = found[1]

    def tree(self) -> list[psutil.Process]:
        parent = psutil.Process(self.process.pid)
        return [parent, *parent.children(recursive=True)]


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return kept | {"SIGHTLINE_OBSERVABILITY_LOG_LEVEL": "warning"}


async def _sightline(*arguments: str, **more: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightline", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_environment() | more,
        start_new_session=True,
    )


async def _ask(*arguments: str, **more: str) -> tuple[int, str, str]:
    process = await _sightline(*arguments, **more)
    out, err = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode or 0, out.decode(), err.decode()


@asynccontextmanager
async def _up(state: Path, *arguments: str, **more: str) -> AsyncIterator[Up]:
    process = await _sightline("up", "--state-dir", str(state), "--port", "0", *arguments, **more)
    assert process.stdout is not None
    assert process.stderr is not None
    output = b""
    try:
        while b"sightline status" not in output:
            line = await asyncio.wait_for(process.stdout.readline(), 60)
            assert line, (output + await process.stderr.read()).decode()
            output += line
        yield Up(process, output)
    finally:
        if process.returncode is None:
            with suppress(psutil.NoSuchProcess):
                _kill([psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)])
        await process.wait()


def _kill(processes: list[psutil.Process]) -> None:
    """All of them, the parent first, so that nothing gets the chance to end in good order."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # children of a killed server go by themselves
            process.kill()


async def _database_url(state: Path) -> str:
    code, out, err = await _ask("db", "--state-dir", str(state))
    assert code == 0, err
    return out.strip()


@pytest.mark.req(307)
async def test_it_starts_answers_stops_in_time_and_continues_with_the_same_data(tmp_path: Path):
    state = tmp_path / STATE
    async with _up(state) as up, httpx.AsyncClient() as client:
        answer = await client.get(f"{up.address}/api/health", params={"deep": "true"})
        assert answer.status_code == 200
        assert set(answer.json()["parts"]) == {"database", "objects", "bus"}
        assert str(state) in up.greeting
        connection = await asyncpg.connect(await _database_url(state))
        await connection.execute("INSERT INTO videos (owner_id, name) VALUES (gen_random_uuid(), 'kept')")
        await connection.close()
        tree = up.tree()
        started = time.monotonic()
        os.killpg(up.process.pid, signal.SIGINT)  # what Ctrl-C does: the whole foreground group hears it
        assert await asyncio.wait_for(up.process.wait(), 10) == 0
        assert time.monotonic() - started < 5
        assert [process for process in tree if process.is_running()] == []
    async with _up(state):
        connection = await asyncpg.connect(await _database_url(state))
        assert await connection.fetchval("SELECT name FROM videos") == "kept"
        await connection.close()


@pytest.mark.req(303)
async def test_after_a_kill_of_the_whole_tree_the_next_start_recovers(tmp_path: Path):
    state = tmp_path / STATE
    async with _up(state) as up:
        connection = await asyncpg.connect(await _database_url(state))
        await connection.execute("INSERT INTO videos (owner_id, name) VALUES (gen_random_uuid(), 'committed')")
        tree = up.tree()
        _kill(tree)
        await asyncio.to_thread(psutil.wait_procs, tree, 10)
        connection.terminate()
    code, _, _ = await _ask("status", "--state-dir", str(state))
    assert code == 3
    async with _up(state) as up:
        connection = await asyncpg.connect(await _database_url(state))
        assert await connection.fetchval("SELECT name FROM videos") == "committed"
        await connection.close()


async def test_a_killed_postgres_is_brought_back_under_a_running_platform(tmp_path: Path):
    state = tmp_path / STATE
    async with _up(state) as up, httpx.AsyncClient() as client:
        pid = int((state / "postgres/data/postmaster.pid").read_text().splitlines()[0])
        psutil.Process(pid).kill()

        async def is_well_again() -> bool:
            try:
                answer = await client.get(f"{up.address}/api/health", params={"deep": "true"})
            except httpx.HTTPError:
                return False
            code, out, _ = await _ask("status", "--state-dir", str(state), "--json")
            restarts = {service["name"]: service["restarts"] for service in json.loads(out)["services"]}
            return answer.status_code == 200 and code == 0 and restarts["postgres"] >= 1

        await until(is_well_again, within_s=40)


async def test_a_second_start_on_the_same_directory_says_who_holds_it(tmp_path: Path):
    state = tmp_path / STATE
    async with _up(state) as up:
        code, _, err = await _ask("up", "--state-dir", str(state), "--port", "0")
        assert code == 1
        assert f"in use by the platform with pid {up.process.pid}" in err
        assert "Traceback" not in err


async def test_a_taken_port_is_told_before_anything_is_started(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = await _ask("up", "--state-dir", str(tmp_path / STATE), "--port", str(port))
    assert code == 1
    assert f"cannot listen on 127.0.0.1:{port}" in err
    assert "--port" in err
    assert not (tmp_path / STATE / "postgres").exists()


async def test_status_tells_of_each_service_and_of_nothing_running(tmp_path: Path):
    state = tmp_path / STATE
    code, out, _ = await _ask("status", "--state-dir", str(state))
    assert (code, "No platform is running" in out) == (3, True)
    async with _up(state) as up:
        code, out, _ = await _ask("status", "--state-dir", str(state))
        assert code == 0, out
        for name in ("postgres", "listener", "queue-watch", "retention-sweep", "job-watch", "scheduler", "api"):
            assert re.search(rf"{name}\s+running", out)
        assert up.address in out


async def test_listening_beyond_this_machine_without_authentication_is_refused(tmp_path: Path):
    code, _, err = await _ask("up", "--state-dir", str(tmp_path / STATE), "--host", "0.0.0.0")
    assert code == 1
    assert "without authentication" in err


async def test_an_unknown_setting_stops_the_start(tmp_path: Path):
    code, _, err = await _ask("up", "--state-dir", str(tmp_path), SIGHTLINE_API_PROT="1")
    assert code == 1
    assert "did you mean SIGHTLINE_API_PORT?" in err


async def test_config_shows_where_each_setting_is_from_and_no_secret(tmp_path: Path):
    code, out, err = await _ask("config", "--json", DATABASE_URL="postgresql://u:hunter2@h/d")
    assert code == 0, err
    shown = json.loads(out)
    assert shown["SIGHTLINE_DATABASE_URL"]["source"] == "DATABASE_URL"
    assert "hunter2" not in out + err
    assert shown["SIGHTLINE_API_PORT"] == {"value": 8400, "source": "default"}


async def test_migrate_works_without_a_running_platform_and_says_what_it_did(tmp_path: Path):
    state = str(tmp_path / STATE)
    code, out, err = await _ask("migrate", "--dry-run", "--state-dir", state)
    assert (code, "would apply 0001_roles_and_claims" in out) == (0, True), err
    code, out, err = await _ask("migrate", "--state-dir", state)
    assert (code, "applied 0001_roles_and_claims" in out) == (0, True), err
    code, out, err = await _ask("migrate", "--state-dir", state)
    assert (code, "nothing to apply" in out) == (0, True), err


async def test_roles_run_apart_on_a_shared_database(fresh_database, tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = await _sightline(
        "schedule",
        SIGHTLINE_DATABASE_URL=fresh_database.url,
        SIGHTLINE_STATE_DIR=str(tmp_path),
        SIGHTLINE_OBSERVABILITY_PROBE_PORT=str(port),
    )
    async with httpx.AsyncClient() as client:

        async def answers() -> bool:
            try:
                health = await client.get(f"http://127.0.0.1:{port}/api/health", params={"deep": "true"})
            except httpx.HTTPError:
                return False
            return health.status_code == 200

        await until(answers, within_s=30)
        assert (
            'sightline_service_up{service="scheduler"} 1.0'
            in (await client.get(f"http://127.0.0.1:{port}/metrics")).text
        )
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 10) == 0
