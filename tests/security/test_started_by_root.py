"""Started by root: the server has ids of its own and nothing of root's, secrets are root's alone, and no link is followed."""

import asyncio
import hashlib
import os
import pwd
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import psutil
import pytest

from sightline.db import EmbeddedPostgres, embedded, open_programs
from sightline.db.embedded import SERVICE_LOGIN, SUPERUSER
from sightline.db.privileges import idle_account, service_user
from sightline.db.server_programs import server_programs
from sightline.errors import ConfigurationError
from sightline.linux import ProcessIds, find_unused_ids, give_tree, private_directory
from sightline.state_directory import StateDirectory
from support.embedded_server import running_server
from support.other_user import as_user, can_be_another_user
from support.waiting import soon

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts PostgreSQL as somebody else")

NOBODY = pwd.getpwnam("nobody").pw_uid


async def ask(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


def server_of(directory: Path) -> psutil.Process:
    return psutil.Process(int((directory / "data/postmaster.pid").read_text().splitlines()[0]))


def status_of(process: psutil.Process) -> dict[str, str]:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return {name: " ".join(value.split()) for name, _, value in (line.partition(":") for line in lines)}


def owner_and_mode(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_uid, stat.S_IMODE(found.st_mode)


@pytest.fixture
def state() -> Iterator[Path]:
    """Its path is short enough for sockets."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "state"
        with StateDirectory(path).held():
            pass
        (path / "signing-key").write_text("a secret")
        yield path


@pytest.mark.req(317, 318, 319)
async def test_the_server_has_ids_that_nobody_else_has_and_no_capability(state):
    async with running_server(state / "postgres") as postgres:
        status = status_of(server_of(postgres.directory))
        uid = int(status["Uid"].split()[0])
        assert status["Uid"].split() == status["Gid"].split() == [str(uid)] * 4
        assert uid not in {0, NOBODY, *(entry.pw_uid for entry in pwd.getpwall())}
        assert status["Groups"] == ""
        assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
        assert owner_and_mode(postgres.data) == (uid, 0o700)
        assert owner_and_mode(postgres.directory) == (0, 0o700)
        assert owner_and_mode(postgres.directory / "password") == (0, 0o600)
        assert owner_and_mode(postgres.directory / "service_password") == (0, 0o600)
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await ask(postgres.admin_url, f"SELECT pg_read_file('{state / 'signing-key'}')")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await ask(postgres.admin_url, f"SELECT pg_read_file('{postgres.directory / 'service_password'}')")


@pytest.mark.req(317)
async def test_the_ids_are_chosen_once_for_each_state_directory(state, tmp_path):
    found = []
    for directory in (state / "postgres", state / "postgres", tmp_path / "other"):
        async with running_server(directory):
            found.append(server_of(directory).uids().real)
    assert found[0] == found[1] != found[2]


@pytest.mark.req(319)
async def test_the_superuser_and_the_service_have_different_passwords(state):
    async with running_server(state / "postgres") as postgres:
        passwords = [(postgres.directory / name).read_text() for name in ("password", "service_password")]
        assert len(set(passwords)) == 2
        assert await ask(postgres.url, "SELECT session_user") == SERVICE_LOGIN
        with pytest.raises(asyncpg.InvalidPasswordError):
            await ask(postgres.url.replace(f"//{SERVICE_LOGIN}:", f"//{SUPERUSER}:"), "SELECT 1")
        with pytest.raises(asyncpg.InvalidPasswordError):
            await ask(postgres.admin_url.replace(f"//{SUPERUSER}:", f"//{SERVICE_LOGIN}:"), "SELECT 1")


@pytest.mark.req(320)
async def test_a_state_directory_of_the_version_before_goes_on_working(state):
    """It belonged to `nobody`, with one password for both roles, and all could read the directories above."""
    directory = state / "postgres"
    async with running_server(directory) as postgres:
        await ask(postgres.admin_url, "CREATE TABLE kept AS SELECT generate_series(1, 100) AS n")
        one = (directory / "password").read_text()
        await ask(postgres.admin_url, f"ALTER ROLE {SERVICE_LOGIN} PASSWORD '{one}'")
    (directory / "service_password").unlink()
    (directory / "ids").unlink()
    give_tree(directory, ProcessIds(NOBODY, NOBODY))
    state.chmod(0o755)
    with StateDirectory(state).held():
        assert owner_and_mode(state) == (0, 0o700)
    async with running_server(directory) as postgres:
        assert await ask(postgres.admin_url, "SELECT count(*) FROM kept") == 100
        assert await ask(postgres.url, "SELECT session_user") == SERVICE_LOGIN
        uid = server_of(directory).uids().real
        assert uid != NOBODY
    assert {path.lstat().st_uid for path in (directory / "data").rglob("*")} == {uid}
    assert owner_and_mode(directory) == (0, 0o700)
    assert owner_and_mode(directory / "password") == (0, 0o600)


@pytest.fixture
def open_place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(dir="/var/tmp"))
    monkeypatch.setattr(open_programs, "OPEN_PLACE", place)
    yield place
    shutil.rmtree(place)


@pytest.mark.req(318)
async def test_programs_behind_a_closed_door_are_put_where_the_server_can_read_them(tmp_path, monkeypatch, open_place):
    """As in a clone below a `mktemp -d`. The copy is made once."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    installed = server_programs().parent
    package = installed.parent
    programs = closed / server_programs().relative_to(package.parent)
    libraries = package.with_name(f"{package.name}.libs")
    for source, copy in ((installed, programs.parent), (libraries, closed / libraries.name)):
        await asyncio.to_thread(shutil.copytree, source, copy, symlinks=True)
    monkeypatch.setattr(embedded, "server_programs", lambda: programs)
    for _ in range(2):
        async with running_server(closed / "state") as postgres:
            assert await ask(postgres.admin_url, "SELECT 1") == 1
            assert status_of(server_of(closed / "state"))["CapEff"] == "0" * 16
    assert len(list(open_place.iterdir())) == 1


@pytest.mark.req(321)
async def test_a_link_in_a_shared_directory_is_not_followed(tmp_path):
    directory = tmp_path / ("x" * 100) / "postgres"
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:12]
    trap = Path(tempfile.gettempdir()) / f"sightline-0-{digest}"
    victim = tmp_path / "victim"
    victim.mkdir(mode=0o755)
    trap.symlink_to(victim)
    try:
        assert EmbeddedPostgres(directory).socket_directory == trap
        with pytest.raises(ConfigurationError, match="not a directory of this user"):
            async with running_server(directory):
                pass
    finally:
        trap.unlink()
    assert owner_and_mode(victim) == (0, 0o755)


@pytest.mark.req(321)
def test_a_directory_of_somebody_else_in_a_shared_one_is_refused(tmp_path):
    (tmp_path / "theirs").mkdir(mode=0o700)
    os.chown(tmp_path / "theirs", NOBODY, NOBODY)
    with pytest.raises(PermissionError, match="belongs to another user"):
        private_directory(tmp_path / "theirs", ProcessIds(find_unused_ids(), 0))
    assert (tmp_path / "theirs").stat().st_uid == NOBODY


@pytest.mark.req(321)
def test_giving_a_tree_away_follows_no_link_and_takes_no_file_with_another_name(tmp_path):
    (tmp_path / "victim").write_text("x")
    tree = tmp_path / "tree"
    (tree / "inner").mkdir(parents=True)
    (tree / "inner" / "own").write_text("x")
    (tree / "link").symlink_to(tmp_path / "victim")
    (tree / "inner" / "hard").hardlink_to(tmp_path / "victim")
    number = find_unused_ids()
    give_tree(tree, ProcessIds(number, number))
    assert (tmp_path / "victim").stat().st_uid == 0
    assert {path.lstat().st_uid for path in (tree, tree / "inner", tree / "inner" / "own", tree / "link")} == {number}


@pytest.mark.req(317)
def test_nobody_is_never_the_user_of_the_server():
    with pytest.raises(ConfigurationError, match="other services run as too"):
        service_user("nobody")
    account = idle_account()
    assert account.uid not in {0, NOBODY}
    assert account.uid not in {process.uids().real for process in psutil.process_iter()}


@pytest.mark.req(322)
def test_a_state_directory_is_closed_to_others_unless_it_holds_other_things(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    (shared / "something").write_text("x")
    for path, mode in ((tmp_path / "new", 0o700), (shared, 0o755)):
        with StateDirectory(path).held():
            assert stat.S_IMODE(path.stat().st_mode) == mode


AS_USER = """
import asyncio, pathlib, sys
import asyncpg
from sightline.db import EmbeddedPostgres

async def main():
    postgres = EmbeddedPostgres(pathlib.Path("postgres").absolute())
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(postgres.run(stop, ready.set))
    await asyncio.wait((task, asyncio.create_task(ready.wait())), return_when=asyncio.FIRST_COMPLETED)
    assert ready.is_set(), await task
    connection = await asyncpg.connect(postgres.url)
    print(await connection.fetchval("SELECT session_user"), postgres.socket_directory.name)
    await connection.close()
    stop.set()
    await task

asyncio.run(main())
"""


@pytest.mark.skipif(not can_be_another_user(), reason="only root can run a program as another user")
async def test_started_by_an_ordinary_user_it_runs_as_that_user(tmp_path, tmp_path_factory):
    directory = tmp_path_factory.mktemp("user")
    account = idle_account()
    ids, change = as_user(directory, ids=account.ids)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", AS_USER), cwd=directory, env={}, preexec_fn=change, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await soon(process.communicate(), within_s=120)
    assert said.split() == [b"sightline_service", b"postgres"]
    assert (directory / "postgres" / "data").stat().st_uid == ids.uid
