"""The five endpoints of document 004."""

from typing import Any
from uuid import uuid4

import pytest

from sightline.objects import MAX_OBJECT_BYTES
from support.uploading import CONTENT, md5, splits


@pytest.mark.req(245, 249, 297)
async def test_a_new_video_is_created_with_its_upload(client, platform):
    body = {"totalSize": 1024**3, "duration": 61_000, "filename": "lecture.mp4", "extension": "mp4"}
    answer = await client.post("/videos", json=body)
    assert answer.status_code == 201
    found = answer.json()
    assert (found["status"], found["totalParts"], found["partSize"]) == ("CREATED", 32, 32 * 1024**2)
    (upload,) = [one async for one in platform.objects.find_uploads("videos/original/")]
    assert upload.key == f"videos/original/{found['videoId']}/master.mp4"
    assert upload.upload_id == found["uploadId"]
    video = (await client.get(f"/videos/{found['videoId']}")).json()
    assert (video["name"], video["durationMs"], video["sizeBytes"]) == ("lecture.mp4", 61_000, 1024**3)
    assert [move["status"] for move in video["history"]] == ["CREATED"]


@pytest.mark.req(246)
async def test_these_files_are_taken(client):
    for extension in ("mp4", "mov", "avi", "mkv", "webm", "MP4", ".mov"):
        body = {"totalSize": 10, "duration": 5, "filename": "a", "extension": extension}
        assert (await client.post("/videos", json=body)).status_code == 201, extension


BAD: tuple[tuple[dict[str, Any], str], ...] = (
    ({"extension": "exe"}, "extension"),
    ({"extension": ""}, "extension"),
    ({"extension": None, "filename": "noending"}, "extension"),
    ({"filename": ""}, "filename"),
    ({"filename": "a\0b.mp4"}, "filename"),
    ({"filename": "x" * 300}, "filename"),
    ({"totalSize": 0}, "totalSize"),
    ({"totalSize": -5}, "totalSize"),
    ({"totalSize": "much"}, "totalSize"),
    ({"totalSize": None}, "totalSize"),
    ({"duration": -1}, "duration"),
    ({"teamId": "x"}, "teamId"),
)


@pytest.mark.req(246)
async def test_a_bad_request_is_refused_and_names_the_field(client, platform):
    for change, field in BAD:
        body = {"totalSize": 10, "duration": 5, "filename": "a.mp4", "extension": "mp4"} | change
        answer = await client.post("/videos", json=body)
        assert answer.status_code == 422, change
        error = answer.json()["error"]
        assert error["code"] == "VALIDATION_ERROR"
        assert field in error["message"]
        assert [one async for one in platform.objects.find_uploads("")] == []


@pytest.mark.req(247)
async def test_a_file_that_is_too_large_is_refused(client):
    body = {"totalSize": MAX_OBJECT_BYTES + 1, "filename": "a.mp4"}
    answer = await client.post("/videos", json=body)
    assert answer.status_code == 422
    assert "totalSize" in answer.json()["error"]["message"]


@pytest.mark.req(248)
async def test_a_video_of_one_gibibyte_has_32_parts_and_an_address_for_each(client, platform):
    created = (await client.post("/videos", json={"totalSize": 1024**3, "filename": "lecture.mp4"})).json()
    numbers, sizes = [], []
    next_number: int | None = 1
    while next_number is not None:
        page = (await client.get(f"/videos/{created['videoId']}/upload-urls", params={"fromPart": next_number})).json()
        numbers += [url["partNumber"] for url in page["urls"]]
        sizes += [url["size"] for url in page["urls"]]
        next_number = page["nextPartNumber"]
    assert numbers == list(range(1, 33))
    assert sum(sizes) == 1024**3
    progress = (await client.get(f"/videos/{created['videoId']}/progress")).json()
    assert (progress["uploadedParts"], progress["totalParts"]) == (0, 32)


@pytest.mark.req(250, 251)
async def test_addresses_come_twenty_at_a_time_until_there_are_no_more(start):
    upload = await start(bytes(450))
    assert upload.total_parts == 45
    first = (await upload.urls()).json()
    assert [url["partNumber"] for url in first["urls"]] == list(range(1, 21))
    assert (first["nextPartNumber"], first["etags"]) == (21, [])
    assert await upload.status() == "UPLOADING"
    second = (await upload.urls()).json()
    assert ([url["partNumber"] for url in second["urls"]], second["nextPartNumber"]) == (list(range(21, 41)), 41)
    last = (await upload.urls()).json()
    assert ([url["partNumber"] for url in last["urls"]], last["nextPartNumber"]) == (list(range(41, 46)), None)
    for _ in range(2):
        none = (await upload.urls()).json()
        assert (none["urls"], none["nextPartNumber"]) == ([], None)
    assert len({url["url"] for url in first["urls"] + second["urls"] + last["urls"]}) == 45
    assert {url["size"] for url in first["urls"]} == {10}


