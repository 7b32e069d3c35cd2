"""Admission to the feed while the database is slow: who waits, who leaves, and what a handshake costs."""

from contextlib import asynccontextmanager

import httpx
import pytest

from support.live_rig import open_socket
from support.waiting import until


@asynccontextmanager
async def devices_locked(live):
    """Handshakes of devices stop in the middle of their transaction."""
    async with live.platform.database.transaction() as tx:
        await tx.execute("LOCK TABLE live_clients IN ACCESS EXCLUSIVE MODE")
        yield tx


async def waiting_for_the_lock(live, count):
    async def are_waiting():
        async with live.platform.database.transaction() as tx:
            found = await tx.fetchval(
                "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                " WHERE NOT granted AND relation = 'live_clients'::regclass AND datname = current_database()"
            )
        return found == count

    await until(are_waiting)


@pytest.mark.req(1080)
async def test_clients_that_left_give_up_their_place_at_once(live):
    async with devices_locked(live):
        gone = [await open_socket(live.port, "events", client_id=f"device-{number}") for number in range(12)]
        await waiting_for_the_lock(live, 4)  # the others wait behind them
        for socket in gone:
            socket.transport.abort()
        # Greeted although the lock is still held: neither a place in the queue nor one in the database is taken any more.
        client = await live.connect()
        await waiting_for_the_lock(live, 0)
    number = await live.append()
    assert await client.sequences(1) == [number]
    assert live.metric("sightline_live_connections", stream="events") == 1


@pytest.mark.req(1080)
async def test_a_request_without_a_socket_gives_up_its_place_too(live):
    async with devices_locked(live):
        for _ in range(8):
            with pytest.raises(httpx.ReadTimeout):
                await live.http.get("/api/live", params={"client_id": "tablet", "wait": 0}, timeout=0.2)
        assert (await live.http.get("/api/live", params={"wait": 0})).status_code == 200
        await waiting_for_the_lock(live, 0)


@pytest.mark.req(1081)
async def test_what_a_client_sends_before_its_greeting_is_answered_after_it(live):
    async with devices_locked(live):
        client = await live.open(client_id="tablet")
        await client.say(type="ping")
        await client.say(type="nonsense")
        await waiting_for_the_lock(live, 1)
    assert [(await client.next())["type"] for _ in range(3)] == ["hello", "pong", "error"]


@pytest.fixture
def transactions(live, monkeypatch):
    """The transactions of callers and of the platform, as they begin."""
    begun = []
    database = live.platform.database
    for name in ("as_caller", "transaction"):
        original = getattr(database, name)

        def counted(*args, original=original, name=name, **options):
            begun.append(name)
            return original(*args, **options)

        monkeypatch.setattr(database, name, counted)
    return begun


@pytest.mark.req(1082)
async def test_a_handshake_is_one_transaction_whatever_the_client_missed(live, transactions):
    first = await live.connect(client_id="tablet")
    numbers = await live.append_many(3, requires_ack=True)
    assert await first.sequences(3) == numbers
    epoch = first.hello["epoch"]
    await first.close()
    await until(lambda: live.metric("sightline_live_connections", stream="events") == 0)
    transactions.clear()
    again = await live.open(client_id="tablet", last_sequence=numbers[0], epoch=epoch)
    for kind in ("hello", "resumed"):
        assert (await again.next())["type"] == kind
    assert await again.sequences(3) == [*numbers[1:], numbers[0]]  # the last one again, since it was not acknowledged
    assert transactions.count("as_caller") == 1


@pytest.mark.req(1082)
async def test_a_handshake_of_which_memory_knows_everything_needs_no_transaction(live, transactions):
    first = await live.connect()
    await live.append_many(2)
    transactions.clear()
    second = await live.open(last_sequence=1, epoch=first.hello["epoch"])
    assert [(await second.next())["type"] for _ in range(3)] == ["hello", "resumed", "event"]
    assert "as_caller" not in transactions


@pytest.mark.req(1083)
async def test_a_device_that_returns_within_the_hour_writes_nothing(live):
    async def seen_at():
        async with live.platform.database.transaction() as tx:
            return await tx.fetchval("SELECT seen_at FROM live_clients WHERE client_id = 'tablet'")

    await (await live.connect(client_id="tablet")).close()
    first = await seen_at()
    await (await live.connect(client_id="tablet")).close()
    assert await seen_at() == first
    async with live.platform.database.transaction() as tx:
        await tx.execute("UPDATE live_clients SET seen_at = now() - interval '2 hours'")
    await (await live.connect(client_id="tablet")).close()
    assert await seen_at() > first
