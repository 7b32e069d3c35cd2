"""Consumers: what a handler does and its acknowledgement are one, and nothing is lost, doubled or held for ever."""

import asyncio
import json
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import asyncpg
import pytest

from sightline.bus import Attribute, Delivery, Queue, QueueMessage, TopicMessage, Topology
from sightline.contracts.message_events import parse_message_event
from sightline.errors import TransientFailure
from sightline.observability import correlation_id, work_context
from sightline.supervisor import Supervisor
from sightline.timing import Backoff, utc_now
from support.integration_bus import consumer_for, effects, send, table_of_effects
from support.waiting import soon, until


@pytest.mark.req(43, 302)
async def test_the_work_and_the_acknowledgement_commit_together(use):
    await table_of_effects(use)
    attempts = 0

    async def handler(delivery: Delivery) -> None:
        nonlocal attempts
        attempts += 1
        async with delivery.transaction() as tx:
            await tx.execute("INSERT INTO effects VALUES ($1)", delivery.received.body)
            if attempts == 1:
                raise TransientFailure("the disk hiccuped after the insert")

    await send(use, "work", "a")
    async with use.consuming(consumer_for(use, handler)):
        await until(lambda: attempts == 2)
        await until(lambda: _is_empty(use, "work"))
    assert await effects(use) == ["a"]


async def test_a_handler_without_a_transaction_is_acknowledged_when_it_returns(use):
    seen: list[str] = []

    async def handler(delivery: Delivery) -> None:
        seen.append(delivery.received.body)

    await send(use, "work", *"abc")
    async with use.consuming(consumer_for(use, handler)):
        await until(lambda: _is_empty(use, "work"))
    assert sorted(seen) == ["a", "b", "c"]


@pytest.mark.req(42, 151, 152)
async def test_a_malformed_message_becomes_a_dead_letter_with_the_reason_and_the_rest_proceeds(use):
    done: list[dict[str, Any]] = []

    async def handler(delivery: Delivery) -> None:
        done.append(delivery.payload())

    await send(use, "work", "not json", json.dumps({"n": 1}), "[1]", json.dumps({"n": 2}))
    async with use.consuming(consumer_for(use, handler)):
        await until(lambda: _is_empty(use, "work"))
    assert sorted(one["n"] for one in done) == [1, 2]
    letters = await use.bus.peek("work", limit=10)
    assert [(letter.body, letter.source_queue) for letter in letters] == [("not json", "work"), ("[1]", "work")]
    assert "the message is not JSON" in str(letters[0].dead_reason)


@pytest.mark.req(171, 172)
async def test_a_failing_message_is_tried_max_receives_times_and_keeps_its_last_error(use):
    tries: list[int | None] = []

    async def handler(delivery: Delivery) -> None:
        tries.append(delivery.received.receive_count)
        raise ConnectionError(f"attempt {len(tries)} refused")

    await send(use, "work", "x")
    async with use.consuming(consumer_for(use, handler)):
        await until(lambda: _count(use, "work-dlq"))
    assert tries == [1, 2, 3]
    (letter,) = await use.bus.peek("work", limit=1)
    assert letter.dead_reason == "ConnectionError: attempt 3 refused"
    assert letter.receive_count == 3


async def test_a_failed_message_waits_longer_each_time(use):
    consumer = consumer_for(use, _failing, first_s=300.0)
    before = utc_now()
    await send(use, "work", "x")
    async with use.consuming(consumer):
        await until(lambda: _is_parked(use))
    async with use.database.transaction() as tx:
        parked_until = await tx.fetchval("SELECT parked_until FROM sightline.bus_messages")
    assert before + timedelta(seconds=200) < parked_until <= utc_now() + timedelta(seconds=360)


@pytest.mark.req(177)
async def test_a_long_handler_keeps_its_claim(open_bus):
    use = await open_bus(Topology(topics=(), queues=(Queue("slow", visibility_s=600, wait_s=0),)))
    running, starts = asyncio.Event(), 0

    async def handler(_delivery: Delivery) -> None:
        nonlocal starts
        starts += 1
        await running.wait()

    await send(use, "slow", "long")
    async with (
        use.consuming(consumer_for(use, handler, queue="slow", heartbeat_s=0.05)),
        use.consuming(consumer_for(use, handler, queue="slow", heartbeat_s=0.05)),
    ):
        await until(lambda: starts == 1)
        for _ in range(3):  # what would have ended it is moved on, again and again
            async with use.database.transaction() as tx:
                ends = await tx.fetchval("SELECT visible_at FROM sightline.bus_messages")
            await until(partial(_is_extended_beyond, use, ends))
        assert starts == 1
        running.set()
        await until(lambda: _is_empty(use, "slow"))


async def test_a_handler_that_never_ends_times_out(use):
    async def handler(_delivery: Delivery) -> None:
        await asyncio.Event().wait()

    await send(use, "work", "x")
    async with use.consuming(consumer_for(use, handler, handler_timeout=timedelta(milliseconds=50))):
        await until(lambda: _count(use, "work-dlq"))
    (letter,) = await use.bus.peek("work", limit=1)
    assert "TimeoutError" in str(letter.dead_reason)


