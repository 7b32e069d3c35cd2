"""`sightline up` as a person uses it: real processes, real signals."""

import asyncio
import json
import os
import re
import shlex
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import asyncpg
import httpx
import psutil
import pytest
import pytest_asyncio

from support.platform_process import Up, ask, database_url, kill, sightline, up, up_from_a_shell
from support.waiting import soon, until

STATE = "state of things"  # with spaces, on purpose
ON_ITS_LOOP = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Path, Up]]:
    """A platform that is only looked at, and its state directory."""
    state = tmp_path_factory.mktemp("up") / STATE
    async with up(state) as platform:
        yield state, platform


def _is_alive(process: psutil.Process) -> bool:
    """One that has ended may wait for a moment until its parent asks how."""
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.req(307)
async def test_it_starts_answers_stops_in_good_order_and_continues_with_the_same_data(tmp_path: Path):
    state = tmp_path / STATE
    async with up_from_a_shell(state) as platform, httpx.AsyncClient(timeout=300) as client:

        async def is_well() -> bool:
            answer = await client.get(f"{platform.address}/api/health", params={"deep": "true"})
            assert set(answer.json()["parts"]) == {
                "database",
                "objects",
                "messages",
                "bus",
                "vision",
                "media sandbox",
                "cameras",
            }
            return answer.status_code == 200

        await until(is_well)
        assert str(state) in platform.greeting
        connection = await asyncpg.connect(await database_url(state))
        await connection.execute("INSERT INTO videos (owner_id, name) VALUES (gen_random_uuid(), 'kept')")
        await connection.close()
        tree = platform.tree()
        os.killpg(platform.process.pid, signal.SIGINT)  # what Ctrl-C does: the whole foreground group hears it
        assert await soon(platform.process.wait()) == 0
        assert platform.process.stdout is not None
        assert (await platform.process.stdout.read()).decode().strip() == "Sightline has stopped."
        await until(lambda: not any(_is_alive(process) for process in tree))
    async with up(state):
        connection = await asyncpg.connect(await database_url(state))
        assert await connection.fetchval("SELECT name FROM videos") == "kept"
        await connection.close()


@pytest.mark.req(303)
async def test_after_a_kill_of_the_whole_tree_the_next_start_recovers(tmp_path: Path):
    state = tmp_path / STATE
    async with up(state) as platform:
        connection = await asyncpg.connect(await database_url(state))
        await connection.execute("INSERT INTO videos (owner_id, name) VALUES (gen_random_uuid(), 'committed')")
        kill(platform.tree())
        await soon(platform.process.wait())
        connection.terminate()
    code, _, _ = await ask("status", "--state-dir", str(state))
    assert code == 3
    async with up(state):  # at once, while the killed server may not be gone yet
        connection = await asyncpg.connect(await database_url(state))
        assert await connection.fetchval("SELECT name FROM videos") == "committed"
        await connection.close()


async def test_a_killed_postgres_is_brought_back_under_a_running_platform(tmp_path: Path):
    state = tmp_path / STATE
    async with up(state):
        pid = int((state / "postgres/data/postmaster.pid").read_text().splitlines()[0])
        psutil.Process(pid).kill()

        async def is_well_again() -> bool:
            code, out, _ = await ask("status", "--state-dir", str(state), "--json")
            restarts = {service["name"]: service["restarts"] for service in json.loads(out)["services"]}
            return code == 0 and restarts["postgres"] >= 1

        await until(is_well_again, within_s=60)


@ON_ITS_LOOP
async def test_a_second_start_on_the_same_directory_says_who_holds_it(running: tuple[Path, Up]):
    state, platform = running
    code, _, err = await ask("up", "--state-dir", str(state), "--port", "0")
    assert code == 1
    assert f"in use by the platform with pid {platform.process.pid}" in err
    assert "Traceback" not in err


@ON_ITS_LOOP
async def test_status_shows_each_service(running: tuple[Path, Up]):
    state, platform = running
    shown = ""

    async def is_well() -> bool:
        nonlocal shown
        code, shown, _ = await ask("status", "--state-dir", str(state))
        return code == 0

    await until(is_well)
    for name in ("postgres", "listener", "queue-watch", "retention-sweep", "job-watch", "scheduler", "api"):
        assert re.search(rf"{name}\s+running", shown)
    assert platform.address in shown


