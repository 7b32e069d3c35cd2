"""Numbers of the live feed: each caller's are their own, without a gap, and count nothing that is for others."""

from uuid import UUID

import pytest

from sightline.live import LiveSettings
from support.live_rig import Live
from support.waiting import until

ANN, BOB, TEAM, OTHER_TEAM = UUID(int=21), UUID(int=22), UUID(int=77), UUID(int=78)


@pytest.fixture
async def live(live_with, auth_on) -> Live:
    started: Live = await live_with(auth=auth_on, live=LiveSettings(buffer_size=5))
    return started


@pytest.mark.req(356)
async def test_what_others_do_shows_in_no_number(live, signed_in):
    ann = await live.connect(headers=signed_in(ANN))
    bob = await live.connect(headers=signed_in(BOB))
    for _ in range(3):
        await live.append_many(4, owner_id=BOB)
        await live.append_many(1, owner_id=ANN)
    assert await ann.sequences(3) == [1, 2, 3]
    assert await bob.sequences(12) == list(range(1, 13))
    assert (await live.connect(headers=signed_in(ANN))).hello["sequence"] == 3
    assert (await live.connect(headers=signed_in(UUID(int=99)))).hello["sequence"] == 0
    listed = (await live.get("/api/live/events", headers=signed_in(ANN))).json()
    assert ([one["sequence"] for one in listed["messages"]], listed["sequence"], listed["oldest"]) == ([1, 2, 3], 3, 1)


@pytest.mark.req(356)
async def test_a_client_of_document_003_that_checks_each_number_works_beside_other_tenants(live, signed_in):
    """It takes a message only if its number is one more than the last, and knows neither `prev` nor epochs."""
    client = await live.connect(headers=signed_in(ANN))
    last = client.hello["sequence"]
    for _ in range(4):
        await live.append_many(2, owner_id=BOB)
        await live.append_many(2, owner_id=ANN)
        for message in await client.messages(2):
            assert (message["sequence"], "prev" in message) == (last + 1, False)
            last += 1


@pytest.mark.req(357)
async def test_a_client_resumes_by_its_own_number_from_memory_and_from_the_table(live, signed_in):
    await live.append_many(4, owner_id=ANN)
    await live.append_many(20, owner_id=BOB)  # memory holds the last five messages, all of them Bob's
    client = await live.connect(headers=signed_in(ANN), last_sequence=2)
    assert (await client.next_of("resumed"))["data"]["replayed"] == 2
    assert await client.sequences(2) == [3, 4]
    await live.append_many(2, owner_id=ANN)
    again = await live.connect(headers=signed_in(ANN), last_sequence=4)
    assert (await again.next_of("resumed"))["data"]["to"] == 6
    assert await again.sequences(2) == [5, 6]
    nothing = await live.connect(headers=signed_in(ANN), last_sequence=6)
    assert (await nothing.next_of("resumed"))["data"]["replayed"] == 0
    far = await live.connect(headers=signed_in(ANN), last_sequence=0)
    assert (await far.next_of("gap"))["data"]["reason"] == "buffer_exceeded"
    ahead = await live.connect(headers=signed_in(ANN), last_sequence=7)
    assert (await ahead.next_of("gap"))["data"]["reason"] == "ahead"


@pytest.mark.req(357)
async def test_acknowledgements_are_by_the_callers_number_and_reach_the_right_message(live, signed_in):
    ann = await live.connect(headers=signed_in(ANN), client_id="tablet")
    await live.append_many(3, owner_id=BOB, requires_ack=True)
    await live.append_many(2, owner_id=ANN, requires_ack=True)
    assert await ann.sequences(2) == [1, 2]
    await ann.ack(1)
    await ann.close()
    await live.append_many(10, owner_id=BOB)  # what Ann owes is no longer in memory
    again = await live.connect(headers=signed_in(ANN), client_id="tablet")
    (owed,) = await again.messages(1)
    assert (owed["sequence"], owed["redelivery"]) == (2, 1)
    assert (await again.ack(2))["data"] == {"sequence": 2, "mark": 2}
    assert (await again.ack(1))["data"] == {"sequence": 1, "mark": 2}
    async with live.platform.database.transaction() as tx:
        acked = await tx.fetch("SELECT sequence FROM live_acks ORDER BY sequence")
    assert [row["sequence"] for row in acked] == [4, 5]  # in the stream, where Bob's three come before
    await again.say(type="ack", sequence=3)
    assert (await again.next_of("error"))["error"] == "VALIDATION_ERROR"


