"""Redis in front of the database: it brings messages to every process, and nobody misses it when it is away."""

import asyncio
import sys
from functools import partial

import pytest
from redis.asyncio import Redis

from sightline.errors import ConfigurationError
from sightline.live import LiveHub, LiveMessage, LiveSettings
from sightline.live.redis.entries import key_of, to_fields
from sightline.live.store import read_last
from sightline.roles import live_relay, services_of
from support.redis_server import NAMES, find_server
from support.technique_rig import running
from support.waiting import until


@pytest.fixture(params=NAMES, scope="module")
def server(request, tmp_path_factory):
    """Of all tests here: each has an epoch of its own, and with it streams of its own."""
    started = find_server(request.param, tmp_path_factory.mktemp(request.param))
    asyncio.run(started.start())
    yield started
    asyncio.run(started.kill())


@pytest.fixture
async def redis(server):
    client = Redis.from_url(server.url, decode_responses=True)
    yield client
    await client.aclose()


@pytest.fixture
def by_redis_alone(monkeypatch):
    """Hubs look at no message in the database, so whatever arrives was brought by Redis."""

    async def nothing(hub):
        return 0

    monkeypatch.setattr(LiveHub, "_read_stored", nothing)


def settings(server, **more):
    return LiveSettings(redis_url=server.url, **more)


def relay_of(live):
    return live_relay(live.platform)[0]


async def entries(redis, live, stream="events"):
    epoch = live.hub.state(stream).epoch
    return [int(found.partition("-")[0]) for found, _ in await redis.xrange(key_of(stream, epoch))]


async def holds(redis, live, sequence):
    return sequence in await entries(redis, live)


def carried(live):
    return live.metric("sightline_live_carried_total", stream="events")


@pytest.mark.req(206, 207)
@pytest.mark.usefixtures("by_redis_alone")
async def test_redis_brings_every_message_to_every_process_in_order(live_with, server):
    lives = [await live_with(live=settings(server)) for _ in range(2)]
    clients = [await live.connect() for live in lives]
    async with running(relay_of(lives[0])):
        for _ in range(100):
            await lives[0].append(requires_ack=True)
        everything = [await client.messages(100) for client in clients]
    assert [message["sequence"] for message in everything[0]] == list(range(1, 101))
    assert everything[0] == everything[1]
    assert [carried(live) for live in lives] == [100, 100]
    assert lives[0].metric("sightline_live_relayed_total", stream="events") == 100


@pytest.mark.usefixtures("by_redis_alone")
async def test_rights_and_topics_are_those_of_the_stored_message(live_with, server, auth_on, signed_in):
    live = await live_with(auth=auth_on, live=settings(server))
    ann, ben, team = (f"00000000-0000-4000-8000-00000000000{number}" for number in (1, 2, 3))
    one = await live.connect(headers=signed_in(ann), patterns="camera.*")
    other = await live.connect(headers=signed_in(ben, team_ids=[team]))
    async with running(relay_of(live)):
        for more in (
            {"owner_id": ann, "topic": "camera.door"},
            {"owner_id": ann},
            {"owner_id": ann, "team_id": team},
            {},
        ):
            await live.append(**more)
        assert await one.sequences(1) == [1]
        assert await other.sequences(2) == [1, 2]
    await one.nothing_more()


@pytest.mark.req(204, 218)
async def test_without_redis_messages_come_from_the_database_and_with_it_again_by_redis(live_with, server, redis):
    live = await live_with(live=settings(server))
    client = await live.connect()
    async with running(relay_of(live)):
        await live.append()
        assert await client.sequences(1) == [1]
        await server.kill()
        for _ in range(5):
            await live.append()
        assert await client.sequences(5) == [2, 3, 4, 5, 6]
        await server.start()  # empty: it is given what readers may ask for

        async def is_filled():
            return await entries(redis, live) == list(range(1, live.hub.state("events").top + 1))

        await until(is_filled)
        before = carried(live)

        async def is_carried():
            await live.append()
            await client.messages(1)
            return carried(live) > before

        await until(is_carried)
    # What came is what is stored, once each and in order, whichever way it took.
    await client.nothing_more()


