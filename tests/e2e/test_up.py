"""`sightline up` as a person uses it: real processes, real signals."""

import asyncio
import json
import os
import re
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path

import asyncpg
import httpx
import psutil
import pytest

from support.platform_process import ask, database_url, kill, sightline, up
from support.waiting import until

STATE = "state of things"  # with spaces, on purpose


def _is_alive(process: psutil.Process) -> bool:
    """One that has ended may wait for a moment until somebody asks how."""
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.req(307)
async def test_it_starts_answers_stops_in_time_and_continues_with_the_same_data(tmp_path: Path):
    state = tmp_path / STATE
    async with up(state) as running, httpx.AsyncClient() as client:
        answer = await client.get(f"{running.address}/api/health", params={"deep": "true"})
        assert answer.status_code == 200
        assert set(answer.json()["parts"]) == {"database", "objects", "messages", "bus"}
        assert str(state) in running.greeting
        connection = await asyncpg.connect(await database_url(state))
        await connection.execute("INSERT INTO videos (owner_id, name) VALUES (gen_random_uuid(), 'kept')")
        await connection.close()
        tree = running.tree()
        started = time.monotonic()
        os.killpg(running.process.pid, signal.SIGINT)  # what Ctrl-C does: the whole foreground group hears it
        assert await asyncio.wait_for(running.process.wait(), 10) == 0
        assert time.monotonic() - started < 5
        await until(lambda: not any(_is_alive(process) for process in tree))
    async with up(state):
        connection = await asyncpg.connect(await database_url(state))
        assert await connection.fetchval("SELECT name FROM videos") == "kept"
        await connection.close()


@pytest.mark.req(303)
async def test_after_a_kill_of_the_whole_tree_the_next_start_recovers(tmp_path: Path):
    state = tmp_path / STATE
    async with up(state) as running:
        connection = await asyncpg.connect(await database_url(state))
        await connection.execute("INSERT INTO videos (owner_id, name) VALUES (gen_random_uuid(), 'committed')")
        tree = running.tree()
        kill(tree)
        await asyncio.to_thread(psutil.wait_procs, tree, 10)
        connection.terminate()
    code, _, _ = await ask("status", "--state-dir", str(state))
    assert code == 3
    async with up(state) as running:
        connection = await asyncpg.connect(await database_url(state))
        assert await connection.fetchval("SELECT name FROM videos") == "committed"
        await connection.close()


async def test_a_killed_postgres_is_brought_back_under_a_running_platform(tmp_path: Path):
    state = tmp_path / STATE
    async with up(state) as running, httpx.AsyncClient() as client:
        pid = int((state / "postgres/data/postmaster.pid").read_text().splitlines()[0])
        psutil.Process(pid).kill()

        async def is_well_again() -> bool:
            try:
                answer = await client.get(f"{running.address}/api/health", params={"deep": "true"})
            except httpx.HTTPError:
                return False
            code, out, _ = await ask("status", "--state-dir", str(state), "--json")
            restarts = {service["name"]: service["restarts"] for service in json.loads(out)["services"]}
            return answer.status_code == 200 and code == 0 and restarts["postgres"] >= 1

        await until(is_well_again, within_s=40)


async def test_a_second_start_on_the_same_directory_says_who_holds_it(tmp_path: Path):
    state = tmp_path / STATE
    async with up(state) as running:
        code, _, err = await ask("up", "--state-dir", str(state), "--port", "0")
        assert code == 1
        assert f"in use by the platform with pid {running.process.pid}" in err
        assert "Traceback" not in err


async def test_a_taken_port_is_told_before_anything_is_started(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = await ask("up", "--state-dir", str(tmp_path / STATE), "--port", str(port))
    assert code == 1
    assert f"cannot listen on 127.0.0.1:{port}" in err
    assert "--port" in err
    assert not (tmp_path / STATE / "postgres").exists()


async def test_status_tells_of_each_service_and_of_nothing_running(tmp_path: Path):
    state = tmp_path / STATE
    code, out, _ = await ask("status", "--state-dir", str(state))
    assert (code, "No platform is running" in out) == (3, True)
    async with up(state) as running:
        code, out, _ = await ask("status", "--state-dir", str(state))
        assert code == 0, out
        for name in ("postgres", "listener", "queue-watch", "retention-sweep", "job-watch", "scheduler", "api"):
            assert re.search(rf"{name}\s+running", out)
        assert running.address in out


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
    assert (code, "would apply 0001_roles_and_claims" in out) == (0, True), err
    code, out, err = await ask("migrate", "--state-dir", state)
    assert (code, "applied 0001_roles_and_claims" in out) == (0, True), err
    code, out, err = await ask("migrate", "--state-dir", state)
    assert (code, "nothing to apply" in out) == (0, True), err


async def test_roles_run_apart_on_a_shared_database(fresh_database, tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = await sightline(
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
