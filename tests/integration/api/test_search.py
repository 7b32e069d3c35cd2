"""GET /search: hits with everything that a page needs, paged, narrowed, and only of what the caller may see."""

from uuid import UUID, uuid4

import pytest

from sightline.contracts.identity import LOCAL_OWNER_ID
from support.asking import is_error
from support.screen_text import insert_video, one_after_another, read_and_index, reading

FRAME = b"\xff\xd8 a frame"


@pytest.fixture
def video_with(platform):
    async def make(*texts, owner=LOCAL_OWNER_ID, **others):
        video_id = await insert_video(platform.database, owner=owner, **others)
        await read_and_index(platform.database, platform.videos, video_id, one_after_another(*texts))
        return video_id

    return make


@pytest.mark.req(132)
async def test_a_hit_carries_what_is_needed_to_show_and_play_it(client, platform, video_with):
    video_id = await video_with("Agenda", "Invoice total", name="talk.mp4")
    await platform.objects.put(f"frames/{video_id}/1000.jpg", FRAME)
    answer = await client.get("/search", params={"q": "invoice"})
    assert answer.status_code == 200
    body = answer.json()
    assert (body["query"], body["page"], body["page_size"], body["total"]) == ("invoice", 1, 20, 1)
    (hit,) = body["hits"]
    thumbnail = hit.pop("thumbnail_url")
    UUID(hit.pop("segment_id"))
    assert hit == {
        "video_id": str(video_id),
        "video_name": "talk.mp4",
        "text": "Invoice total",
        "highlights": [{"start": 0, "end": 7}],
        "match": "exact",
        "matched": "words",
        "similarity": None,
        "t_start": 1000,
        "t_end": 2000,
        "confidence": 0.9,
        "bounding_box": {"x": 10, "y": 60, "width": 200, "height": 30},
        "language": "eng",
        "kind": "text",
        "frame_ms": 1000,
        "play_url": f"/ui/videos/{video_id}?t=1",
        "stream_url": f"/videos/{video_id}/stream/index.m3u8",
    }
    frame = await client.get(thumbnail)
    assert (frame.status_code, frame.content) == (200, FRAME)


@pytest.mark.req(132)
async def test_the_picture_of_a_hit_is_the_frame_that_shows_it_best(client, platform):
    video_id = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    readings = [
        reading("Invoice total", 0, 100, confidence=0.7),
        reading("Invoice total", 100, 200, confidence=0.95),
    ]
    await read_and_index(platform.database, platform.videos, video_id, readings)
    await platform.objects.put(f"frames/{video_id}/100.jpg", FRAME)
    (hit,) = (await client.get("/search", params={"q": "invoice"})).json()["hits"]
    assert (hit["t_start"], hit["frame_ms"]) == (0, 100)
    frame = await client.get(hit["thumbnail_url"])
    assert (frame.status_code, frame.content) == (200, FRAME)


@pytest.mark.req(133)
async def test_slips_are_found_unless_they_are_not_wanted(client, video_with):
    await video_with("Meetlng agenda")
    assert (await client.get("/search", params={"q": "meeting"})).json()["hits"][0]["match"] == "slip"
    assert (await client.get("/search", params={"q": "meeting", "fuzzy": "false"})).json()["total"] == 0


@pytest.mark.req(134)
async def test_pages_and_totals(client, video_with):
    await video_with(*(f"invoice {number}" for number in range(5)))
    pages = [
        (await client.get("/search", params={"q": "invoice", "page": page, "page_size": 2})).json()
        for page in (1, 2, 3, 4)
    ]
    assert [len(page["hits"]) for page in pages] == [2, 2, 1, 0]
    assert {page["total"] for page in pages} == {5}
    assert len({hit["segment_id"] for page in pages for hit in page["hits"]}) == 5


@pytest.mark.req(134)
async def test_what_cannot_be_asked_is_refused(client):
    for params in (
        {"q": "a", "page": 0},
        {"q": "a", "page_size": 0},
        {"q": "a", "page_size": 101},
        {},
        {"q": "!?"},
        {"q": "*ab*"},
        {"q": "a" * 501},
        {"q": "a", "match": "regex"},
        {"q": "a", "entity_type": "place"},
        {"q": "a", "video_id": "x"},
        {"q": "a", "created_from": "2026-01-01T00:00:00"},
        {"q": "a", "unknown": "1"},
    ):
        answer = await client.get("/search", params=params)
        assert answer.status_code == 422, params
        is_error(answer, 422, "VALIDATION_ERROR")


async def test_hits_are_narrowed(client, video_with):
    one = await video_with("Ask @Ada", "Ask Bob")
    await video_with("Ask @Ada again")

    async def texts(**params):
        return {hit["text"] for hit in (await client.get("/search", params=params)).json()["hits"]}

    assert await texts(q="ask", video_id=str(one)) == {"Ask @Ada", "Ask Bob"}
    assert await texts(entity_type="mention", video_id=str(one)) == {"Ask @Ada"}
    assert await texts(entity_value="@ada") == {"Ask @Ada", "Ask @Ada again"}
    assert await texts(q="k @ad", match="substring") == {"Ask @Ada", "Ask @Ada again"}
    assert await texts(q="ask", from_ms=1000) == {"Ask Bob"}
    assert await texts(q="ask", language="fra") == set()
    assert await texts(q="ask", created_until="2020-01-01T00:00:00Z") == set()


@pytest.mark.req(136)
async def test_everybody_finds_their_own(client_with, platform_with, auth_on, signed_in):
    ann, bob, team = uuid4(), uuid4(), uuid4()
    platform = await platform_with(auth=auth_on)
    client = await client_with(auth=auth_on)
    for owner, its_team, text in ((ann, None, "invoice of ann"), (bob, team, "invoice of bob")):
        video_id = await insert_video(platform.database, owner=owner, team=its_team)
        await read_and_index(platform.database, platform.videos, video_id, one_after_another(text))

    async def texts(header):
        answer = (await client.get("/search", params={"q": "invoice"}, headers=header)).json()
        assert answer["total"] == len(answer["hits"])
        return {hit["text"] for hit in answer["hits"]}

    assert await texts(signed_in(ann)) == {"invoice of ann"}
    assert await texts(signed_in(uuid4(), team_ids=[str(team)])) == {"invoice of bob"}
    assert await texts(signed_in(uuid4())) == set()
    is_error(await client.get("/search", params={"q": "invoice"}), 401, "UNAUTHORIZED")
