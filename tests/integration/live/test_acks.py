"""Acknowledgements: stored per device, never lowered, and messages that want one are offered until they have it."""

import asyncio
import time
import uuid

import pytest

from sightline.contracts import LOCAL_OWNER_ID
from sightline.live import LiveFeed, LiveMessage, LiveSettings
from sightline.live.acks import AckWriter
from sightline.live.store import Ack
from support.waiting import until


async def stored(live, column="sequence"):
    async with live.platform.database.transaction() as tx:
        rows = await tx.fetch(f"SELECT {column} FROM live_acks ORDER BY 1")
    return [row[0] for row in rows]


@pytest.mark.req(213)
async def test_acks_are_stored_one_by_one_and_an_older_one_never_lowers_the_mark(live):
    client = await live.connect(client_id="phone")
    await live.append_many(5, requires_ack=True)
    await client.messages(5)
    assert (await client.ack(4))["data"] == {"sequence": 4, "mark": 4}
    assert (await client.ack(2))["data"] == {"sequence": 2, "mark": 4}
    assert (await client.ack(4))["data"] == {"sequence": 4, "mark": 4}
    assert await stored(live) == [2, 4]  # 4 says nothing about 3
    async with live.platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT mark FROM live_clients WHERE client_id = 'phone'") == 4


@pytest.mark.req(213)
async def test_each_device_acknowledges_for_itself_and_the_feed_tells_who_did(live):
    phone, tablet = await live.connect(client_id="phone"), await live.connect(client_id="tablet")
    (number,) = await live.append_many(1, requires_ack=True)
    for client in (phone, tablet):
        await client.messages(1)
        await client.ack(number)
    async with live.platform.database.transaction() as tx:
        found = await live.platform.live.acks(tx, "events", number)
    assert [(ack.client_id, ack.user_id) for ack in found] == [("phone", LOCAL_OWNER_ID), ("tablet", LOCAL_OWNER_ID)]
    assert all(ack.acked_at.tzinfo for ack in found)


@pytest.mark.req(213, 214)
async def test_what_was_not_acknowledged_is_offered_again_on_reconnect_and_what_was_is_not(live):
    client = await live.connect(client_id="phone")
    await live.append_many(3, requires_ack=True)
    await live.append_many(1)
    await client.messages(4)
    await client.ack(2)
    await client.close()
    again = await live.connect(client_id="phone", last_sequence=4)
    assert (await again.next())["data"]["replayed"] == 0
    offered = await again.messages(2)
    assert [(m["sequence"], m["redelivery"]) for m in offered] == [(1, 1), (3, 1)]
    await again.nothing_more()


@pytest.mark.req(214)
async def test_it_is_offered_even_across_a_gap_and_after_a_restart(live_with):
    live = await live_with()
    client = await live.connect(client_id="phone")
    await live.append_many(1, requires_ack=True)
    await client.messages(1)
    await client.close()
    await live.append_together(120)
    restarted = await live_with()
    again = await restarted.connect(client_id="phone", last_sequence=1)
    assert (await again.next())["type"] == "gap"
    assert [(m["sequence"], m["redelivery"]) for m in await again.messages(1)] == [(1, 1)]
    await again.ack(1)
    await again.close()
    third = await restarted.connect(client_id="phone")
    await third.nothing_more()


@pytest.mark.req(214)
async def test_a_replayed_message_is_not_offered_a_second_time(live):
    client = await live.connect(client_id="phone")
    await client.close()
    await live.append_many(2, requires_ack=True)
    again = await live.connect(client_id="phone", last_sequence=0)
    assert (await again.next())["type"] == "resumed"
    assert [(m["sequence"], m["replay"]) for m in await again.messages(2)] == [(1, True), (2, True)]
    await again.nothing_more()


async def test_a_new_device_owes_nothing_of_what_came_before_it(live):
    await live.append_many(3, requires_ack=True)
    client = await live.connect(client_id="brand-new")
    await client.nothing_more()


async def test_what_comes_while_a_device_connects_is_offered_too(live, database):
    await (await live.connect(client_id="phone")).close()
    async with database.transaction() as tx:
        await tx.execute("LOCK TABLE live_clients IN ACCESS EXCLUSIVE MODE")  # the handshake waits here
        connecting = asyncio.create_task(live.connect(client_id="phone"))

        async def is_waiting():  # for this transaction; other tests wait for others
            return await tx.fetchval(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )

        await until(is_waiting)
        await live.append_many(1, requires_ack=True)
    client = await connecting
    assert client.hello["sequence"] == 1  # so it would never be sent otherwise
    assert [(m["sequence"], m["redelivery"]) for m in await client.messages(1)] == [(1, 1)]


