"""Moments of a video as one ZIP file."""

import io
import json
import zipfile
from uuid import uuid4

import pytest

from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.objects import frame_key
from support.asking import is_error
from support.screen_text import insert_video, one_after_another, read_and_index


@pytest.fixture
async def video_id(platform):
    made = await insert_video(platform.database, owner=LOCAL_OWNER_ID, name="lecture.mp4")
    texts = one_after_another("Agenda", "Invoice total", "Questions", "Second invoice")
    await read_and_index(platform.database, platform.videos, made, texts)
    for at_ms in (0, 1000, 2000, 3000):
        await platform.objects.put(frame_key(made, at_ms), f"picture at {at_ms}".encode())
    return made


async def archive(client, video_id, **params) -> zipfile.ZipFile:
    answer = await client.get(f"/videos/{video_id}/moments.zip", params=params)
    assert answer.status_code == 200, answer.text
    assert 'filename="lecture moments.zip"' in answer.headers["content-disposition"]
    return zipfile.ZipFile(io.BytesIO(answer.content))


@pytest.mark.req(771)
async def test_chosen_moments_have_a_picture_their_text_and_a_line_in_the_manifest(client, video_id):
    found = await archive(client, video_id, moment=["1200-1800", "2500-3600"])
    assert found.namelist() == [
        *("001_00-00-01.200.jpg", "001_00-00-01.200.txt", "002_00-00-02.500.jpg", "002_00-00-02.500.txt"),
        "manifest.json",
    ]
    assert found.read("001_00-00-01.200.jpg") == b"picture at 1000"
    assert found.read("002_00-00-02.500.jpg") == b"picture at 3000"
    assert found.read("002_00-00-02.500.txt") == b"Questions\nSecond invoice\n"
    manifest = json.loads(found.read("manifest.json"))
    assert (manifest["video_id"], manifest["name"]) == (str(video_id), "lecture.mp4")
    assert [(one["start_ms"], one["end_ms"], one["picture"]) for one in manifest["moments"]] == [
        (1200, 1800, "001_00-00-01.200.jpg"),
        (2500, 3600, "002_00-00-02.500.jpg"),
    ]


@pytest.mark.req(771)
async def test_all_that_a_search_finds_comes_in_the_order_of_time(client, video_id):
    manifest = json.loads((await archive(client, video_id, q="invoice")).read("manifest.json"))
    assert manifest["query"] == "invoice"
    assert [one["start_ms"] for one in manifest["moments"]] == [1000, 3000]
    is_error(await client.get(f"/videos/{video_id}/moments.zip", params={"q": "zebra"}), 404, "NO_MOMENTS")


@pytest.mark.req(771)
async def test_a_picture_that_is_gone_is_left_out(client, platform, video_id):
    await platform.objects.delete([frame_key(video_id, at_ms) for at_ms in (0, 1000, 2000, 3000)])
    found = await archive(client, video_id, moment=["0-900"])
    assert found.namelist() == ["001_00-00-00.000.txt", "manifest.json"]
    assert json.loads(found.read("manifest.json"))["moments"][0]["picture"] is None


async def test_what_names_no_moment_or_anothers_video_is_refused(client, platform, video_id):
    for params in (
        {},
        {"moment": ["5"]},
        {"moment": ["9-3"]},
        {"moment": ["1-2"], "q": "x"},
        {"moment": ["1-2"] * 201},
    ):
        answer = await client.get(f"/videos/{video_id}/moments.zip", params=params)
        is_error(answer, 422, "VALIDATION_ERROR")
    foreign = await insert_video(platform.database, owner=uuid4(), status="COMPLETED")
    is_error(await client.get(f"/videos/{foreign}/moments.zip", params={"q": "x"}), 404, "VIDEO_NOT_FOUND")
