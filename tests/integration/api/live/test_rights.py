"""Who gets what: rights and subscriptions, live, replayed and over HTTP alike."""

import itertools
import uuid

import pytest

from sightline.live import LiveSettings

ANN, BEN, TEAM, OTHER_TEAM = (uuid.uuid4() for _ in range(4))


@pytest.fixture
async def live(live_with, auth_on):
    return await live_with(auth=auth_on, live=LiveSettings(connects_per_minute=0))


async def test_a_client_gets_only_what_its_caller_may_see(live, signed_in):
    ann = await live.connect(headers=signed_in(ANN, team_ids=[str(TEAM)]))
    ben = await live.connect(headers=signed_in(BEN))
    for whose in ({}, {"owner_id": ANN}, {"owner_id": BEN}, {"owner_id": BEN, "team_id": TEAM}, {"team_id": TEAM}):
        await live.append(**whose)
    assert await ann.sequences(4) == [1, 2, 3, 4]
    assert await ben.sequences(3) == [1, 2, 3]
    await ann.nothing_more()
    await ben.nothing_more()


async def test_numbers_left_out_are_told_so_that_no_client_takes_them_for_lost(live, signed_in):
    ann = await live.connect(headers=signed_in(ANN), patterns="event")
    for kind in ("event", "other", "other", "event", "event"):
        await live.append(kind=kind, owner_id=ANN)
        await live.append(kind=kind, owner_id=BEN)
    assert [(m["sequence"], m.get("prev")) for m in await ann.messages(3)] == [(1, None), (4, 1), (5, None)]
    again = await live.connect(headers=signed_in(ANN), patterns="event", last_sequence=1)
    assert (await again.next())["data"]["replayed"] == 2
    assert [(m["sequence"], m.get("prev")) for m in await again.messages(2)] == [(4, 1), (5, None)]


async def test_a_client_that_checks_prev_sees_no_false_gap_whenever_it_joins(live, signed_in):
    """The rule for clients: prev (or the number before) must not be above the last number they know of."""
    clients = []
    for round_ in range(6):
        clients.append(await live.connect(headers=signed_in(ANN)))
        await live.append(owner_id=BEN)
        await live.append_many(1, owner_id=ANN if round_ % 2 else BEN)
    for client in clients:
        last = client.hello["sequence"]
        await live.append_many(1, owner_id=ANN)
        newest = (await live.get("/api/live/events", headers=signed_in(ANN))).json()["sequence"]
        while last < newest:
            message = (await client.messages(1))[0]
            assert message.get("prev", message["sequence"] - 1) <= last < message["sequence"]
            last = message["sequence"]


@pytest.mark.req(210)
async def test_the_noise_of_others_does_not_push_a_persons_messages_out_of_the_replay(live, signed_in):
    for _ in range(3):
        await live.append(owner_id=ANN)
    await live.append_together(150, owner_id=BEN)
    await live.append_many(2, owner_id=ANN)
    ann = await live.connect(headers=signed_in(ANN), last_sequence=1)
    assert (await ann.next())["data"]["replayed"] == 4
    replayed = await ann.messages(4)
    assert [(m["sequence"], m.get("prev")) for m in replayed] == [(2, None), (3, None), (4, None), (5, None)]
    ben = await live.connect(headers=signed_in(BEN), last_sequence=1)
    assert (await ben.next())["type"] == "gap"


async def test_memory_and_row_level_security_agree_about_every_kind_of_message(live, signed_in):
    kinds = list(itertools.product((None, ANN, BEN), (None, TEAM, OTHER_TEAM)))
    people = [
        signed_in(ANN),
        signed_in(BEN, team_ids=[str(TEAM)]),
        signed_in(ANN, team_ids=[str(TEAM), str(OTHER_TEAM)]),
    ]
    clients = [await live.connect("videos", headers=person) for person in people]
    for owner, team in kinds:
        await live.append("videos", owner_id=owner, team_id=team)
    for person, client in zip(people, clients, strict=True):
        stored = (await live.get("/api/live/videos", headers=person)).json()["messages"]
        assert 0 < len(stored) < len(kinds)
        assert await client.messages(len(stored)) == [
            message | ({"prev": before} if before != message["sequence"] - 1 else {})
            for before, message in zip([0, *(m["sequence"] for m in stored)], stored, strict=False)
        ]
        await client.nothing_more()


@pytest.mark.req(221)
async def test_subscriptions_narrow_what_is_sent_and_can_be_changed(live, signed_in):
    client = await live.connect(headers=signed_in(ANN))
    await live.append_many(1)
    await client.messages(1)
    await client.say(type="subscribe", patterns=["alert.*", "event.resolved"])
    assert (await client.next())["data"] == {"patterns": ["alert.*", "event.resolved"], "sequence": 1}
    for kind in ("event", "alert.raised", "event.resolved", "event.acknowledged"):
        await live.append(kind=kind)
    alert, resolved = await client.messages(2)
    assert (alert["type"], alert["sequence"], resolved["type"], resolved["sequence"]) == (
        *("alert.raised", 3),
        *("event.resolved", 4),
    )
    assert alert["prev"] <= 1  # nothing that it follows lies in between
    await client.say(type="unsubscribe", data={"events": ["alert.*"]})
    assert (await client.next())["data"]["patterns"] == ["event.resolved"]
    await live.append(kind="alert.raised")
    await live.append(kind="event", topic="event.resolved")
    assert await client.sequences(1) == [7]
    await client.say(type="subscribe", patterns=["*"])
    assert (await client.next())["data"]["patterns"] == ["*", "event.resolved"]
    await live.append(kind="anything.at.all")
    assert await client.sequences(1) == [8]


@pytest.mark.req(221)
async def test_a_subscription_in_the_address_holds_for_the_replay_too(live, signed_in):
    for kind in ("event", "alert.raised", "event"):
        await live.append_many(1, kind=kind)
    client = await live.connect(headers=signed_in(ANN), last_sequence=0, patterns="alert.*,other")
    assert (await client.next())["data"]["replayed"] == 1
    assert await client.sequences(1) == [2]
    await live.append()
    await client.nothing_more()
