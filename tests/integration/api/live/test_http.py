"""`GET /api/live/{stream}`: the feed for those who ask instead of listening."""

import uuid

import pytest

from support.asking import is_error

ANN, BEN = uuid.uuid4(), uuid.uuid4()


@pytest.mark.req(212)
async def test_it_tells_what_came_after_a_number_page_by_page(live):
    await live.append_many(5, requires_ack=True)
    answer = (await live.get("/api/live/events", after_sequence=1, limit=3)).json()
    assert [message["sequence"] for message in answer["messages"]] == [2, 3, 4]
    assert answer["messages"][0] == {
        "type": "event",
        "sequence": 2,
        "requires_ack": True,
        "data": answer["messages"][0]["data"],
    }
    assert (answer["stream"], answer["sequence"], answer["oldest"]) == ("events", 5, 1)
    assert (answer["has_more"], answer["is_complete"]) == (True, True)
    rest = (await live.get("/api/live/events", after_sequence=4)).json()
    assert ([message["sequence"] for message in rest["messages"]], rest["has_more"]) == ([5], False)
    client = await live.connect(last_sequence=answer["sequence"], epoch=answer["epoch"])
    assert (await client.next())["data"]["replayed"] == 0


async def test_it_says_when_some_of_it_was_removed_already(live):
    await live.append_many(4)
    async with live.platform.database.transaction() as tx:
        await tx.execute("DELETE FROM live_messages WHERE sequence <= 2")
    assert (await live.get("/api/live/events", after_sequence=1)).json()["is_complete"] is False
    answer = (await live.get("/api/live/events", after_sequence=2)).json()
    assert (answer["is_complete"], answer["oldest"]) == (True, 3)


async def test_it_obeys_the_same_rights_as_the_socket(live_with, auth_on, signed_in):
    live = await live_with(auth=auth_on)
    for owner in (ANN, BEN, None):
        await live.append("videos", owner_id=owner)
    answer = (await live.get("/api/live/videos", headers=signed_in(ANN))).json()
    assert [message["sequence"] for message in answer["messages"]] == [1, 2]
    assert answer["sequence"] == 2
    is_error(await live.get("/api/live/videos"), 401, "UNAUTHORIZED")


async def test_a_stream_that_nobody_spoke_on_is_empty_and_one_that_is_none_is_not_found(client):
    empty = (await client.get("/api/live/videos")).json()
    assert (empty["sequence"], empty["messages"], empty["is_complete"], len(empty["epoch"])) == (0, [], True, 8)
    is_error(await client.get("/api/live/gossip"), 404, "STREAM_NOT_FOUND")


async def test_nonsense_is_refused(client):
    for query in ("after_sequence=-1", "after_sequence=x", "limit=0", "limit=1001"):
        is_error(await client.get(f"/api/live/events?{query}"), 400, "VALIDATION_ERROR")