@pytest.mark.req(214)
async def test_on_a_live_connection_it_is_sent_again_three_times_unless_acknowledged(live):
    silent, polite = await live.connect(client_id="silent"), await live.connect(client_id="polite")
    await live.append_many(2, requires_ack=True)
    await polite.messages(2)
    await polite.ack(1)
    await silent.messages(2)
    for times, seconds in enumerate((5, 10, 30), start=1):  # 5, 15 and 45 s after it was first sent
        await live.pass_time(seconds)
        assert [(m["sequence"], m["redelivery"]) for m in await silent.messages(2)] == [(1, times), (2, times)]
        assert [(m["sequence"], m["redelivery"]) for m in await polite.messages(1)] == [(2, times)]
    await live.pass_time(60)
    assert live.metric("sightline_live_redelivered_total", stream="events") == 9
    for client in (silent, polite):
        await client.next_of("ping")
        await client.nothing_more()


async def test_the_hub_looks_by_itself_for_what_is_to_be_sent_again(live_with):
    live = await live_with(hub={"redeliver_after_s": (0.05,), "clock": time.monotonic})
    client = await live.connect(client_id="silent")
    await live.append_many(1, requires_ack=True)
    assert [(m["sequence"], m.get("redelivery")) for m in await client.messages(2)] == [(1, None), (1, 1)]


async def test_an_acknowledgement_on_one_tab_settles_the_others_of_the_same_device(live):
    tabs = [await live.connect(client_id="browser") for _ in range(2)]
    await live.append_many(1, requires_ack=True)
    for tab in tabs:
        await tab.messages(1)
    await tabs[0].ack(1)
    await live.append_many(1, requires_ack=True)
    await live.pass_time(5)
    for tab in tabs:
        assert [m["sequence"] for m in await tab.messages(2)] == [2, 2]
        await tab.nothing_more()


async def test_a_client_without_an_id_is_asked_for_nothing_but_may_acknowledge(live):
    client, named = await live.connect(), await live.connect(client_id="named")
    await live.append_many(1, requires_ack=True)
    await live.pass_time(5)
    assert await named.sequences(2) == [1, 1]
    assert await client.sequences(1) == [1]
    await client.nothing_more()
    await client.ack(1)
    assert await stored(live, "client_id") == [client.hello["client_id"]]


@pytest.mark.req(222)
async def test_an_ack_of_what_was_never_said_is_refused_and_of_what_is_gone_is_taken(live):
    client = await live.connect(client_id="phone")
    await live.append_many(2, requires_ack=True)
    await client.messages(2)
    await client.say(type="ack", sequence=3)
    problem = await client.next()
    assert (problem["error"], problem["message"]) == (
        "VALIDATION_ERROR",
        "sequence: there is no message 3 on events yet",
    )
    async with live.platform.database.transaction() as tx:
        await tx.execute("DELETE FROM live_messages WHERE sequence = 1")
    assert (await client.ack(1))["data"]["mark"] == 1
    assert await stored(live) == []


async def test_a_thousand_acks_at_once_share_a_few_commits(database, monkeypatch):
    async with database.transaction() as tx:
        for number in range(3):
            await LiveFeed().append(tx, LiveMessage("events", "event", {"n": number}, requires_ack=True))
    writer = AckWriter(database)
    people = [uuid.uuid4() for _ in range(10)]
    begin, begun = database.transaction, []

    def counted():
        begun.append(True)
        return begin()

    monkeypatch.setattr(database, "transaction", counted)
    marks = await asyncio.gather(
        *(
            writer.write(Ack("events", 1 + number % 3, people[number % 10], f"device-{number % 100}", 0))
            for number in range(1000)
        )
    )
    assert len(begun) < 10
    async with begin() as tx:
        assert await tx.fetchval("SELECT count(*) FROM live_acks") == 300
    assert set(marks) <= {1, 2, 3}


@pytest.mark.req(213)
async def test_acks_of_two_instances_meet_in_the_same_mark(live_with):
    one, other = await live_with(live=LiveSettings(poll_s=60)), await live_with(live=LiveSettings(poll_s=60))
    here, there = await one.connect(client_id="phone"), await other.connect(client_id="phone")
    await one.append_many(6, requires_ack=True)
    await asyncio.gather(here.messages(6), there.messages(6))
    await asyncio.gather(*(here.ack(number) for number in (6,)), *(there.ack(number) for number in (2,)))
    assert (await there.ack(1))["data"]["mark"] == 6