async def test_without_a_relay_messages_come_from_the_database(live_with, server):
    live = await live_with(live=settings(server))
    client = await live.connect()
    for _ in range(3):
        await live.append()
    assert await client.sequences(3) == [1, 2, 3]
    assert carried(live) == 0


@pytest.mark.req(206)
async def test_what_redis_lacks_in_between_is_read_from_the_database(live_with, server, redis):
    live = await live_with(live=settings(server, poll_s=0.1))
    client = await live.connect()
    async with live.platform.database.transaction() as tx:
        for number in range(6):
            await live.platform.live.append(tx, LiveMessage("events", "event", {"n": number}))
    async with live.platform.database.transaction() as tx:
        stored = await read_last(tx, "events", top=6, limit=10)
    key = key_of("events", live.hub.state("events").epoch)
    for message in stored:
        if message.sequence not in (3, 4):
            await redis.xadd(key, to_fields(message), id=f"{message.sequence}-0")
    assert [(m["sequence"], m["data"]["n"]) for m in await client.messages(6)] == [(n + 1, n) for n in range(6)]
    await client.nothing_more()


async def test_relays_side_by_side_copy_each_message_once_and_in_order(live_with, server, redis):
    lives = [await live_with(live=settings(server)) for _ in range(2)]
    async with running(relay_of(lives[0])), running(relay_of(lives[1])):
        for _ in range(50):
            await asyncio.gather(*(live.append() for live in lives))

        async def is_whole():
            return len(await entries(redis, lives[0])) == 100

        await until(is_whole)
    assert await entries(redis, lives[0]) == list(range(1, 101))
    assert sum(live.metric("sightline_live_relayed_total", stream="events") for live in lives) == 100


async def test_a_relay_that_starts_later_goes_on_where_redis_stands(live_with, server, redis):
    live = await live_with(live=settings(server))
    async with running(relay_of(live)):
        await live.append_many(3)

        async def has_three():
            return await entries(redis, live) == [1, 2, 3]

        await until(has_three)
    await live.append_many(3)
    async with running(relay_of(live)):

        async def has_six():
            return await entries(redis, live) == [1, 2, 3, 4, 5, 6]

        await until(has_six)


@pytest.mark.req(212)
async def test_a_new_epoch_begins_a_stream_of_its_own(live_with, server, redis):
    live = await live_with(live=settings(server, poll_s=0.1))
    client = await live.connect()
    async with running(relay_of(live)):
        await live.append()
        await client.messages(1)
        old = live.hub.state("events").epoch
        await until(partial(holds, redis, live, 1))
        async with live.platform.database.transaction() as tx:
            await tx.execute("SELECT sightline.renew_live_epochs()")
        assert (await client.next_of("gap"))["data"]["reason"] == "epoch_changed"
        await live.append()
        assert await client.sequences(1) == [2]
        assert live.hub.state("events").epoch != old
        await until(partial(holds, redis, live, 2))
    assert await redis.ttl(key_of("events", old)) > 0  # and the old one is forgotten in time


async def test_the_relay_is_a_service_of_the_schedule_where_redis_is_set(platform_with):
    with_redis = await platform_with(live=LiveSettings(redis_url="redis://127.0.0.1:1"))
    without = await platform_with()
    names = [[service.name for service in services_of("schedule", one)] for one in (with_redis, without)]
    assert ["live-relay" in one for one in names] == [True, False]


async def test_a_missing_client_and_a_wrong_address_are_said_at_the_start(platform_with, monkeypatch):
    with pytest.raises(ConfigurationError, match="SIGHTLINE_LIVE_REDIS_URL is not a valid Redis URL"):
        await platform_with(live=LiveSettings(redis_url="http://127.0.0.1"))
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(ConfigurationError, match=r"sightline\[redis\]"):
        await platform_with(live=LiveSettings(redis_url="redis://127.0.0.1"))
