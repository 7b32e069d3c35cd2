"""The text of one video: segments, entities, captions."""

from uuid import uuid4

import pytest

from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.text import Box, replace_readings
from support.asking import is_error
from support.screen_text import OWNER, insert_video, one_after_another, read_and_index, reading


@pytest.fixture
async def video_id(platform):
    made = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    texts = one_after_another("Ask @Ada", "50 % <b>off</b> --> now & then", "#AI @ada 12 kg")
    await read_and_index(platform.database, platform.videos, made, texts)
    return made


async def test_segments_come_in_the_order_of_time(client, video_id):
    body = (await client.get(f"/videos/{video_id}/segments")).json()
    assert body["total"] == 3
    assert [one["t_start"] for one in body["segments"]] == [0, 1000, 2000]
    assert (body["segments"][0]["text"], body["segments"][0]["t_end"]) == ("Ask @Ada", 1000)
    assert body["segments"][0]["bounding_box"] == {"x": 10, "y": 20, "width": 200, "height": 30}


@pytest.mark.req(725, 735)
async def test_segments_name_their_block_and_whether_they_are_unsure(client, platform):
    video_id = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    lines = [
        reading("Who", 0, 4000, box=Box(100, 140, 90, 30), confidence=0.65),
        reading("Doctor", 200, 4000, box=Box(100, 100, 90, 30)),
    ]
    await read_and_index(platform.database, platform.videos, video_id, lines)
    found = (await client.get(f"/videos/{video_id}/segments")).json()["segments"]
    assert [(one["text"], one["unsure"], one["block"]) for one in found] == [
        ("Doctor", False, {"number": 0, "kind": "paragraph", "line": 0}),
        ("Who", True, {"number": 0, "kind": "paragraph", "line": 1}),
    ]


@pytest.mark.req(725)
async def test_captions_that_begin_together_are_in_reading_order(client, platform):
    video_id = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    columns = [(900, "right"), (100, "left")]
    lines = [
        reading(f"{name} column line {at}", 1000, 4000, box=Box(x, 100 + 40 * at, 400, 30))
        for at in (2, 0, 1)
        for x, name in columns
    ]
    await read_and_index(platform.database, platform.videos, video_id, lines)
    track = (await client.get(f"/videos/{video_id}/captions.vtt")).text
    shown = [line for line in track.splitlines() if "column" in line]
    assert shown == [f"{name} column line {at}" for name in ("left", "right") for at in range(3)]


async def test_segments_are_paged_and_narrowed(client, video_id):
    async def texts(**params):
        body = (await client.get(f"/videos/{video_id}/segments", params=params)).json()
        return body["total"], [one["text"] for one in body["segments"]]

    assert await texts(page=2, page_size=2) == (3, ["#AI @ada 12 kg"])
    assert await texts(page=9) == (3, [])
    assert await texts(from_ms=2000) == (1, ["#AI @ada 12 kg"])
    assert await texts(until_ms=1000) == (1, ["Ask @Ada"])
    assert await texts(min_confidence=0.95) == (0, [])
    assert await texts(language="deu") == (0, [])


@pytest.mark.req(115)
async def test_hashtags_are_stored_as_entities_of_their_own_type_with_the_times_they_were_on_screen(client, platform):
    video_id = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    texts = one_after_another("Join #AI2026!", "C# and x#y, see https://example.com/#top", "#Ligação e #ai2026")
    await read_and_index(platform.database, platform.videos, video_id, texts)
    body = (await client.get(f"/videos/{video_id}/entities", params={"entity_type": "hashtag"})).json()
    found = [(one["value"], one["normalized_value"], one["t_start"]) for one in body["entities"]]
    assert found == [("#AI2026", "#ai2026", 0), ("#Ligação", "#ligação", 2000), ("#ai2026", "#ai2026", 2000)]
    others = (await client.get(f"/videos/{video_id}/entities")).json()["entities"]
    assert {one["entity_type"] for one in others} == {"hashtag", "url"}


async def test_readings_are_not_shown_before_they_are_merged(client, platform):
    video_id = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    async with platform.database.transaction() as tx:
        await replace_readings(tx, video_id, [reading("raw", 0, 100)], from_ms=0, until_ms=None)
    assert (await client.get(f"/videos/{video_id}/segments")).json()["segments"] == []


async def test_entities_are_paged_and_narrowed(client, video_id):
    async def values(**params):
        body = (await client.get(f"/videos/{video_id}/entities", params=params)).json()
        return body["total"], [(one["entity_type"], one["value"], one["t_start"]) for one in body["entities"]]

    assert await values() == (
        5,
        [
            ("mention", "@Ada", 0),
            ("number", "50 %", 1000),
            ("hashtag", "#AI", 2000),
            ("mention", "@ada", 2000),
            ("number", "12 kg", 2000),
        ],
    )
    assert await values(entity_type="number", page_size=1) == (2, [("number", "50 %", 1000)])
    assert await values(value="ADA") == (2, [("mention", "@Ada", 0), ("mention", "@ada", 2000)])
    assert await values(value="nobody") == (0, [])


async def test_captions_are_a_track_that_no_text_can_break_out_of(client, video_id):
    answer = await client.get(f"/videos/{video_id}/captions.vtt")
    assert answer.headers["content-type"] == "text/vtt; charset=utf-8"
    assert answer.text == (
        "WEBVTT\n\n"
        "1\n00:00:00.000 --> 00:00:01.000\nAsk @Ada\n\n"
        "2\n00:00:01.000 --> 00:00:02.000\n50 % &lt;b&gt;off&lt;/b&gt; --&gt; now &amp; then\n\n"
        "3\n00:00:02.000 --> 00:00:03.000\n#AI @ada 12 kg\n"
    )


@pytest.mark.req(136)
@pytest.mark.parametrize("path", ["segments", "entities", "captions.vtt"])
async def test_somebody_elses_text_is_as_unknown_as_none(client, platform, path):
    theirs = await insert_video(platform.database, owner=OWNER)
    await read_and_index(platform.database, platform.videos, theirs, one_after_another("secret"))
    for video_id in (theirs, uuid4()):
        is_error(await client.get(f"/videos/{video_id}/{path}"), 404, "VIDEO_NOT_FOUND")


@pytest.mark.parametrize(
    "path", ["segments?page=0", "segments?page_size=1001", "entities?entity_type=x", "segments?x=1"]
)
async def test_what_cannot_be_asked_is_refused(client, video_id, path):
    is_error(await client.get(f"/videos/{video_id}/{path}"), 422, "VALIDATION_ERROR")


@pytest.mark.req(123)
async def test_a_removed_video_is_found_no_more(client, platform, video_id):
    assert (await client.get("/search", params={"q": "ask"})).json()["total"] == 1
    assert (await client.delete(f"/videos/{video_id}")).status_code == 204
    assert (await client.get("/search", params={"q": "ask"})).json()["total"] == 0
    async with platform.database.transaction() as tx:
        for table in ("segments", "entities", "search_rows", "search_common_words"):
            assert await tx.fetchval(f"SELECT count(*) FROM {table}") == 0
