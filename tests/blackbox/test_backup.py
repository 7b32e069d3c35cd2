"""Backup and restore from outside: the command, SQL, and the files of a state directory."""

from pathlib import Path

import asyncpg
import httpx
import pytest

from support.platform_process import ask, database_url, up
from support.state_contents import killed_when, objects_of, put_objects, rows_at_rest, rows_of, succeeds

ROWS = """
INSERT INTO videos (owner_id, name) SELECT gen_random_uuid(), 'video ' || n FROM generate_series(1, 50) AS n;
INSERT INTO cameras (camera_id, name, owner_id) VALUES ('front_door', 'Front Door', gen_random_uuid());
"""


@pytest.mark.req(387, 388)
async def test_what_is_backed_up_while_the_platform_runs_is_restored_whole(tmp_path: Path):
    state, copy, target = tmp_path / "state", tmp_path / "new state", tmp_path / "backups"
    async with up(state):
        put_objects(state, 20)
        connection = await asyncpg.connect(await database_url(state))
        await connection.execute(ROWS)
        await connection.close()
        printed = await succeeds("backup", str(target), "--state-dir", str(state), "--verify")
        assert "20 objects and the database" in printed
        assert "(verified)" in printed
        before = await rows_of(await database_url(state))
    assert "is whole" in await succeeds("restore", str(target), "--verify")
    printed = await succeeds("restore", str(target), "--state-dir", str(copy))
    assert f"sightline up --state-dir '{copy}'" in printed
    assert objects_of(copy) == objects_of(state)
    assert (copy / "objects-key.json").read_bytes() == (state / "objects-key.json").read_bytes()
    after = await rows_at_rest(copy)
    assert after == before
    assert len(after["public.videos"]) == 50
    async with up(copy) as restored:
        async with httpx.AsyncClient() as client:
            answer = await client.get(f"{restored.address}/api/health", params={"deep": "true"}, timeout=300)
        assert answer.status_code == 200, answer.text


@pytest.mark.req(389)
async def test_the_next_backup_copies_only_what_is_new_and_keeps_the_earlier_ones_whole(tmp_path: Path):
    state, target = tmp_path / "state", tmp_path / "backups"
    async with up(state):
        put_objects(state, 10)
        await succeeds("backup", str(target), "--state-dir", str(state))
        (first,) = (path.name for path in (target / "backups").iterdir())
        copies = {path.name: path.stat().st_mtime_ns for path in (target / "objects").rglob("*") if path.is_file()}
        changed = state / "objects" / "frames" / "by-hand" / "00000.jpg"
        changed.unlink()
        changed.write_bytes(b"changed")
        await succeeds("backup", str(target), "--state-dir", str(state))
    now = {path.name: path.stat().st_mtime_ns for path in (target / "objects").rglob("*") if path.is_file()}
    assert len(now) == 11
    assert {name: now[name] for name in copies} == copies
    listed = (await succeeds("restore", str(target), "--list")).splitlines()
    assert [line.split()[0] for line in listed] == sorted(path.name for path in (target / "backups").iterdir())
    assert listed[0].startswith(f"{first}  10 objects and the database, ")
    old, new = tmp_path / "old", tmp_path / "new"
    await succeeds("restore", str(target), "--backup", first, "--state-dir", str(old))
    await succeeds("restore", str(target), "--state-dir", str(new))
    key = "frames/by-hand/00000.jpg"
    assert (objects_of(old)[key], objects_of(new)[key]) == (b"frame " + b"0" * 100, b"changed")
    await succeeds("backup", str(target), "--state-dir", str(new), "--keep", "1")
    assert len(list((target / "backups").iterdir())) == 1
    assert len([path for path in (target / "objects").rglob("*") if path.is_file()]) == 10


@pytest.mark.req(390)
async def test_a_backup_and_a_restore_that_are_killed_half_way_are_finished_by_the_next_try(tmp_path: Path):
    state, copy, target = tmp_path / "state", tmp_path / "copy", tmp_path / "backups"
    async with up(state):
        put_objects(state, 400)
        copies = target / "objects"
        await killed_when(
            lambda: copies.is_dir() and sum(1 for _ in copies.rglob("?" * 64)) > 20,
            *("backup", str(target), "--state-dir", str(state)),
        )
        code, _, err = await ask("restore", str(target), "--verify")
        assert code != 0
        assert "no complete backup" in err
        assert "400 objects" in await succeeds("backup", str(target), "--state-dir", str(state), "--verify")
    restored = copy / "objects" / "frames" / "by-hand"
    await killed_when(
        lambda: restored.is_dir() and len(list(restored.iterdir())) > 20,
        *("restore", str(target), "--state-dir", str(copy)),
    )
    assert (copy / "restore-unfinished.json").exists()
    await succeeds("restore", str(target), "--state-dir", str(copy))
    assert objects_of(copy) == objects_of(state)
    assert not (copy / "restore-unfinished.json").exists()


@pytest.mark.req(388)
async def test_a_damaged_backup_is_named_and_nothing_is_mixed(tmp_path: Path):
    state, target = tmp_path / "state", tmp_path / "backups"
    async with up(state):
        put_objects(state, 3)
        await succeeds("backup", str(target), "--state-dir", str(state))
        code, _, err = await ask("restore", str(target), "--state-dir", str(state))
        assert code != 0
        assert "a platform is running" in err
    code, _, err = await ask("restore", str(target), "--state-dir", str(state))
    assert code != 0
    assert "the database is not empty" in err
    damaged = next(path for path in (target / "objects").rglob("*") if path.is_file())
    damaged.write_bytes(b"x" * damaged.stat().st_size)
    for arguments in (("--verify",), ("--state-dir", str(tmp_path / "new"))):
        code, _, err = await ask("restore", str(target), *arguments)
        assert code != 0
        assert "is damaged" in err
    code, _, err = await ask("restore", str(tmp_path / "nothing"))
    assert code != 0
    assert "is no directory" in err


@pytest.mark.req(385)
async def test_a_dump_is_written_by_the_command(tmp_path: Path):
    state, dump = tmp_path / "state", tmp_path / "database.dump"
    async with up(state):
        await succeeds("db", "--dump", str(dump), "--state-dir", str(state))
    assert dump.read_bytes().startswith(b"PGDMP")
