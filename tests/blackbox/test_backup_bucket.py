"""Backups in a bucket, on servers that speak S3: OpenStack Swift, which checks signatures, and MiniStack."""

import itertools
import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support.buckets import ENDPOINT, Bucket, new_bucket
from support.gate import Action, Gate
from support.platform_process import prepare, sightline
from support.state_contents import fails, objects_of, put_objects, succeeds
from support.waiting import soon


@pytest.mark.req(396)
@pytest.mark.parametrize("server", ["swift", "ministack"])
async def test_a_backup_in_a_bucket_is_incremental_verified_and_restored(server: str, tmp_path: Path):
    state, copy = tmp_path / "state", tmp_path / "copy"
    await prepare(state)
    put_objects(state, 9)
    large = state / "objects" / "videos" / "large.mp4"
    large.parent.mkdir()
    large.write_bytes(bytes(20 * 1024 * 1024))  # goes up in parts
    async with new_bucket(server) as bucket:
        target = f"s3://{bucket.name}/nightly/home"
        where = ("--state-dir", str(state))
        assert "no complete backup" in await fails("restore", target, "--verify", **bucket.environment)
        printed = await succeeds("backup", target, *where, "--verify", **bucket.environment)
        assert "10 objects and the database" in printed
        assert "(verified)" in printed
        copies = await bucket.keys("nightly/home/objects/")
        assert len(copies) == 10
        written = await bucket.written_at(copies)
        (state / "objects" / "frames" / "by-hand" / "00003.jpg").write_bytes(b"changed")
        printed = await succeeds("backup", target, *where, **bucket.environment)
        now = await bucket.keys("nightly/home/objects/")
        assert len(now) == 11
        assert await bucket.written_at(copies) == written
        manifests = [key for key in await bucket.keys("nightly/home/backups/") if key.endswith("manifest.json")]
        assert len(manifests) == 2
        assert "is whole" in await succeeds("restore", target, "--verify", **bucket.environment)
        await succeeds("restore", target, "--state-dir", str(copy), **bucket.environment)
        assert objects_of(copy) == objects_of(state)
        await succeeds("backup", target, *where, "--keep", "1", **bucket.environment)
        assert len(await bucket.keys("nightly/home/objects/")) == 10
        await _damage_one(bucket)


async def _damage_one(bucket: Bucket) -> None:
    target = f"s3://{bucket.name}/nightly/home"
    damaged = (await bucket.keys("nightly/home/objects/"))[4]
    content = await bucket.store.get(damaged)
    await bucket.store.put(damaged, b"x" * len(content))
    said = await fails("restore", target, "--verify", **bucket.environment)
    assert "is damaged" in said
    assert damaged.removeprefix("nightly/home/") in said
    await bucket.store.delete([damaged])
    said = await fails("restore", target, "--verify", **bucket.environment)
    assert "is missing" in said
    assert damaged.removeprefix("nightly/home/") in said


@pytest.mark.req(396)
async def test_a_backup_into_a_bucket_and_its_restore_are_finished_after_a_kill(tmp_path: Path):
    state, copy = tmp_path / "state", tmp_path / "copy"
    await prepare(state)
    put_objects(state, 40)
    async with new_bucket("swift") as bucket:
        target = f"s3://{bucket.name}"
        await _killed_at_object(9, "PUT", bucket, "backup", target, "--state-dir", str(state))
        assert 0 < len(await bucket.keys("objects/")) < 40
        assert "no complete backup" in await fails("restore", target, "--verify", **bucket.environment)
        printed = await succeeds("backup", target, "--state-dir", str(state), "--verify", **bucket.environment)
        assert "40 objects" in printed
        await _killed_at_object(9, "GET", bucket, "restore", target, "--state-dir", str(copy))
        assert 0 < len(list((copy / "objects" / "frames" / "by-hand").iterdir())) < 40
        assert json.loads((copy / "restore-unfinished.json").read_text())
        await succeeds("restore", target, "--state-dir", str(copy), **bucket.environment)
        assert objects_of(copy) == objects_of(state)


async def _killed_at_object(count: int, method: str, bucket: Bucket, *command: str) -> None:
    """Lets so many requests for objects pass and holds the next ones up, so that the command cannot end before it is killed."""
    gate = Gate(urlsplit(bucket.environment[ENDPOINT]).port or 0)
    passed = itertools.count(1)

    def decide(head: str, _: bytes) -> Action:
        is_of_object = head.startswith(f"{method} /{bucket.name}/objects/")
        return "hang" if is_of_object and next(passed) > count else "pass"

    gate.decide = decide
    await gate.open()
    try:
        process = await sightline(*command, **bucket.environment | {ENDPOINT: gate.endpoint})
        await soon(gate.hanging.wait(), within_s=120)
        process.kill()
        await soon(process.wait())
        process.close()
    finally:
        await gate.close()


@pytest.mark.req(396)
async def test_a_bucket_that_cannot_be_used_is_named_in_one_line(tmp_path: Path):
    state = tmp_path / "state"
    await prepare(state)
    where = ("--state-dir", str(state))
    async with new_bucket("swift") as bucket:
        said = await fails("backup", "s3://nobody-made-this", *where, **bucket.environment)
        assert "nobody-made-this" in said
        wrong = bucket.environment | {"SIGHTLINE_OBJECTS_S3_SECRET_ACCESS_KEY": "wrong"}
        said = await fails("backup", f"s3://{bucket.name}", *where, **wrong)
        assert f"cannot use s3://{bucket.name}" in said
        assert "SIGHTLINE_OBJECTS_S3_" in said
        as_store = bucket.environment | {"SIGHTLINE_OBJECTS_BACKEND": "s3", "SIGHTLINE_OBJECTS_BUCKET": bucket.name}
        said = await fails("backup", f"s3://{bucket.name}/backups", *where, **as_store)
        assert "another bucket" in said
        assert await bucket.keys() == []
        assert "names no bucket" in await fails("backup", "s3:///backups", *where, **bucket.environment)
        nowhere = bucket.environment | {"SIGHTLINE_OBJECTS_S3_ENDPOINT": "http://127.0.0.1:9"}
        assert "127.0.0.1:9" in await fails("backup", f"s3://{bucket.name}", *where, **nowhere)
