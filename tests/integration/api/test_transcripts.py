"""Text and speech of a video as files: every format, streamed, for those who may see the video."""

import csv
import io
import json
from uuid import uuid4

import pytest

from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.text import Box, SpeechSegment, replace_speech
from sightline.text.exports import pages_of_segments
from support.asking import is_error
from support.screen_text import insert_video, one_after_another, read_and_index, reading


@pytest.fixture
async def video_id(platform):
    made = await insert_video(platform.database, owner=LOCAL_OWNER_ID, name='Q3 "results" – Ünïcode.mp4')
    await read_and_index(
        platform.database, platform.videos, made, one_after_another("Agenda", "=1+1", "<b>off</b> --> now")
    )
    said = SpeechSegment("Good morning", 500, 1500, 0.9, "eng", ({"text": "Good", "t_start": 500, "t_end": 800},))
    async with platform.database.transaction() as tx:
        await replace_speech(tx, made, [said], from_ms=0, until_ms=60_000)
    return made


@pytest.mark.req(757, 758)
async def test_each_format_holds_text_and_speech_in_the_order_of_time(client, video_id):
    async def text(file_format, **params):
        answer = await client.get(f"/videos/{video_id}/transcript.{file_format}", params=params)
        assert answer.status_code == 200, answer.text
        return answer.text

    assert (await text("srt")).startswith("1\n00:00:00,000 --> 00:00:01,000\n[Agenda]\n\n2\n00:00:00,500")
    assert (await text("vtt", kind="speech")) == "WEBVTT\n\n1\n00:00:00.500 --> 00:00:01.500\nGood morning\n"
    assert (await text("txt")) == "[Agenda]\nGood morning\n[=1+1]\n[<b>off</b> --> now]\n"
    assert (await text("txt", kind="text", timestamps=True, until_ms=900)) == "[00:00:00.000] Agenda\n"
    rows = list(csv.DictReader(io.StringIO(await text("csv"))))
    assert [(row["kind"], row["text"]) for row in rows] == [
        ("text", "Agenda"),
        ("speech", "Good morning"),
        ("text", "'=1+1"),
        ("text", "<b>off</b> --> now"),
    ]
    assert len(json.loads(await text("json"))["segments"]) == 4


@pytest.mark.req(758)
async def test_the_file_has_the_name_of_the_video_and_the_type_of_its_format(client, video_id):
    answer = await client.get(f"/videos/{video_id}/transcript.csv", params={"bom": True, "kind": "text"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="Q3  results  _ _n_code.text.csv"; filename*=UTF-8')
    assert answer.headers["cache-control"] == "private, no-store"


async def test_what_cannot_be_exported_is_refused(client, platform, video_id):
    is_error(await client.get(f"/videos/{video_id}/transcript.docx"), 422, "VALIDATION_ERROR")
    is_error(await client.get(f"/videos/{video_id}/transcript.srt", params={"kind": "smell"}), 422, "VALIDATION_ERROR")
    is_error(await client.get(f"/videos/{uuid4()}/transcript.srt"), 404, "VIDEO_NOT_FOUND")
    unfinished = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    is_error(await client.get(f"/videos/{unfinished}/transcript.srt"), 409, "CONFLICT")
    foreign = await insert_video(platform.database, owner=uuid4(), status="COMPLETED")
    is_error(await client.get(f"/videos/{foreign}/transcript.srt"), 404, "VIDEO_NOT_FOUND")


@pytest.mark.req(759)
async def test_a_long_video_is_read_in_pages_that_split_no_moment(platform):
    video_id = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    texts = [
        reading(f"row {at} {row}", at * 1000, at * 1000 + 900, box=Box(10, 400 - row * 40, 200, 30))
        for at in range(20)
        for row in range(3)
    ]
    await read_and_index(platform.database, platform.videos, video_id, texts)
    whole = [one async for page in pages_of_segments(platform.database.transaction, video_id) for one in page]
    assert [one.text for one in whole] == [f"row {at} {row}" for at in range(20) for row in (2, 1, 0)]
    for page_size in (1, 2, 7, 60):
        pages = [page async for page in pages_of_segments(platform.database.transaction, video_id, page_size=page_size)]
        assert [one.id for page in pages for one in page] == [one.id for one in whole]
        assert max(map(len, pages)) <= page_size + 2