@ON_ITS_LOOP
async def test_the_printed_psql_command_works_in_a_shell(running: tuple[Path, Up]):
    state, _ = running
    asked = f"{shlex.quote(sys.executable)} -m sightline db --psql --state-dir {shlex.quote(str(state))}"
    # The shell takes no quotes out of what it substitutes, and a path with spaces needs them.
    has_spaces = " " in sys.prefix
    command = f'eval "$({asked})" -Atc "\'SELECT 42\'"' if has_spaces else f"$({asked}) -Atc 'SELECT 42'"
    shell = await asyncio.create_subprocess_exec("bash", "-c", command, stdout=asyncio.subprocess.PIPE)
    out, _ = await soon(shell.communicate())
    assert (shell.returncode, out) == (0, b"42\n")


@ON_ITS_LOOP
async def test_psql_is_opened_with_what_follows_the_two_dashes(running: tuple[Path, Up]):
    state, _ = running
    code, out, _ = await ask("db", "--psql", "--state-dir", str(state), "--", "-Atc", "SELECT 42")
    assert (code, out) == (0, "42\n")


async def test_arguments_for_psql_without_psql_are_refused(tmp_path: Path):
    code, _, err = await ask("db", "--state-dir", str(tmp_path / STATE), "--", "-Atc", "SELECT 42")
    assert (code, "add --psql" in err) == (2, True)


async def test_status_says_that_nothing_is_running(tmp_path: Path):
    code, out, _ = await ask("status", "--state-dir", str(tmp_path / STATE))
    assert (code, "No platform is running" in out) == (3, True)


async def test_a_taken_port_is_reported_before_anything_is_started(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = await ask("up", "--state-dir", str(tmp_path / STATE), "--port", str(port))
    assert code == 1
    assert f"cannot listen on 127.0.0.1:{port}" in err
    assert "--port" in err
    assert not (tmp_path / STATE / "postgres").exists()


async def test_listening_beyond_this_machine_without_authentication_is_refused(tmp_path: Path):
    code, _, err = await ask("up", "--state-dir", str(tmp_path / STATE), "--host", "0.0.0.0")
    assert code == 1
    assert "without authentication" in err


async def test_an_unknown_setting_stops_the_start(tmp_path: Path):
    code, _, err = await ask("up", "--state-dir", str(tmp_path), SIGHTLINE_API_PROT="1")
    assert code == 1
    assert "did you mean SIGHTLINE_API_PORT?" in err


async def test_config_shows_where_each_setting_is_from_and_no_secret(tmp_path: Path):
    code, out, err = await ask("config", "--json", DATABASE_URL="postgresql://u:hunter2@h/d")
    assert code == 0, err
    shown = json.loads(out)
    assert shown["SIGHTLINE_DATABASE_URL"]["source"] == "DATABASE_URL"
    assert "hunter2" not in out + err
    assert shown["SIGHTLINE_API_PORT"] == {"value": 8400, "source": "default"}


async def test_migrate_works_without_a_running_platform_and_says_what_it_did(tmp_path: Path):
    state = str(tmp_path / STATE)
    code, out, err = await ask("migrate", "--dry-run", "--state-dir", state)
    assert (code, "Would apply 0001_roles_and_claims" in out) == (0, True), err
    code, out, err = await ask("migrate", "--state-dir", state)
    assert (code, "Applied 0001_roles_and_claims" in out) == (0, True), err
    code, out, err = await ask("migrate", "--state-dir", state)
    assert (code, "Nothing to apply" in out) == (0, True), err


async def test_roles_run_apart_on_a_shared_database(fresh_database, tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = await sightline(
        "schedule",
        SIGHTLINE_DATABASE_URL=fresh_database.url,
        SIGHTLINE_STATE_DIR=str(tmp_path),
        SIGHTLINE_OBSERVABILITY_PROBE_PORT=str(port),
    )
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=300) as client:

        async def answers() -> bool:
            try:
                return (await client.get("/api/health", params={"deep": "true"})).status_code == 200
            except httpx.HTTPError:
                return False

        await until(answers)
        assert 'sightline_service_up{service="scheduler"} 1.0' in (await client.get("/metrics")).text
    process.terminate()
    _, err = await soon(process.communicate())
    assert process.returncode == 0, err