@pytest.mark.req(252)
async def test_addresses_of_what_has_not_arrived_are_issued_again(start):
    upload = await start(bytes(450))
    await upload.urls()
    await upload.send(1, 3)
    await upload.put(4)  # arrived, but the client died before it could say so
    again = (await upload.urls(partNumbers="1,2,3,4,5")).json()
    assert [url["partNumber"] for url in again["urls"]] == [2, 5]
    assert [etag["partNumber"] for etag in again["etags"]] == [1, 3, 4]
    rest = (await upload.urls(fromPart=1)).json()
    assert [url["partNumber"] for url in rest["urls"]] == [2, *range(5, 24)]
    assert rest["nextPartNumber"] == 24
    last = (await upload.urls(fromPart=44)).json()
    assert [url["partNumber"] for url in last["urls"]] == [44, 45]
    assert last["nextPartNumber"] is None
    assert [part["partNumber"] for part in (await upload.progress())["parts"]] == [1, 3, 4]


@pytest.mark.req(252)
async def test_addresses_of_parts_that_are_none_are_refused(start):
    upload = await start(bytes(450))
    queries: tuple[dict[str, Any], ...] = (
        {"partNumbers": "46"},
        {"partNumbers": "0"},
        {"partNumbers": "x"},
        {"fromPart": 46},
    )
    for query in queries:
        assert (await upload.urls(**query)).status_code == 422, query
        assert await upload.status() == "CREATED"


@pytest.mark.req(253)
async def test_addresses_expire_and_are_not_issued_once_it_is_uploaded(start):
    upload = await start()
    (first, *_) = (await upload.urls()).json()["urls"]
    assert "X-Amz-Expires=3600" in first["url"]
    await upload.send()
    assert (await upload.complete()).status_code == 200
    for query in ({}, {"fromPart": 1}, {"partNumbers": "1"}):
        answer = await upload.urls(**query)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "CONFLICT")


@pytest.mark.req(254)
async def test_a_reported_part_is_stored(start):
    upload = await start()
    await upload.urls()
    answer = await upload.report(1)
    assert answer.status_code == 200
    part = answer.json()
    assert (part["partNumber"], part["etag"]) == (1, md5(upload.part(1)))
    assert part["uploadedAt"].endswith("Z")
    assert await upload.status() == "UPLOADING"


@pytest.mark.req(255)
async def test_a_part_that_is_none_is_refused(start):
    upload = await start()
    for number in (0, -1, 4, 10_001, 2**40):
        answer = await upload.client.post(f"/videos/{upload.video_id}/parts/{number}", json={"etag": "x"})
        assert answer.status_code == 422, number
        assert (await upload.progress())["uploadedParts"] == 0


@pytest.mark.req(254)
async def test_a_report_without_an_etag_is_refused(start):
    upload = await start()
    bodies: tuple[dict[str, Any], ...] = ({}, {"etag": ""}, {"etag": '""'}, {"etag": 5}, {"etag": "a\nb"})
    for body in bodies:
        answer = await upload.client.post(f"/videos/{upload.video_id}/parts/1", json=body)
        assert answer.status_code == 422, body
        assert "etag" in answer.json()["error"]["message"]


@pytest.mark.req(256, 257)
async def test_a_part_reported_twice_counts_once_and_the_newer_etag_wins(start):
    upload = await start()
    await upload.report(1, '"AAAA"')
    await upload.report(1, "bbbb")
    found = await upload.progress()
    assert (found["uploadedParts"], [part["etag"] for part in found["parts"]]) == (1, ["bbbb"])


@pytest.mark.req(258, 259)
async def test_progress_tells_part_by_part(start):
    upload = await start(bytes(200))
    await upload.urls()
    for number in range(1, 10):
        await upload.report(number, f"etag-{number}")
    found = await upload.progress()
    assert set(found) >= {"videoId", "status", "totalParts", "uploadedParts", "percentage", "parts"}
    assert (found["videoId"], found["status"]) == (upload.video_id, "UPLOADING")
    assert (found["totalParts"], found["uploadedParts"], found["percentage"]) == (20, 9, 45)
    assert found["parts"][0] == {"partNumber": 1, "etag": "etag-1", "uploadedAt": found["parts"][0]["uploadedAt"]}
    assert [part["partNumber"] for part in found["parts"]] == list(range(1, 10))


@pytest.mark.req(260, 272)
async def test_completing_makes_one_file_of_the_parts(start, platform):
    upload = await start()
    await upload.urls()
    await upload.send()
    parts = [{"part": number, "etag": f'"{md5(upload.part(number))}"'} for number in (1, 2, 3)]
    answer = await upload.complete({"parts": parts})
    assert (answer.status_code, answer.json()["status"]) == (200, "UPLOADED")
    assert await upload.status() == "UPLOADED"
    assert await platform.objects.get(upload.key) == CONTENT
    (message,) = await splits(platform)
    assert upload.video_id in message.body


