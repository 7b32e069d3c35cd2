"""The database goes away under a running hub, or its notifications do: messages are late, and none is lost."""

import pytest

from sightline.live import LiveFeed, LiveMessage, LiveSettings
from sightline.timing import Backoff
from support.waiting import until


async def append(database, count):
    """As another process does, which has its own way to the database."""
    for number in range(count):
        async with database.transaction() as tx:
            last = await LiveFeed().append(tx, LiveMessage("events", "event", {"n": number}))
    return last


@pytest.mark.req(204, 216, 217, 218)
async def test_after_all_retries_failed_the_messages_are_broadcast_once_the_database_is_back(
    live_with, database_wire, database
):
    live = await live_with(url=database_wire.url, hub={"backoff": Backoff(first_s=0.02, max_s=0.1)})
    client = await live.connect(client_id="phone")
    await append(database, 2)
    assert await client.sequences(2) == [1, 2]
    counts = live.hub.retries
    await until(lambda: counts.successful_broadcasts >= 1)
    assert (counts.failed_broadcasts, counts.retries_exhausted) == (0, 0)
    await database_wire.cut()
    await append(database, 5)  # who appends need not care
    await until(lambda: counts.retries_exhausted >= 2)
    await client.say(type="ack", sequence=2)
    assert (await client.next_of("error"))["error"] == "SERVICE_UNAVAILABLE"
    refused = await live.open(client_id="other")
    assert (await refused.end())[0] == 1013
    await database_wire.mend()
    assert await client.sequences(5) == [3, 4, 5, 6, 7]
    assert counts.failed_broadcasts >= 8
    assert counts.total_attempts == counts.successful_broadcasts + counts.failed_broadcasts
    assert sum(counts.retry_counts.values()) == counts.successful_broadcasts
    assert (await client.ack(2))["data"]["mark"] == 2


@pytest.mark.req(216)
async def test_a_short_cut_is_bridged_by_retries_and_a_new_connection_ends_the_pause_early(
    live_with, database_wire, database
):
    paused = {"backoff": Backoff(first_s=3600.0, max_s=3600.0)}
    live = await live_with(url=database_wire.url, hub=paused, live=LiveSettings(poll_s=0.1))
    client = await live.connect()
    await database_wire.cut()
    await append(database, 1)
    await until(lambda: live.hub.retries.failed_broadcasts >= 1)
    await database_wire.mend()
    assert await client.sequences(1) == [1]  # long before the pause is over: the listener is back and says so
    assert live.hub.retries.retry_counts == {1: 1}


@pytest.mark.req(204)
async def test_without_notifications_the_poll_finds_the_messages(live_with, database):
    live = await live_with(live=LiveSettings(poll_s=0.05))
    client = await live.connect()
    async with database.transaction() as tx:
        await tx.execute(
            "INSERT INTO live_streams (stream, top) VALUES ('events', 1) ON CONFLICT (stream) DO UPDATE SET top = 1"
        )
        await tx.execute(
            "INSERT INTO live_messages (stream, sequence, type, data) VALUES ('events', 1, 'event', '{}')"
        )  # by hand, so that nobody is notified
    assert await client.sequences(1) == [1]