async def test_a_handler_that_lost_its_message_changes_nothing(open_bus):
    use = await open_bus(Topology(topics=(), queues=(Queue("short", visibility_s=600, wait_s=0),)))
    await table_of_effects(use)
    entered, go_on = asyncio.Event(), asyncio.Event()

    async def handler(delivery: Delivery) -> None:
        async with delivery.transaction() as tx:
            await tx.execute("INSERT INTO effects VALUES ('too late')")
            entered.set()
            await go_on.wait()

    await send(use, "short", "x")
    async with use.consuming(consumer_for(use, handler, queue="short", concurrency=1)):
        await soon(entered.wait())
        async with use.database.transaction() as tx:
            await tx.execute("UPDATE sightline.bus_messages SET visible_at = now()")
        (elsewhere,) = await use.bus.receive("short", wait_s=0)
        go_on.set()
    assert await use.bus.delete("short", [elsewhere.receipt]) == []
    assert await effects(use) == []


async def test_a_stop_lets_work_finish(use):
    started, finish = asyncio.Event(), asyncio.Event()
    done: list[str] = []

    async def handler(delivery: Delivery) -> None:
        started.set()
        await finish.wait()
        done.append(delivery.received.body)

    await send(use, "work", "quick")
    stop = asyncio.Event()
    running = asyncio.create_task(consumer_for(use, handler).run(stop, lambda: None))
    await soon(started.wait())
    stop.set()
    await asyncio.sleep(0)
    finish.set()
    await soon(running)
    assert done == ["quick"]
    assert await use.counts("work") == (0, 0, 0)


async def test_unfinished_work_is_returned_after_a_stop_without_counting_the_receive(use):
    started = asyncio.Event()

    async def handler(_delivery: Delivery) -> None:
        started.set()
        await asyncio.Event().wait()

    await send(use, "work", "stuck")
    async with use.consuming(consumer_for(use, handler, grace_s=0.05)):
        await soon(started.wait())
    (back,) = await use.bus.receive("work", wait_s=20)
    assert (back.body, back.receive_count) == ("stuck", 1)


async def test_no_more_messages_are_claimed_than_can_be_processed(use):
    running = asyncio.Event()

    async def handler(_delivery: Delivery) -> None:
        await running.wait()

    await send(use, "work", *(str(number) for number in range(10)))
    async with use.consuming(consumer_for(use, handler, concurrency=3)):
        await until(lambda: _in_flight(use, "work", 3))
        assert (await use.counts("work"))[0] == 7
        running.set()
        await until(lambda: _is_empty(use, "work"))


async def test_the_correlation_id_reaches_the_handler(use):
    seen: list[str | None] = []

    async def handler(_delivery: Delivery) -> None:
        seen.append(correlation_id())

    with work_context(correlation_id="abc-123"):
        async with use.database.transaction() as tx:
            await use.bus.publish(tx, TopicMessage("news", "{}"))
    async with use.consuming(consumer_for(use, handler)):
        await until(lambda: seen == ["abc-123"])


@pytest.mark.req(22)
@pytest.mark.parametrize("form", ["wrapped", "raw", "body"])
async def test_the_event_type_is_read_from_envelope_attributes_or_body(use, form: str):
    seen: list[str | None] = []

    async def handler(delivery: Delivery) -> None:
        seen.append(delivery.event_type)

    attributes = {"event_type": Attribute("String", "analysis_complete")}
    async with use.database.transaction() as tx:
        if form == "wrapped":
            await use.bus.publish(tx, TopicMessage("news", "{}", attributes))
        elif form == "raw":
            await use.bus.send(tx, "work", QueueMessage("{}", attributes))
        else:
            await use.bus.send(tx, "work", QueueMessage('{"event_type": "analysis_complete"}'))
    async with use.consuming(consumer_for(use, handler)):
        await until(lambda: seen == ["analysis_complete"])


@pytest.mark.req(160)
async def test_an_unsupported_schema_version_is_not_tried_again_but_buried_with_the_reason(use):
    tries = 0

    async def handler(delivery: Delivery) -> None:
        nonlocal tries
        tries += 1
        parse_message_event(delivery.payload())

    await send(use, "work", '{"schema_version": "3.0"}')
    async with use.consuming(consumer_for(use, handler)):
        await until(lambda: _count(use, "work-dlq"))
    assert tries == 1
    (letter,) = await use.bus.peek("work", limit=1)
    assert letter.dead_reason == "InvalidInput: unsupported schema version: 3.0"


async def test_a_consumer_survives_an_outage_of_the_database(use):
    seen: list[str] = []

    async def handler(delivery: Delivery) -> None:
        seen.append(delivery.received.body)

    supervisor = Supervisor(backoff=Backoff(first_s=0.01, max_s=0.1))
    await supervisor.start(consumer_for(use, handler))
    admin = await asyncpg.connect(use.admin_url)
    await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await admin.close()
    await until(lambda: _sent(use))
    await until(lambda: "after" in seen)
    await supervisor.stop()


async def _failing(_delivery: Delivery) -> None:
    raise TransientFailure("not now")


async def _is_empty(use, queue: str) -> bool:
    return await use.counts(queue) == (0, 0, 0)


async def _count(use, queue: str, wanted: int = 1) -> bool:
    return sum(await use.counts(queue)) == wanted


async def _in_flight(use, queue: str, wanted: int = 1) -> bool:
    return (await use.counts(queue))[1] == wanted


async def _is_extended_beyond(use, moment: datetime) -> bool:
    async with use.database.transaction() as tx:
        return bool(await tx.fetchval("SELECT visible_at > $1 FROM sightline.bus_messages", moment))


async def _is_parked(use) -> bool:
    async with use.database.transaction() as tx:
        return bool(await tx.fetchval("SELECT parked_until IS NOT NULL FROM sightline.bus_messages"))


async def _sent(use) -> bool:
    try:
        await send(use, "work", "after")
    except Exception:
        return False
    return True
