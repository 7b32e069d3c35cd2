"""Uploads that would not fit on the disk or exceed a quota of their owner are refused before they begin."""

import asyncio

import pytest

from sightline.api import create_app
from sightline.contracts import LOCAL_OWNER_ID
from sightline.objects import ObjectsSettings
from sightline.uploads import UploadsSettings
from support.uploading import PART, Uploading, make_parts_small

MB = 10**6


def give_space(platform, free):
    """The disk has so many bytes free, minus what is stored while the test runs."""
    disk = platform.open_objects.disk
    disk._free_space = disk.receiver._free_space = lambda _: free


async def ask(client, size):
    return await client.post("/videos", json={"totalSize": size, "filename": "talk.mp4"})


async def rows(platform, table):
    async with platform.database.transaction() as tx:
        return await tx.fetchval(f"SELECT count(*) FROM {table}")


@pytest.mark.req(403)
async def test_a_file_that_does_not_fit_is_refused_with_507_and_leaves_nothing(client, platform):
    give_space(platform, 650 * MB)
    answer = await ask(client, 10_000 * MB)
    assert answer.status_code == 507
    error = answer.json()["error"]
    assert (error["code"], error["message"]) == (
        "INSUFFICIENT_STORAGE",
        "Not enough space: needs 10 GB, 650 MB free",
    )
    assert (error["details"]["neededBytes"], error["details"]["freeBytes"]) == (10_000 * MB, 650 * MB)
    assert await rows(platform, "videos") == await rows(platform, "uploads") == 0
    assert [one async for one in platform.objects.find_uploads("")] == []
    assert (await ask(client, 650 * MB)).status_code == 201


@pytest.mark.req(403)
async def test_the_reserve_stays_free(platform_with, client_for):
    platform = await platform_with(objects=ObjectsSettings(minimum_free_bytes=256 * MB))
    give_space(platform, 300 * MB)
    client = client_for(create_app(platform))
    assert "44 MB free" in (await ask(client, 45 * MB)).json()["error"]["message"]
    assert (await ask(client, 44 * MB)).status_code == 201


@pytest.mark.req(403)
async def test_what_unfinished_uploads_have_yet_to_send_is_not_given_away(start, platform, client):
    give_space(platform, 40)
    first = await start()  # 25 bytes
    assert (await ask(client, 16)).json()["error"]["details"]["freeBytes"] == 15
    await first.put(1)
    assert (await first.report(1)).status_code == 200  # only the client has named its size
    give_space(platform, 40 - PART)
    assert (await ask(client, 16)).json()["error"]["details"]["freeBytes"] == 15
    await first.send(1, 2, 3)
    assert (await first.complete()).status_code == 200
    give_space(platform, 15)
    assert (await ask(client, 15)).status_code == 201
    await client.delete(f"/videos/{first.video_id}")


@pytest.mark.req(403)
async def test_uploads_that_begin_at_the_same_moment_are_not_given_the_same_space(client, platform):
    give_space(platform, 35 * MB)
    answers = await asyncio.gather(*(ask(client, 10 * MB) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [507] * 5
    assert await rows(platform, "videos") == 3
    assert len([one async for one in platform.objects.find_uploads("")]) == 3


@pytest.mark.req(403)
async def test_uppy_is_refused_too_with_its_message_where_it_looks_for_it(client, platform):
    give_space(platform, 5 * MB)
    body = {"filename": "a.mp4", "metadata": {"size": 20 * MB, "partSize": 8 * MB}}
    answer = await client.post("/s3/multipart", json=body)
    assert (answer.status_code, answer.json()["message"]) == (507, "Not enough space: needs 20 MB, 5 MB free")
    assert (await client.post("/s3/multipart", json={"filename": "a.mp4"})).status_code == 200
    give_space(platform, 0)
    answer = await client.post("/s3/multipart", json={"filename": "a.mp4"})
    assert (answer.status_code, answer.json()["message"]) == (507, "Not enough space: 0 B free")


@pytest.mark.req(402)
async def test_each_quota_refuses_an_upload_of_its_owner_before_it_begins(
    platform_with, client_for, auth_on, signed_in
):
    quotas = UploadsSettings(quota_bytes=50, quota_videos=3, quota_open_uploads=2)
    platform = await platform_with(auth=auth_on, uploads=quotas)
    client = client_for(create_app(platform))
    mine, theirs = signed_in("ana"), signed_in("ben")

    async def post(size, headers):
        body = {"totalSize": size, "filename": "talk.mp4"}
        return await client.post("/videos", json=body, headers=headers)

    refused = await post(51, mine)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "QUOTA_EXCEEDED")
    assert refused.json()["error"]["message"] == (
        "Quota exceeded: 0 B of 50 B storage used, this file needs 51 B. Delete videos to make room."
    )
    first, second = (await post(10, mine)).json(), (await post(10, mine)).json()
    third = (await post(10, mine)).json()["error"]
    assert third["details"] == {"quota": "quota_open_uploads", "limit": 2, "used": 2, "needed": 1}
    assert (await post(10, theirs)).status_code == 201
    for one in (first, second):  # an aborted upload counts no more
        assert (await client.delete(f"/videos/{one['videoId']}/upload", headers=mine)).status_code == 204
    assert (await post(50, mine)).status_code == 201


@pytest.mark.req(402)
async def test_finished_videos_count_until_they_are_deleted(platform_with, client_for, monkeypatch):
    platform = await platform_with(uploads=UploadsSettings(quota_bytes=30, quota_videos=1))
    client = client_for(create_app(platform))
    make_parts_small(monkeypatch, platform)
    upload = await Uploading.start(client, platform, b"0123456789" * 2)
    await upload.send()
    assert (await upload.complete()).status_code == 200
    assert (await ask(client, 11)).json()["error"]["details"]["used"] == 20
    assert (await ask(client, 5)).json()["error"]["message"] == (
        "Quota exceeded: 1 of 1 videos used. Delete a video first."
    )
    assert (await client.post("/api/sample-video")).status_code == 403
    assert (await client.delete(f"/videos/{upload.video_id}")).status_code == 204
    assert (await ask(client, 11)).status_code == 201
    assert await rows(platform, f"videos WHERE owner_id = '{LOCAL_OWNER_ID}'") == 1
