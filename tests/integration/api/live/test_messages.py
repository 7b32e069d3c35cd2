"""What a client of `/ws/{stream}` is sent: form, order, replay, gaps."""

import asyncio
import time

import pytest

from sightline.contracts import LOCAL_OWNER_ID
from sightline.live import LiveMessage, LiveSettings, store
from support.waiting import until


@pytest.mark.req(206)
async def test_a_message_arrives_in_the_form_of_document_003_with_the_next_number(live):
    client = await live.connect()
    await live.append(requires_ack=True, topic="camera.front_door")
    message = await client.next()
    assert list(message) == ["type", "sequence", "requires_ack", "data"]
    assert (message["type"], message["sequence"], message["requires_ack"]) == ("event", 1, True)
    assert list(message["data"]) == ["n"]


async def test_the_greeting_says_where_the_stream_stands_and_what_to_expect(live):
    await live.append_many(3)
    hello = (await live.connect(client_id="kitchen-tablet")).hello
    assert hello == {
        "protocol": 1,
        "channel": "events",
        "epoch": hello["epoch"],
        "sequence": 3,
        "buffer_size": 100,
        "heartbeat_seconds": 30.0,
        "client_id": "kitchen-tablet",
    }
    assert len(hello["epoch"]) == 8


async def test_streams_are_numbered_apart_and_a_client_hears_its_own_only(live):
    events, videos = await live.connect("events"), await live.connect("videos")
    await live.append("videos", "video.status")
    await live.append("events")
    assert (await videos.next())["type"] == "video.status"
    assert (await events.messages(1))[0]["sequence"] == 1
    await videos.nothing_more()


@pytest.mark.req(206)
async def test_all_clients_get_all_messages_in_order_while_many_are_appended_at_once(live):
    clients = [await live.connect() for _ in range(5)]
    await asyncio.gather(*(live.append_many(40) for _ in range(5)))
    for client in clients:
        assert await client.sequences(200) == list(range(1, 201))


@pytest.mark.req(211, 215)
async def test_a_client_that_returns_is_given_exactly_what_it_missed_in_order_and_marked(live):
    client = await live.connect()
    await live.append_many(3)
    await client.messages(3)
    await client.close()
    missed = await live.append_many(7)
    again = await live.connect(last_sequence=3, epoch=client.hello["epoch"])
    resumed = await again.next()
    assert resumed == {
        "type": "resumed",
        "data": {
            "channel": "events",
            "epoch": client.hello["epoch"],
            "from": 4,
            "to": 10,
            "replayed": 7,
            "recovered": True,
        },
    }
    replayed = await again.messages(7)
    assert [message["sequence"] for message in replayed] == missed
    assert all(message["replay"] is True for message in replayed)
    await live.append()
    (fresh,) = await again.messages(1)
    assert (fresh["sequence"], "replay" in fresh) == (11, False)


@pytest.mark.req(211)
async def test_replays_meet_the_live_messages_without_a_hole_or_a_double_while_messages_are_appended(live):
    await live.append_together(50)
    appending = asyncio.create_task(live.append_many(40))
    clients = [await live.connect(last_sequence=last) for last in range(30, 50)]
    await appending
    for last, client in zip(range(30, 50), clients, strict=True):
        assert (await client.next())["type"] == "resumed"
        assert await client.sequences(90 - last) == list(range(last + 1, 91))


@pytest.mark.req(210)
async def test_the_last_100_messages_can_be_replayed_and_the_101st_drops_the_oldest(live):
    await live.append_together(100)
    client = await live.connect(last_sequence=0)
    assert (await client.next())["data"]["replayed"] == 100
    assert await client.sequences(100) == list(range(1, 101))
    await live.append()
    await client.messages(1)
    assert (await (await live.connect(last_sequence=0)).next())["type"] == "gap"
    later = await live.connect(last_sequence=1)
    assert (await later.next())["data"]["replayed"] == 100
    assert await later.sequences(100) == list(range(2, 102))


@pytest.mark.req(212)
async def test_a_client_that_missed_too_much_is_told_to_reload_and_where_then_goes_on(live):
    await live.append_together(130)
    client = await live.connect(last_sequence=5)
    gap = (await client.next())["data"]
    assert gap == {
        "channel": "events",
        "epoch": client.hello["epoch"],
        "reason": "buffer_exceeded",
        "last_sequence": 5,
        "oldest_available": 31,
        "sequence": 130,
        "resync": "/api/live/events?after_sequence=5",
        "recovered": False,
    }
    loaded = (await live.get(gap["resync"] + "&limit=200")).json()
    assert [message["sequence"] for message in loaded["messages"]] == list(range(6, 131))
    await live.append()
    assert await client.sequences(1) == [131]
    assert live.metric("sightline_live_gaps_total", stream="events", reason="buffer_exceeded") == 1


@pytest.mark.req(212)
async def test_a_position_that_means_nothing_here_is_a_gap(live):
    await live.append_many(5)
    for position, reason in (
        ({"last_sequence": 3, "epoch": "otherone"}, "epoch_changed"),
        ({"last_sequence": 9}, "ahead"),
    ):
        client = await live.connect(**position)
        gap = (await client.next())["data"]
        assert (gap["reason"], gap["sequence"], gap["resync"]) == (reason, 5, "/api/live/events?after_sequence=0")


async def test_a_client_that_missed_nothing_is_resumed_though_nothing_is_kept_any_more(live_with):
    before = await live_with()
    await before.append_many(3)
    async with before.platform.database.transaction() as tx:
        await tx.execute("DELETE FROM live_messages")
    live = await live_with()
    client = await live.connect(last_sequence=3)
    assert (await client.next())["data"]["replayed"] == 0
    assert (await (await live.connect(last_sequence=2)).next())["data"]["reason"] == "buffer_exceeded"


