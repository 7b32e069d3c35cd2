"""Mistakes and mishaps of operators who make and restore backups: each has one clear line, and nothing is damaged."""

import fcntl
import json
import shutil
from pathlib import Path

import pytest

from support.platform_process import prepare
from support.small_disk import make_read_only, small_disk
from support.state_contents import fails, objects_of, put_objects, succeeds


@pytest.fixture
async def state(tmp_path: Path) -> Path:
    path = tmp_path / "state"
    await prepare(path)
    put_objects(path, 5)
    return path


@pytest.mark.req(387)
async def test_a_backup_into_what_is_backed_up_is_refused(state: Path):
    before = objects_of(state)
    for target in (state, state / "backups", state / "objects" / "backups"):
        assert "which is backed up" in await fails("backup", str(target), "--state-dir", str(state))
    assert objects_of(state) == before
    assert not (state / "backups").exists()


@pytest.mark.req(389)
async def test_files_of_others_in_the_target_are_left_alone(state: Path, tmp_path: Path):
    target = tmp_path / "shared"
    foreign = [target / "objects" / "photo.jpg", target / "objects" / "ab" / "notes", target / "backups" / "mine" / "a"]
    for path in foreign:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"not ours")
    for _ in range(2):  # also within one second
        await succeeds("backup", str(target), "--keep", "1", "--state-dir", str(state))
    assert [path.read_bytes() for path in foreign] == [b"not ours"] * 3
    assert len(list((target / "backups").glob("*/manifest.json"))) == 1


@pytest.mark.req(389)
async def test_backups_of_the_same_second_are_two(state: Path, tmp_path: Path):
    target = tmp_path / "backups"
    await succeeds("backup", str(target), "--state-dir", str(state))
    (first,) = (target / "backups").iterdir()
    later = [first.with_name(f"{first.name[:-3]}{second:02d}Z") for second in range(60)]
    for path in later:  # as if every second of this minute had one
        if path != first:
            shutil.copytree(first, path)
    await succeeds("backup", str(target), "--keep", "100", "--state-dir", str(state))
    assert len(list((target / "backups").glob("*/manifest.json"))) == 61


@pytest.mark.req(390)
async def test_what_a_killed_backup_was_writing_is_removed_and_two_at_once_are_refused(state: Path, tmp_path: Path):
    target = tmp_path / "backups"
    (target / ".partial").mkdir(parents=True)
    (target / ".partial" / "left").write_bytes(b"half a dump")
    with (target / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "another backup" in await fails("backup", str(target), "--state-dir", str(state))
    await succeeds("backup", str(target), "--state-dir", str(state))
    assert not (target / ".partial" / "left").exists()


@pytest.mark.req(388)
async def test_a_disk_that_is_too_small_is_named_before_anything_is_copied(state: Path, tmp_path: Path):
    (state / "objects" / "large.bin").write_bytes(bytes(30 * 1024 * 1024))
    target = tmp_path / "backups"
    await succeeds("backup", str(target), "--state-dir", str(state))
    with small_disk(tmp_path / "small", 8):
        small = tmp_path / "small"
        assert "not enough space" in await fails("backup", str(small), "--state-dir", str(state))
        assert not (small / "objects").exists()
        said = await fails("restore", str(target), "--state-dir", str(small / "new"))
        assert "not enough space" in said
        assert not (small / "new").exists()
        (state / "objects" / "large.bin").unlink()
        (small / "other").write_bytes(bytes(8 * 1024 * 1024 - 60_000))
        assert "no space left" in (await fails("backup", str(small), "--state-dir", str(state))).lower()


@pytest.mark.req(388)
async def test_a_backup_of_a_newer_version_is_refused_before_anything_is_written(state: Path, tmp_path: Path):
    target, new = tmp_path / "backups", tmp_path / "new"
    await succeeds("backup", str(target), "--state-dir", str(state))
    (manifest,) = (target / "backups").glob("*/manifest.json")
    content = json.loads(manifest.read_text())
    assert content["migration"] > 20
    manifest.write_text(json.dumps(content | {"migration": 9999, "sightline_version": "99.1"}))
    said = await fails("restore", str(target), "--state-dir", str(new))
    assert "was made by Sightline 99.1" in said
    assert not new.exists()


@pytest.mark.req(387)
async def test_a_backup_on_a_disk_that_is_mounted_read_only_is_restored(state: Path, tmp_path: Path):
    target, new = tmp_path / "backups", tmp_path / "new"
    with small_disk(target, 64):
        await succeeds("backup", str(target), "--state-dir", str(state))
        make_read_only(target)
        assert "is whole" in await succeeds("restore", str(target), "--verify")
        await succeeds("restore", str(target), "--state-dir", str(new))
    assert objects_of(new) == objects_of(state)
    assert [path.name for path in new.iterdir() if path.name.startswith(".")] == []


@pytest.mark.req(388)
async def test_a_place_that_is_no_directory_is_named(state: Path, tmp_path: Path):
    target, file = tmp_path / "backups", tmp_path / "file"
    file.touch()
    await succeeds("backup", str(target), "--state-dir", str(state))
    for arguments in (
        ("backup", str(file), "--state-dir", str(state)),
        ("restore", str(target), "--state-dir", str(file)),
    ):
        said = await fails(*arguments)
        assert str(file) in said
