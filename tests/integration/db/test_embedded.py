"""The embedded server: recovers from a kill, lives in odd places, gives way to nobody and takes nothing over."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg
import psutil
import pytest

from sightline.db import EmbeddedPostgres
from sightline.db.privileges import ServiceUser, service_user
from sightline.errors import BackendUnavailable, ConfigurationError
from support.embedded_server import running_server
from support.waiting import soon, until


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a server that ran before. Making it takes longer than most of what is done with it here."""

    async def make(directory: Path) -> None:
        async with running_server(directory):
            pass

    directory: Path = tmp_path_factory.mktemp("made") / "postgres"
    asyncio.run(make(directory))
    return directory


@pytest.fixture
def directory(made: Path, tmp_path: Path) -> Path:
    """A copy of it with owners and rights, for this test alone."""
    subprocess.run(["cp", "-a", made, tmp_path / "postgres"], check=True)
    return tmp_path / "postgres"


def _postmaster(directory: Path) -> psutil.Process:
    return psutil.Process(int((directory / "data/postmaster.pid").read_text().splitlines()[0]))


async def _run(postgres: EmbeddedPostgres, statement: str) -> object:
    connection = await asyncpg.connect(postgres.admin_url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


def _is_gone(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.mark.req(303)
async def test_committed_rows_are_there_after_a_kill_of_the_whole_server(directory: Path):
    async with running_server(directory) as postgres:
        await _run(postgres, "CREATE TABLE kept (n int)")
        await _run(postgres, "INSERT INTO kept SELECT generate_series(1, 1000)")
        parent = _postmaster(directory)
        parent.suspend()  # it starts no more of them
        tree = [parent, *parent.children(recursive=True)]
        for process in tree:
            process.kill()
        await until(lambda: all(_is_gone(process) for process in tree))
    async with running_server(directory) as postgres:
        assert await _run(postgres, "SELECT count(*) FROM kept") == 1000


async def test_a_server_starts_as_soon_as_what_a_killed_one_had_started_is_gone(directory: Path):
    """Its processes notice that it is gone, and end; on a busy machine that takes a while."""
    async with running_server(directory):
        parent = _postmaster(directory)
        slow = parent.children()[0]
        slow.suspend()
        parent.kill()
        await until(lambda: _is_gone(parent))
    starting = asyncio.create_task(_answer_of_a_server(directory))
    await until(lambda: "is still in use" in (directory / "server.log").read_text())
    assert not starting.done()
    slow.resume()
    assert await starting == 1


async def _answer_of_a_server(directory: Path) -> object:
    async with running_server(directory) as postgres:
        return await _run(postgres, "SELECT 1")


async def test_a_server_left_over_by_a_killed_parent_is_ended_and_replaced(directory: Path):
    async with running_server(directory) as first:
        await _run(first, "CREATE TABLE kept (n int)")
        old = _postmaster(directory)
        async with running_server(directory) as second:
            assert _is_gone(old)
            assert await _run(second, "SELECT count(*) FROM kept") == 0


async def test_a_server_that_ends_by_itself_is_an_error(directory: Path):
    postgres = EmbeddedPostgres(directory)
    ready = asyncio.Event()
    task = asyncio.create_task(postgres.run(asyncio.Event(), ready.set))
    await soon(ready.wait(), within_s=60)
    _postmaster(directory).send_signal(signal.SIGTERM)
    with pytest.raises(BackendUnavailable, match="ended by itself"):
        await soon(task)


async def test_an_initdb_that_was_killed_half_way_is_done_anew(tmp_path: Path):
    directory = tmp_path / "postgres"
    (directory / "data.new" / "base").mkdir(parents=True)
    async with running_server(directory) as postgres:
        assert await _run(postgres, "SELECT 1") == 1


async def test_a_path_with_spaces_quotes_and_great_length_works(tmp_path: Path):
    directory = tmp_path / "it's a long way" / ("x" * 100) / "postgres"
    async with running_server(directory) as postgres:
        assert await _run(postgres, "SELECT 1") == 1
        assert len(os.fsencode(postgres.socket_directory)) < 90


async def test_data_of_another_major_version_is_refused_untouched(tmp_path: Path):
    directory = tmp_path / "postgres"
    (directory / "data").mkdir(parents=True)
    (directory / "data" / "PG_VERSION").write_text("16\n")
    with pytest.raises(ConfigurationError, match="made by PostgreSQL 16"):
        async with running_server(directory):
            pass


async def test_nobody_gets_in_without_the_password(directory: Path):
    async with running_server(directory) as postgres:
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(postgres.admin_url.replace(":", ":wrong", 2).replace(":wrong", ":", 1))
        assert (postgres.directory.stat().st_mode & 0o077) == 0


async def test_the_server_follows_a_parent_that_was_killed(directory: Path):
    script = (
        "import asyncio, pathlib, sys\n"
        "from sightline.db import EmbeddedPostgres\n"
        "p = EmbeddedPostgres(pathlib.Path(sys.argv[1]))\n"
        "asyncio.run(p.run(asyncio.Event(), lambda: print('ready', flush=True)))\n"
    )
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, str(directory), stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    assert (await soon(parent.stdout.readline(), within_s=60)).strip() == b"ready"
    server = _postmaster(directory)
    parent.kill()
    await parent.wait()
    await until(lambda: _is_gone(server))


def test_a_user_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(ConfigurationError, match="no user 'there-is-none'"):
        service_user("there-is-none")


def test_root_cannot_be_the_user_to_become(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(ConfigurationError, match="which is root"):
        service_user("root")


def test_whether_a_user_may_enter_is_read_off_every_directory_on_the_way(tmp_path: Path):
    inner = tmp_path / "closed" / "inner"
    inner.mkdir(parents=True)
    stranger = ServiceUser(uid=64_321, gid=64_321, name="stranger")
    (tmp_path / "closed").chmod(0o700)
    assert not stranger.may_enter(inner)
    owner = ServiceUser(uid=inner.stat().st_uid, gid=64_321, name="owner")
    assert owner.may_enter(inner) or os.geteuid() != 0
