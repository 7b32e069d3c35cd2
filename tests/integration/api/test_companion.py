"""Uppy's words for the same uploads."""

import pytest

from sightline.objects import video_id_of_original
from support.uploading import make_parts_small, md5, splits

PARTS = (b"0123456", b"789abcd", b"ef")  # cut as the client likes


@pytest.fixture
def small_parts(platform, monkeypatch):
    make_parts_small(monkeypatch, platform)


async def begin(client, name="talk.mp4", **metadata):
    body = {"filename": name, "type": "video/mp4", "metadata": {"name": name} | metadata}
    answer = await client.post("/s3/multipart", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["uploadId"], answer.json()["key"]


async def named(client, upload_id, key):
    return await client.get(f"/s3/multipart/{upload_id}", params={"key": key})


async def put(platform, upload_id, key, *contents):
    for number, content in enumerate(contents, start=1):
        await platform.objects.put_part(key, upload_id, number, content)


async def complete(client, upload_id, key, *contents):
    parts = [{"PartNumber": number, "ETag": f'"{md5(content)}"'} for number, content in enumerate(contents, start=1)]
    return await client.post(f"/s3/multipart/{upload_id}/complete", params={"key": key}, json={"parts": parts})


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
    assert done.json()["location"].endswith(f"/videos/{video_id_of_original(key)}")
    assert await platform.objects.get(key) == b"".join(PARTS)
    assert len(await splits(platform)) == 1
    progress = (await client.get(f"/videos/{video_id_of_original(key)}/progress")).json()
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
    contents = (b"0123456", b"789", b"abc")
    await put(platform, upload_id, key, *contents)
    done = await complete(client, upload_id, key, *contents)
    assert done.status_code == 409
    assert "does not have the size" in done.json()["error"]["message"]
    assert await platform.objects.head(key) is None


@pytest.mark.usefixtures("small_parts")
async def test_parts_that_nobody_names_were_cut_in_another_way(client, platform):
    """A page sent parts of 5, was loaded anew with parts of 7, and takes the first two for its own."""
    upload_id, key = await begin(client)
    await put(platform, upload_id, key, b"01234", b"56789", b"abcd")
    done = await complete(client, upload_id, key, b"01234", b"56789")
    assert (done.status_code, done.json()["error"]["details"]["parts"]) == (409, [3])
    assert await platform.objects.head(key) is None


@pytest.mark.parametrize("said", [int, str], ids=["as Uppy 6 says it", "as Uppy 5 says it"])
@pytest.mark.usefixtures("small_parts")
async def test_parts_that_fit_each_other_but_not_the_file_are_refused(client, platform, said):
    """Parts of 5 were sent, then the third one of 6: 5, 5 and 4 could be a file of 14, but it has 16."""
    upload_id, key = await begin(client, size=said(16), partSize=said(5))
    await put(platform, upload_id, key, b"01234", b"56789", b"cdef")
    done = await complete(client, upload_id, key, b"01234", b"56789", b"cdef")
    assert done.status_code == 409
    assert done.json()["error"]["message"] == "3 of 4 parts are uploaded; part 4 is missing"
    assert await platform.objects.head(key) is None
    whole = (b"01234", b"56789", b"abcde", b"f")
    await put(platform, upload_id, key, *whole)
    assert (await complete(client, upload_id, key, *whole)).status_code == 200
    assert await platform.objects.get(key) == b"0123456789abcdef"


async def test_who_tells_the_sizes_has_a_progress(client, platform):
    upload_id, key = await begin(client, size=11, partSize=5)
    await put(platform, upload_id, key, b"01234")
    await named(client, upload_id, key)
    progress = (await client.get(f"/videos/{video_id_of_original(key)}/progress")).json()
    assert (progress["totalParts"], progress["uploadedParts"], progress["percentage"]) == (3, 1, 33)


@pytest.mark.usefixtures("small_parts")
async def test_a_size_that_is_none_is_as_if_unsaid(client, platform):
    """Pages may mean something else by the word."""
    for size in ("large", -5, 0, 1.5, None, True, "٣", "9" * 5000):
        upload_id, key = await begin(client, size=size, partSize=5)
        await put(platform, upload_id, key, b"0123456")
        assert (await complete(client, upload_id, key, b"0123456")).status_code == 200, size


async def test_more_parts_a_larger_file_and_a_larger_part_than_the_store_can_hold_are_refused(client):
    for size, part_size in ((10_001, 1), (6 * 2**40, 5 * 2**30), (6 * 2**30, 6 * 2**30)):
        body = {"filename": "a.mp4", "metadata": {"size": size, "partSize": part_size}}
        answer = await client.post("/s3/multipart", json=body)
        assert answer.status_code == 422
        assert answer.json()["message"].startswith("metadata: ")


@pytest.mark.usefixtures("small_parts")
async def test_a_client_that_missed_the_answer_finds_its_parts_and_completes_again(client, platform):
    upload_id, key = await begin(client)
    await put(platform, upload_id, key, *PARTS)
    first = await complete(client, upload_id, key, *PARTS)
    listed = (await named(client, upload_id, key)).json()
    assert [(one["ETag"], one["Size"]) for one in listed] == [(f'"{md5(part)}"', len(part)) for part in PARTS]
    again = await complete(client, upload_id, key, *PARTS)
    assert (again.status_code, again.json()) == (200, first.json())
    assert len(await splits(platform)) == 1


async def test_a_missing_part_is_told_where_uppy_looks_for_it(client):
    upload_id, key = await begin(client)
    done = await complete(client, upload_id, key, b"0123456")
    assert done.status_code == 409
    assert done.json()["message"] == done.json()["error"]["message"] == "0 of 1 parts are uploaded; part 1 is missing"


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
