"""Uppy's words for the same uploads."""

import pytest

from sightline.videos.keys import video_of_original
from uploading import make_parts_small, md5, splits

PARTS = (b"0123456", b"789abcd", b"ef")  # cut as the client likes


@pytest.fixture
def small_parts(platform, monkeypatch):
    make_parts_small(monkeypatch, platform)


async def begin(client, name="talk.mp4"):
    answer = await client.post(
        "/s3/multipart", json={"filename": name, "type": "video/mp4", "metadata": {"name": name}}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["uploadId"], answer.json()["key"]


async def named(client, upload_id, key):
    return await client.get(f"/s3/multipart/{upload_id}", params={"key": key})


@pytest.mark.usefixtures("small_parts")
async def test_an_upload_in_uppys_words(client, platform):
    upload_id, key = await begin(client)
    for number, content in enumerate(PARTS, start=1):
        signed = await client.get(f"/s3/multipart/{upload_id}/{number}", params={"key": key})
        assert signed.status_code == 200
        assert f"partNumber={number}" in signed.json()["url"]
        assert signed.json()["expires"] == 3600
        await platform.objects.put_part(key, upload_id, number, content)
    listed = (await named(client, upload_id, key)).json()
    assert listed == [
        {"PartNumber": number, "ETag": f'"{md5(content)}"', "Size": len(content)}
        for number, content in enumerate(PARTS, start=1)
    ]
    body = {"parts": [{"PartNumber": one["PartNumber"], "ETag": one["ETag"]} for one in listed]}
    done = await client.post(f"/s3/multipart/{upload_id}/complete", params={"key": key}, json=body)
    assert done.status_code == 200
    assert done.json()["location"].endswith(f"/videos/{video_of_original(key)}")
    assert await platform.objects.get(key) == b"".join(PARTS)
    assert len(await splits(platform)) == 1
    progress = (await client.get(f"/videos/{video_of_original(key)}/progress")).json()
    assert (progress["totalParts"], progress["percentage"], progress["totalSize"]) == (3, 100, 16)


@pytest.mark.usefixtures("small_parts")
async def test_several_addresses_at_once(client):
    upload_id, key = await begin(client)
    answer = await client.get(f"/s3/multipart/{upload_id}/batch", params={"key": key, "partNumbers": "1,3"})
    assert set(answer.json()["presignedUrls"]) == {"1", "3"}


@pytest.mark.usefixtures("small_parts")
async def test_a_part_of_another_size_than_the_first_is_refused(client, platform):
    """What happens when the size of parts changes between two loads of a page."""
    upload_id, key = await begin(client)
    for number, content in ((1, b"0123456"), (2, b"789"), (3, b"abc")):
        await platform.objects.put_part(key, upload_id, number, content)
    body = {
        "parts": [
            {"PartNumber": one["PartNumber"], "ETag": one["ETag"]}
            for one in (await named(client, upload_id, key)).json()
        ]
    }
    done = await client.post(f"/s3/multipart/{upload_id}/complete", params={"key": key}, json=body)
    assert done.status_code == 409
    assert "does not have the size" in done.json()["error"]["message"]
    assert await platform.objects.head(key) is None


async def test_an_abandoned_upload_is_aborted(client, platform):
    upload_id, key = await begin(client)
    assert (await client.delete(f"/s3/multipart/{upload_id}", params={"key": key})).status_code == 200
    assert [one async for one in platform.objects.find_uploads("")] == []


async def test_what_is_no_video_is_refused(client):
    answer = await client.post("/s3/multipart", json={"filename": "a.exe"})
    assert answer.status_code == 422
    assert "filename" in answer.json()["error"]["message"]


async def test_one_put_for_all_is_refused_with_the_way_out(client):
    answer = await client.get("/s3/params", params={"filename": "a.mp4"})
    assert answer.status_code == 422
    assert "shouldUseMultipart" in answer.json()["error"]["message"]


async def test_an_unknown_upload_is_told_by_name(client):
    upload_id, key = await begin(client)
    for wrong_id, wrong_key in (("nothing", key), (upload_id, "videos/original/x/master.mp4")):
        answer = await named(client, wrong_id, wrong_key)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "UPLOAD_NOT_FOUND")