async def test_messages_that_were_removed_before_this_process_read_them_are_a_gap(live_with):
    live = await live_with(live=LiveSettings(poll_s=0.05))
    client = await live.connect()
    async with live.platform.database.transaction() as tx:
        await tx.execute("UPDATE live_streams SET top = 40 WHERE stream = 'events'")
        await tx.execute("INSERT INTO live_audiences (stream, top, removed) VALUES ('events', 40, 40)")
    assert (await client.next())["data"]["reason"] == "buffer_exceeded"
    await live.append()
    assert await client.sequences(1) == [41]


@pytest.mark.req(221)
async def test_resync_on_an_open_connection_brings_what_was_missed_and_an_ack(live):
    client = await live.connect()
    await live.append_many(6)
    await client.messages(6)
    await client.say(type="resync", data={"channel": "events", "last_sequence": 4})
    assert (await client.next())["type"] == "resumed"
    replayed = await client.messages(2)
    assert [(message["sequence"], message["replay"]) for message in replayed] == [(5, True), (6, True)]
    assert await client.next() == {
        "type": "resync_ack",
        "channel": "events",
        "last_sequence": 4,
        "replayed_count": 2,
    }
    await client.say(type="resume", last_sequence=6)
    assert (await client.next())["data"]["replayed"] == 0
    await live.append()
    assert await client.sequences(1) == [7]


async def test_a_restored_database_makes_everybody_load_afresh(live_with):
    live = await live_with(live=LiveSettings(poll_s=0.05))
    await live.append_many(5)
    client = await live.connect()
    async with live.platform.database.transaction() as tx:
        await tx.execute("DELETE FROM live_messages WHERE sequence > 2")
        await tx.execute("UPDATE live_streams SET top = 2")
        await tx.execute("UPDATE live_audiences SET top = 2, removed = 0")
        await tx.execute("SELECT sightline.renew_live_epochs()")
    gap = (await client.next())["data"]
    assert (gap["reason"], gap["sequence"]) == ("epoch_changed", 2)
    assert gap["epoch"] != client.hello["epoch"]
    await live.append()
    assert await client.sequences(1) == [3]
    again = await live.connect(last_sequence=2, epoch=gap["epoch"])
    assert (await again.next())["data"]["replayed"] == 1
    old = await live.connect(last_sequence=2, epoch=client.hello["epoch"])
    assert (await old.next())["data"]["reason"] == "epoch_changed"


@pytest.mark.req(207)
async def test_numbers_and_replay_continue_after_a_restart(live_with):
    before = await live_with()
    await before.append_many(5)
    after = await live_with()
    client = await after.connect(last_sequence=2)
    assert await client.next_of("resumed")
    assert await client.sequences(3) == [3, 4, 5]
    await after.append()
    assert await client.sequences(1) == [6]


@pytest.mark.req(207)
async def test_clients_of_two_instances_get_the_same_message_under_the_same_number(live_with):
    one, other = await live_with(), await live_with()
    clients = [await one.connect(), await other.connect()]
    await asyncio.gather(one.append_many(20), other.append_many(20))
    here, there = [[(m["sequence"], m["data"]["n"]) for m in await client.messages(40)] for client in clients]
    assert here == there
    assert [sequence for sequence, _ in here] == list(range(1, 41))


@pytest.mark.req(241)
async def test_the_time_from_commit_to_the_sockets_is_a_histogram(live_with):
    live = await live_with(hub={"clock": time.monotonic})
    client = await live.connect()
    started = time.time()
    await live.append_many(3)
    await client.messages(3)
    name = "hsi_event_broadcast_duration_seconds"
    await until(lambda: live.metric(f"{name}_count", stream="events") == 3)
    assert 0 < live.metric(f"{name}_sum", stream="events") < 3 * (time.time() - started)  # so it is in seconds
    assert live.metric(f"{name}_bucket", stream="events", le="+Inf") == 3
    text = (await live.get("/metrics")).text
    assert f"# TYPE {name} histogram" in text
    assert live.metric("sightline_live_deliveries_total", stream="events") == 3
    assert live.metric("sightline_live_connections", stream="events") == 1


@pytest.fixture
def reads(monkeypatch):
    """What the hub reads from the table."""
    found: list[int] = []
    original = store.read_new

    async def read_new(tx, cursors, *, limit):
        news = await original(tx, cursors, limit=limit)
        found.extend(message.sequence for one in news for message in one.messages)
        return news

    monkeypatch.setattr(store, "read_new", read_new)
    return found


@pytest.mark.req(1086)
async def test_a_small_message_comes_with_its_notification_and_a_long_one_is_read(live_with, reads):
    live = await live_with(live=LiveSettings(poll_s=600))
    client = await live.connect()
    sent = [await live.append(requires_ack=True), await live.append(topic="camera.door", owner_id=LOCAL_OWNER_ID)]
    first, second = await client.messages(2)
    assert ([first["sequence"], second["sequence"]], first["requires_ack"], reads) == (sent, True, [])
    async with live.platform.database.transaction() as tx:
        for text in ("ä" * 5000, "short", "\u20ac" * 4000):
            await live.platform.live.append(tx, LiveMessage("events", "event", {"text": text}))
    assert [message["data"]["text"] for message in await client.messages(3)] == ["ä" * 5000, "short", "\u20ac" * 4000]
    assert reads == [3, 4, 5]
    await live.append()
    assert await client.sequences(1) == [6]
    assert reads == [3, 4, 5]
