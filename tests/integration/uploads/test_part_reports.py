"""Reports of parts that arrive together share a statement; each has the outcome it would have alone."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import pytest

from sightline.uploads import get_upload, list_parts

MIB = 1024**2


async def _created(client, parts: int = 40) -> dict[str, Any]:
    body = {"totalSize": parts * 8 * MIB, "filename": "a.mp4", "partSize": 8 * MIB}
    answer = await client.post("/videos", json=body)
    assert answer.status_code == 201
    found: dict[str, Any] = answer.json()
    return found


async def _report(client, video_id: str, number: int, etag: str) -> Any:
    return await client.post(f"/videos/{video_id}/parts/{number}", json={"etag": etag})


@pytest.mark.req(1073)
async def test_reports_of_several_uploads_at_once_are_stored_and_begin_each_upload(client, platform):
    first, second = await _created(client), await _created(client)
    ids = [first["videoId"], second["videoId"]]
    answers = await asyncio.gather(
        *(_report(client, video_id, number, f"{number:032x}") for number in range(1, 21) for video_id in ids)
    )
    assert {answer.status_code for answer in answers} == {200}
    for video_id in ids:
        async with platform.database.transaction() as tx:
            parts = await list_parts(tx, UUID(video_id))
        assert [(part.number, part.etag) for part in parts] == [(n, f"{n:032x}") for n in range(1, 21)]
        video = (await client.get(f"/videos/{video_id}")).json()
        assert [move["status"] for move in video["history"]] == ["CREATED", "UPLOADING"]


@pytest.mark.req(1073)
async def test_a_refused_report_does_not_take_others_with_it(client, platform):
    video_id = (await _created(client, parts=5))["videoId"]
    closed = (await _created(client))["videoId"]
    assert (await client.delete(f"/videos/{closed}/upload")).status_code == 204
    good, beyond, late, unknown = await asyncio.gather(
        _report(client, video_id, 5, "aa"),
        _report(client, video_id, 6, "aa"),
        _report(client, closed, 1, "aa"),
        _report(client, str(uuid4()), 1, "aa"),
    )
    assert [answer.status_code for answer in (good, beyond, late, unknown)] == [200, 422, 409, 404]
    async with platform.database.transaction() as tx:
        assert [part.number for part in await list_parts(tx, UUID(video_id))] == [5]
        assert await list_parts(tx, UUID(closed)) == []
        assert await get_upload(tx, UUID(video_id)) is not None


@pytest.mark.req(1073)
async def test_of_one_part_reported_many_times_at_once_each_caller_is_answered_and_one_remains(client, platform):
    video_id = (await _created(client))["videoId"]
    answers = await asyncio.gather(*(_report(client, video_id, 1, f"{number:032x}") for number in range(12)))
    assert [answer.json()["etag"].strip('"') for answer in answers] == [f"{number:032x}" for number in range(12)]
    async with platform.database.transaction() as tx:
        (part,) = await list_parts(tx, UUID(video_id))
    assert part.etag in {f"{number:032x}" for number in range(12)}
