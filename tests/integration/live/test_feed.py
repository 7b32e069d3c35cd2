"""Numbers without a gap, whoever writes, whatever is rolled back; and how long messages are kept."""

import asyncio
import json
import random
import uuid
from contextlib import suppress

import asyncpg
import pytest

from sightline.db import open_database
from sightline.errors import InvalidInput, NotFound
from sightline.live import LiveFeed, LiveMessage, LiveSweep
from support.postgres import patient_settings
from support.waiting import soon

OWNER, OTHER, TEAM = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()


def message(stream="events", **more):
    return LiveMessage(stream, "event", {"id": 1}, **more)


class Nope(Exception):
    pass


@pytest.mark.req(206)
async def test_numbers_rise_by_one_per_message_on_each_stream(database):
    feed = LiveFeed()
    async with database.transaction() as tx:
        assert [await feed.append(tx, message()) for _ in range(3)] == [1, 2, 3]
        assert await feed.append(tx, message("videos")) == 1
    async with database.transaction() as tx:
        assert await feed.append(tx, message()) == 4


@pytest.mark.req(206)
async def test_a_rollback_leaves_no_hole_and_no_message(database):
    feed = LiveFeed()
    for _ in range(3):
        with pytest.raises(Nope):
            async with database.transaction() as tx:
                await feed.append(tx, message())
                raise Nope
    async with database.transaction() as tx:
        assert await feed.append(tx, message()) == 1
        assert await tx.fetchval("SELECT count(*) FROM live_messages") == 1


@pytest.mark.req(206, 207)
async def test_concurrent_writers_and_rollbacks_leave_no_hole_and_a_reader_by_number_misses_nothing(
    fresh_database,
):
    """The reader moves its cursor to the last number it saw. If numbers did not follow commits, it would skip some."""
    database = await open_database(patient_settings(pool_max=9), fresh_database.url)
    feed, chance = LiveFeed(), random.Random(7)
    seen: list[int] = []
    is_over = asyncio.Event()

    async def write(seed):
        own = random.Random(seed)
        for _ in range(30):
            with suppress(Nope):
                async with database.transaction() as tx:
                    for _ in range(own.randrange(1, 4)):
                        await feed.append(tx, message())
                    if own.random() < 0.3:
                        raise Nope

    async def read():
        cursor = 0
        while not is_over.is_set() or cursor < await top():
            async with database.transaction() as tx:
                rows = await tx.fetch(
                    "SELECT sequence FROM live_messages WHERE sequence > $1 ORDER BY sequence", cursor
                )
            seen.extend(row["sequence"] for row in rows)
            cursor = seen[-1] if seen else 0
            await asyncio.sleep(0)

    async def top():
        async with database.transaction() as tx:
            return await tx.fetchval("SELECT coalesce(max(top), 0) FROM live_streams")

    reading = asyncio.create_task(read())
    await asyncio.gather(*(write(chance.random()) for _ in range(6)))
    is_over.set()
    await reading
    assert len(seen) > 100
    assert seen == list(range(1, await top() + 1))
    database.terminate()


async def test_the_number_is_told_to_listeners_with_the_commit(database, fresh_database):
    heard: asyncio.Queue[str] = asyncio.Queue()
    connection = await asyncpg.connect(fresh_database.url)
    await connection.add_listener("sightline_live", lambda *said: heard.put_nowait(said[3]))
    async with database.transaction() as tx:
        await LiveFeed().append(tx, message("videos"))
        assert heard.empty()
    assert (await soon(heard.get())).startswith("videos 1 ")
    await connection.close()


async def test_what_was_said_is_stored_as_it_was_said(database):
    data = {"id": 1, "event_id": 1, "summary": "Naïve ☃ ' \" \\ \x01", "nested": {"b": [1.5, None], "a": True}}
    async with database.transaction() as tx:
        await LiveFeed().append(tx, LiveMessage("events", "event", data, owner_id=OWNER, team_id=TEAM, topic="a.b"))
        row = await tx.fetchrow("SELECT *, data::text AS text FROM live_messages")
    assert json.loads(row["text"]) == data
    assert list(json.loads(row["text"])) == list(data)
    assert (row["owner_id"], row["team_id"], row["topic"], row["requires_ack"]) == (OWNER, TEAM, "a.b", False)


async def test_an_unknown_stream_and_unfit_data_are_refused_before_anything_is_locked(database):
    feed = LiveFeed()
    async with database.transaction() as tx:
        with pytest.raises(NotFound, match="no live stream 'gossip'; there are events, videos"):
            await feed.append(tx, message("gossip"))
        with pytest.raises(InvalidInput):
            await feed.append(tx, LiveMessage("events", "event", {"x": float("inf")}))
        assert await feed.append(tx, message()) == 1


async def test_people_can_read_what_is_theirs_and_write_nothing(database):
    feed = LiveFeed()
    async with database.transaction() as tx:
        for whose in ({}, {"owner_id": OWNER}, {"owner_id": OTHER}, {"owner_id": OTHER, "team_id": TEAM}):
            await feed.append(tx, message(**whose))
    claims = {"sub": str(OWNER), "team_ids": [str(TEAM)]}
    async with database.as_caller(claims) as tx:
        assert [row[0] for row in await tx.fetch("SELECT sequence FROM live_messages ORDER BY 1")] == [1, 2, 4]
    for statement in (
        "INSERT INTO live_streams (stream) VALUES ('mine')",
        "UPDATE live_streams SET top = 99",
        "DELETE FROM live_messages",
        "INSERT INTO live_acks VALUES ('events', 1, gen_random_uuid(), 'c')",
        "SELECT * FROM live_clients",
        "SELECT sightline.renew_live_epochs()",
    ):
        with pytest.raises(Exception, match="permission denied"):
            async with database.as_caller(claims) as tx:
                await tx.execute(statement)


async def test_messages_devices_and_acknowledgements_vanish_after_seven_days(database):
    feed, sweep = LiveFeed(), LiveSweep(database, retention_days=7)
    async with database.transaction() as tx:
        for _ in range(3):
            await feed.append(tx, message(requires_ack=True))
        await tx.execute("UPDATE live_messages SET created_at = now() - interval '7 days 1 minute' WHERE sequence = 1")
        await tx.execute("UPDATE live_messages SET created_at = now() - interval '6 days 23 hours' WHERE sequence = 2")
        await tx.execute(
            "INSERT INTO live_acks SELECT 'events', n, $1, 'device' FROM generate_series(1, 3) AS n", OWNER
        )
        await tx.execute(
            "INSERT INTO live_clients (stream, user_id, client_id, since, seen_at) VALUES"
            " ('events', $1, 'old', 0, now() - interval '8 days'), ('events', $1, 'device', 0, now())",
            OWNER,
        )
    assert await sweep.sweep() == 1
    assert await sweep.sweep() == 0
    async with database.transaction() as tx:
        assert [row[0] for row in await tx.fetch("SELECT sequence FROM live_messages ORDER BY 1")] == [2, 3]
        assert [row[0] for row in await tx.fetch("SELECT sequence FROM live_acks ORDER BY 1")] == [2, 3]
        assert [row[0] for row in await tx.fetch("SELECT client_id FROM live_clients")] == ["device"]
        assert await feed.append(tx, message()) == 4  # numbers go on whatever was removed