@pytest.mark.req(261)
async def test_without_a_body_all_parts_are_meant(start, platform):
    upload = await start()
    await upload.send()
    answer = await upload.client.post(f"/videos/{upload.video_id}/complete")
    assert answer.status_code == 200
    assert await platform.objects.get(upload.key) == CONTENT


@pytest.mark.req(261)
async def test_parts_may_be_numbered_by_any_of_these_names(start):
    for name in ("part", "partNumber", "PartNumber"):
        upload = await start()
        await upload.put(1, 2, 3)
        parts = [{name: number, "etag": md5(upload.part(number)).upper()} for number in (3, 1, 2)]
        assert (await upload.complete({"parts": parts})).status_code == 200, name


@pytest.mark.req(262)
async def test_completing_with_parts_missing_is_refused_and_tells_how_many(start, platform):
    upload = await start()
    await upload.urls()
    await upload.send(1, 3)
    for body in (None, {"parts": [{"part": n, "etag": md5(upload.part(n))} for n in (1, 3)]}):
        answer = await upload.complete(body)
        assert answer.status_code == 409
        error = answer.json()["error"]
        assert "2 of 3 parts" in error["message"]
        assert error["details"] == {"uploaded": 2, "total": 3, "missing": [2]}
    assert await upload.status() == "UPLOADING"
    assert await splits(platform) == []
    await upload.send(2)
    assert (await upload.complete()).status_code == 200


@pytest.mark.req(262)
async def test_a_part_that_was_reported_but_never_arrived_is_missing(start):
    upload = await start()
    await upload.send(1, 3)
    await upload.report(2)
    answer = await upload.complete()
    assert answer.status_code == 409
    assert answer.json()["error"]["details"]["missing"] == [2]


@pytest.mark.req(263)
async def test_completing_again_answers_the_same_and_starts_nothing_more(start, platform):
    upload = await start()
    await upload.send()
    first = await upload.complete()
    bodies: tuple[Any, ...] = (None, {"parts": []}, {"parts": [{"part": 1, "etag": "other"}]})
    for body in bodies:
        again = await upload.complete(body)
        assert (again.status_code, again.json()) == (200, first.json())
    assert len(await splits(platform)) == 1


@pytest.mark.req(276)
async def test_a_part_of_the_wrong_size_is_refused_and_has_to_be_sent_again(start):
    upload = await start()
    await upload.send(1, 3)
    await upload.put(2, content=b"short")
    await upload.report(2, md5(b"short"))
    answer = await upload.complete()
    assert answer.status_code == 409
    assert answer.json()["error"]["details"] == {"parts": [2], "reason": "size", "partSize": 10}
    assert [part["partNumber"] for part in (await upload.progress())["parts"]] == [1, 3]
    await upload.send(2)
    assert (await upload.complete()).status_code == 200


async def test_other_bytes_than_reported_are_refused(start, platform):
    upload = await start()
    await upload.send()
    await upload.put(2, content=b"0123456789")  # another file of the same size, on another device
    answer = await upload.complete()
    assert answer.status_code == 409
    assert answer.json()["error"]["details"] == {"parts": [2], "reason": "etag"}
    assert await platform.objects.head(upload.key) is None


async def test_completing_with_parts_that_are_none_is_refused(start):
    upload = await start()
    await upload.send()
    for number in (4, 0):
        assert (await upload.complete({"parts": [{"part": number, "etag": "x"}]})).status_code == 422, number
        assert await upload.status() == "UPLOADING"


async def test_completing_with_a_part_named_twice_is_refused(start):
    upload = await start()
    await upload.send()
    answer = await upload.complete({"parts": [{"part": 1, "etag": "x"}, {"partNumber": 1, "etag": "x"}]})
    assert answer.status_code == 422
    assert "part 1 is named twice" in answer.json()["error"]["message"]


async def test_an_unknown_video_is_reported_by_name(client):
    missing = uuid4()
    for method, path in (
        ("GET", "/upload-urls"),
        ("POST", "/parts/1"),
        ("GET", "/progress"),
        ("POST", "/complete"),
        ("DELETE", "/upload"),
        ("DELETE", ""),
    ):
        body = {"json": {"etag": "x"}} if path.startswith("/parts") else {}
        answer = await client.request(method, f"/videos/{missing}{path}", **body)
        assert answer.status_code == 404, (method, path)
        assert answer.json()["error"]["code"] == "VIDEO_NOT_FOUND"
        assert str(missing) in answer.json()["error"]["message"]