@pytest.mark.req(357)
async def test_acknowledgements_over_http_are_by_the_callers_number_too(live, signed_in):
    await live.append_many(3, owner_id=BOB, requires_ack=True)
    await live.append_many(1, owner_id=ANN, requires_ack=True)
    body = {"client_id": "tablet", "sequences": [1]}
    done = await live.http.post("/api/live/events/acks", json=body, headers=signed_in(ANN))
    assert done.json() == {"mark": 1}
    too_far = await live.http.post("/api/live/events/acks", json=body | {"sequences": [2]}, headers=signed_in(ANN))
    assert too_far.status_code in (400, 422)


@pytest.mark.req(356)
async def test_members_count_what_is_for_their_team_and_no_other(live, signed_in):
    member = signed_in(ANN, team_ids=[str(TEAM)])
    ann = await live.connect(headers=member)
    await live.append_many(1, owner_id=ANN)
    await live.append_many(1, owner_id=BOB, team_id=OTHER_TEAM)
    await live.append_many(1, owner_id=BOB, team_id=TEAM)
    await live.append_many(1, owner_id=ANN, team_id=TEAM)
    await live.append_many(1)
    assert await ann.sequences(4) == [1, 2, 3, 4]
    assert (await live.connect(headers=member)).hello["sequence"] == 4


@pytest.mark.req(357)
async def test_whoever_changes_teams_is_told_that_numbers_begin_anew(live, signed_in):
    await live.append_many(2, owner_id=ANN)
    await live.append_many(2, owner_id=BOB, team_id=TEAM)
    alone = await live.connect(headers=signed_in(ANN))
    resuming = {"last_sequence": alone.hello["sequence"], "epoch": alone.hello["epoch"]}
    member = await live.connect(headers=signed_in(ANN, team_ids=[str(TEAM)]), **resuming)
    assert (await member.next_of("gap"))["data"]["reason"] == "epoch_changed"
    assert member.hello["sequence"] == 4


@pytest.mark.req(357)
async def test_numbers_stay_when_old_messages_are_removed(live, signed_in):
    await live.append_many(2, owner_id=ANN)
    await live.append_many(3, owner_id=BOB)
    await live.append_many(2, owner_id=ANN)
    async with live.platform.database.transaction() as tx:
        await tx.execute("DELETE FROM live_messages WHERE sequence <= 3")
    listed = (await live.get("/api/live/events", headers=signed_in(ANN))).json()
    assert ([one["sequence"] for one in listed["messages"]], listed["oldest"], listed["is_complete"]) == (
        [3, 4],
        3,
        False,
    )
    client = await live.connect(headers=signed_in(ANN))
    await live.append_many(1, owner_id=ANN)
    assert (client.hello["sequence"], await client.sequences(1)) == (4, [5])
    gone = await live.connect(headers=signed_in(ANN), last_sequence=1)
    assert (await gone.next_of("gap"))["data"]["reason"] == "buffer_exceeded"


@pytest.mark.req(356)
async def test_the_numbers_are_those_of_every_process_and_after_a_restart(live, live_with, auth_on, signed_in):
    await live.append_many(3, owner_id=BOB)
    await live.append_many(2, owner_id=ANN)
    first = await live.connect(headers=signed_in(ANN))
    other: Live = await live_with(auth=auth_on)
    second = await other.connect(headers=signed_in(ANN))
    assert first.hello["sequence"] == second.hello["sequence"] == 2
    await live.append_many(1, owner_id=ANN)
    await until(lambda: other.hub.state("events").top == 6)
    assert await first.sequences(1) == await second.sequences(1) == [3]
