"""Space and quotas from outside: HTTP, an S3 client, the command line, SQL and the files of a state directory."""

import asyncio
import json
import re
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from support.aws_calls import botocore_session
from support.platform_process import ask, database_url, up

GB = 10**9
QUOTAS: dict[str, Any] = {"SIGHTLINE_UPLOADS_QUOTA_VIDEOS": "4", "SIGHTLINE_UPLOADS_QUOTA_OPEN_UPLOADS": "2"}
RULES: dict[str, Any] = {"SIGHTLINE_RETENTION_VIDEOS_DAYS": "30", "SIGHTLINE_RETENTION_SWEEP_S": "0"}


def sparse_file(path: Path, size: int) -> Path:
    """As large as said, though it takes no space; its first bytes are those of an MP4 file."""
    with path.open("wb") as file:
        file.write(b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom")
        file.truncate(size)
    return path


def s3_client(url: str, state: Path) -> Any:
    key = json.loads((state / "objects-key.json").read_text())
    return botocore_session().create_client(
        "s3",
        region_name="us-east-1",
        endpoint_url=f"{url}/objects",
        aws_access_key_id=key["key_id"],
        aws_secret_access_key=key["secret"],
        config=Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1}),
    )


def error_of(answer: httpx.Response) -> dict[str, Any]:
    error: dict[str, Any] = answer.json()["error"]
    return error


@pytest.mark.req(402, 403, 406)
async def test_what_does_not_fit_is_refused_before_it_begins_and_rules_are_previewed(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with up(state, **QUOTAS, **RULES) as platform, httpx.AsyncClient(timeout=300) as client:
        await _check_space(client, platform.address, state, tmp_path)
        await _check_quotas(client, platform.address)
        await _check_dry_run(state)


async def _check_space(client: httpx.AsyncClient, url: str, state: Path, folder: Path) -> None:
    """On the disk as it really is."""
    free = shutil.disk_usage(state).free
    refused = await client.post(f"{url}/videos", json={"totalSize": free + 100 * GB, "filename": "large.mp4"})
    assert refused.status_code == 507
    assert re.fullmatch(r"Not enough space: needs [\d.]+ [GT]B, [\d.]+ [MGT]B free", error_of(refused)["message"])
    assert (await client.get(f"{url}/videos")).json()["videos"] == []
    # All that is left is announced, so that neither Uppy nor an S3 client may begin.
    announced = await client.post(f"{url}/videos", json={"totalSize": 1000, "filename": "other.mp4"})
    video_id = announced.json()["videoId"]
    connection = await asyncpg.connect(await database_url(state))
    await connection.execute(
        "UPDATE uploads SET total_size = 1::bigint << 60 WHERE video_id = $1::text::uuid", video_id
    )
    await connection.close()
    uppy = await client.post(f"{url}/s3/multipart", json={"filename": "a.mp4"})
    assert (uppy.status_code, uppy.json()["message"]) == (507, "Not enough space: 0 B free")
    s3 = s3_client(url, state)
    place = {"Bucket": "fiapx-videos", "Key": "a/b.bin"}
    for operation, message in (
        (partial(s3.put_object, **place, Body=b"12345"), "Not enough space: needs 5 B, 0 B free"),
        (partial(s3.create_multipart_upload, **place), "Not enough space: 0 B free"),
    ):
        with pytest.raises(ClientError) as raised:
            await asyncio.to_thread(operation)
        found = raised.value.response
        assert found["ResponseMetadata"]["HTTPStatusCode"] == 507
        assert (found["Error"]["Code"], found["Error"]["Message"]) == ("InsufficientStorage", message)
    code, out, _ = await ask("upload", str(sparse_file(folder / "film.mp4", 3 * GB)), "--state-dir", str(state))
    assert code == 1
    assert "film.mp4: not uploaded: Not enough space: needs 3 GB, 0 B free" in out
    assert (await client.delete(f"{url}/videos/{video_id}")).status_code == 204
    await asyncio.to_thread(s3.put_object, **place, Body=b"12345")


async def _check_quotas(client: httpx.AsyncClient, url: str) -> None:
    async def begin() -> httpx.Response:
        return await client.post(f"{url}/videos", json={"totalSize": 10, "filename": "small.mp4"})

    assert [(await begin()).status_code for _ in range(3)] == [201, 201, 403]
    error = error_of(await begin())
    assert error["code"] == "QUOTA_EXCEEDED"
    assert error["message"] == ("Quota exceeded: 2 of 2 unfinished uploads used. Finish or cancel one of them first.")
    mine = (await client.get(f"{url}/api/storage/mine")).json()
    assert (mine["videos"], mine["open_uploads"]) == ({"used": 2, "limit": 4}, {"used": 2, "limit": 2})


async def _check_dry_run(state: Path) -> None:
    connection = await asyncpg.connect(await database_url(state))
    old = await connection.fetchval(
        "INSERT INTO videos (owner_id, name, status, created_at)"
        " VALUES (gen_random_uuid(), 'old', 'COMPLETED', now() - interval '31 days') RETURNING id"
    )
    code, out, err = await ask("retention", "--dry-run", "--state-dir", str(state), **RULES)
    assert code == 0, err
    assert f"videos: {old}" in out
    assert await connection.fetchval("SELECT count(*) FROM videos WHERE id = $1", old) == 1
    code, out, err = await ask("retention", "--json", "--state-dir", str(state), **RULES)
    assert code == 0, err
    assert {one["rule"]: one["count"] for one in json.loads(out)["rules"]}["videos"] == 1
    assert await connection.fetchval("SELECT count(*) FROM videos WHERE id = $1", old) == 0
    await connection.close()
