"""The bus: publish → filtered fan-out to three queues → consumed and acknowledged; and whether receiving stays flat.

.venv/bin/python benchmarks/bus.py [--quick] [--json] [--only fan-out]
"""

import asyncio
import json
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

import asyncpg

from harness import Result, compared, in_turns, main, postgres, server_cpu_s
from sightline.bus import (
    Attribute,
    BatchHandler,
    Consumer,
    ConsumerOptions,
    Delivery,
    Names,
    PostgresBus,
    Queue,
    QueueMessage,
    Subscription,
    TopicMessage,
    Topology,
)
from sightline.db import Database, DatabaseSettings, EmbeddedPostgres, Listener, Transaction, open_database

BODY = (
    '{"id": "a1b2c3d4-e5f6-7890-abcd-ef1234567890", "video_id": "11111111-2222-3333-4444-555555555555", '
    '"start_time": "00:01:23", "end_time": "00:01:45", "event_candidates": [{"id": "f6e5d4c3-b2a1-0987-fedc-ba0987654321", '
    '"role": "athlete in white gi", "skill_name": "Double Leg Takedown", "category": "STANDUP_GAME", "confidence": 0.85}]}'
)
ATTRIBUTES = {
    "event_type": Attribute("String", "bjj_event_detected"),
    "category": Attribute("String", "STANDUP_GAME"),
    "event_index": Attribute("Number", "3"),
    "total_events": Attribute("Number", "12"),
}
QUEUES = ("all", "clips", "standup")
TOPOLOGY = Topology(
    topics=("events",),
    queues=(*(Queue(name) for name in QUEUES), Queue("none")),
    subscriptions=(
        Subscription("events", "all"),
        Subscription("events", "clips", {"event_type": ["bjj_event_detected"]}),
        Subscription("events", "standup", {"category": [{"exists": False}, "SUBMISSION_OFFENSE", "STANDUP_GAME"]}),
        Subscription("events", "none", {"event_type": ["analysis_complete"]}),
    ),
)
BATCH = 500
PUBLISHERS = 2


async def fan_out(is_quick: bool) -> Result:
    messages, turns = (4_000, 3) if is_quick else (10_000, 9)
    async with postgres() as server, AsyncExitStack() as stack:
        database = await connect(server, stack)
        bus = await start_bus(server, database, stack)
        await _make_bare_table(server)
        found = await in_turns(
            server,
            turns,
            messages,
            {
                "embedded": lambda: measure_rate(messages, publishing(bus, database), consuming(bus, database)),
                "bare": lambda: measure_rate(messages, _bare_publish(database), _bare_consume(database)),
                "claimed": lambda: measure_rate(
                    messages, _bare_publish(database), _bare_consume(database, has_claim=True)
                ),
            },
        )
    figures, ratios = compared(found, "embedded", "bare")
    for ours, other in (("embedded", "claimed"), ("claimed", "bare")):
        ratios |= compared(found, ours, other)[1]
    return Result(
        "fan-out to 3 of 4 queues, batches of 500",
        figures,
        "messages; medians of turns",
        ratios,
        [
            "two publishers and three consumers at work at once; default durability; the bare loop claims by DELETE … RETURNING",
            "claimed is the bare loop with a claim that survives a crash: an UPDATE and its commit before the DELETE",
        ],
    )


async def flatness(is_quick: bool) -> Result:
    """Cost of a receive and acknowledge of ten, by what else is in the table."""
    sizes = (1_000, 20_000) if is_quick else (1_000, 100_000, 1_000_000)
    figures: dict[str, float] = {}
    async with postgres() as server, AsyncExitStack() as stack:
        database = await connect(server, stack)
        bus = await start_bus(server, database, stack)
        waiting = 0
        for size in sizes:
            await _fill(bus, database, size - waiting)
            figures[f"{size:,} waiting"] = await _receive_cost_us(bus)
            waiting = size - 2_000
        await consuming(bus, database, ("all",))(waiting)
        await _fill(bus, database, 5_000)
        figures[f"after {max(sizes):,} were consumed"] = await _receive_cost_us(bus)
    first, last = next(iter(figures.values())), max(list(figures.values())[1:])
    return Result("receive and acknowledge 10", figures, "µs per message", {"worst / 1,000 waiting": last / first})


async def decay(is_quick: bool) -> Result:
    """Throughput at the start and at the end of a steady run."""
    seconds = 20 if is_quick else 600
    async with postgres() as server, AsyncExitStack() as stack:
        database = await connect(server, stack)
        bus = await start_bus(server, database, stack)
        counts: list[int] = []
        costs: list[float] = []
        handled = 0

        async def handler(_tx: Transaction, batch: Sequence[Delivery]) -> None:
            nonlocal handled
            handled += len(batch)

        stop = asyncio.Event()
        tasks = [
            asyncio.create_task(_consumer(bus, database, name, handler).run(stop, lambda: None)) for name in QUEUES
        ]
        tasks.append(asyncio.create_task(_publish_until(bus, database, stop, lambda: handled)))
        for _ in range(10):
            before, used = handled, server_cpu_s(server)
            await asyncio.sleep(seconds / 10)
            counts.append(handled - before)
            costs.append((server_cpu_s(server) - used) / max(handled - before, 1) * 1e6)
        stop.set()
        await asyncio.gather(*tasks)
    rates = [count / (seconds / 10) for count in counts]
    return Result(
        f"steady run of {seconds} s",
        {
            "first tenth": rates[0],
            "best tenth": max(rates),
            "last tenth": rates[-1],
            "server CPU, first tenth, µs per delivery": costs[0],
            "server CPU, last tenth, µs per delivery": costs[-1],
        },
        "deliveries/s",
        {"last / first tenth": rates[-1] / rates[0], "server CPU, last / first tenth": costs[-1] / costs[0]},
    )


async def connect(server: EmbeddedPostgres, stack: AsyncExitStack) -> Database:
    database = await open_database(DatabaseSettings(pool_min=0), server.url)
    stack.callback(database.terminate)
    return database


async def start_bus(server: EmbeddedPostgres, database: Database, stack: AsyncExitStack) -> PostgresBus:
    listener = Listener(server.url)
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(listener.run(stop, ready.set))
    await ready.wait()

    async def close() -> None:
        stop.set()
        await task

    stack.push_async_callback(close)
    bus = PostgresBus(database, listener, TOPOLOGY, Names())
    await bus.create()
    return bus


async def measure_rate(
    messages: int, publish: Callable[[int], Awaitable[None]], consume: Callable[[int], Awaitable[None]]
) -> float:
    started = time.perf_counter()
    await asyncio.gather(*(publish(messages // PUBLISHERS) for _ in range(PUBLISHERS)), consume(messages))
    return messages / (time.perf_counter() - started)


def publishing(bus: PostgresBus, database: Database) -> Callable[[int], Awaitable[None]]:
    async def publish(messages: int) -> None:
        for _ in range(messages // BATCH):
            async with database.transaction() as tx:
                await bus.publish(tx, *(TopicMessage("events", BODY, ATTRIBUTES) for _ in range(BATCH)))

    return publish


async def _publish_until(bus: PostgresBus, database: Database, stop: asyncio.Event, handled: Callable[[], int]) -> None:
    publish, published = publishing(bus, database), 0
    while not stop.is_set():
        await publish(BATCH)
        published += BATCH * len(QUEUES)
        # Not faster than it is consumed: a growing backlog would measure something else.
        while not stop.is_set() and published - handled() > 12 * BATCH:  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def _consumer(bus: PostgresBus, database: Database, queue: str, handler: BatchHandler) -> Consumer:
    options = ConsumerOptions(batch=BATCH, concurrency=4, wait_s=1.0)
    return Consumer(queue, queues=bus, database=database, batch_handler=handler, options=options)


def consuming(bus: PostgresBus, database: Database, queues: Sequence[str] = QUEUES) -> Callable[[int], Awaitable[None]]:
    async def consume(messages: int) -> None:
        stop, left = asyncio.Event(), messages * len(queues)

        async def handler(_tx: Transaction, batch: Sequence[Delivery]) -> None:
            nonlocal left
            left -= len(batch)
            if left <= 0:
                stop.set()

        await asyncio.gather(*(_consumer(bus, database, name, handler).run(stop, lambda: None) for name in queues))

    return consume


async def _make_bare_table(server: EmbeddedPostgres) -> None:
    admin = await asyncpg.connect(server.admin_url)
    await admin.execute(
        "CREATE TABLE bare (queue_id smallint, seq bigint GENERATED ALWAYS AS IDENTITY, message_id uuid, sent_at timestamptz"
        " DEFAULT now(), visible_at timestamptz DEFAULT now(), receive_count integer DEFAULT 0, topic text, body text,"
        " attributes text, PRIMARY KEY (queue_id, seq));"
        "ALTER TABLE bare SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);"
        "GRANT ALL ON bare TO sightline_worker"
    )
    await admin.close()


def _bare_publish(database: Database) -> Callable[[int], Awaitable[None]]:
    attributes = json.dumps({name: {"Type": one.data_type, "Value": one.value} for name, one in ATTRIBUTES.items()})

    async def publish(messages: int) -> None:
        rows = BATCH * len(QUEUES)
        for _ in range(messages // BATCH):
            ids = [str(uuid.uuid4()) for _ in range(BATCH)]
            async with database.transaction() as tx:
                await tx.execute(
                    "INSERT INTO bare (queue_id, message_id, topic, body, attributes)"
                    " SELECT * FROM unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::text[])",
                    [0, 1, 2] * BATCH,
                    [one for one in ids for _ in QUEUES],
                    ["events"] * rows,
                    [BODY] * rows,
                    [attributes] * rows,
                )

    return publish


_NEXT = (
    "WHERE ctid = ANY (ARRAY(SELECT ctid FROM bare WHERE queue_id = $1 AND visible_at <= now() ORDER BY seq LIMIT $2"
    " FOR UPDATE SKIP LOCKED)) RETURNING seq, receive_count, message_id, topic, body, attributes"
)
_TAKE = f"DELETE FROM bare {_NEXT}"
_CLAIM = f"UPDATE bare SET visible_at = now() + interval '30 s', receive_count = receive_count + 1 {_NEXT}"
_DELETE = "DELETE FROM bare WHERE queue_id = $1 AND seq = ANY ($2::bigint[]) AND receive_count = 1 RETURNING seq"


def _bare_consume(database: Database, *, has_claim: bool = False) -> Callable[[int], Awaitable[None]]:
    async def one_queue(queue_id: int, messages: int) -> None:
        while messages > 0:
            async with database.transaction(by_index=True) as tx:
                rows = await tx.fetch(_CLAIM if has_claim else _TAKE, queue_id, BATCH)
            if has_claim and rows:
                async with database.transaction(by_index=True) as tx:
                    await tx.fetch(_DELETE, queue_id, [row["seq"] for row in rows])
            messages -= len(rows)
            if not rows:
                await asyncio.sleep(0.001)

    async def consume(messages: int) -> None:
        await asyncio.gather(*(one_queue(number, messages) for number in range(len(QUEUES))))

    return consume


async def _fill(bus: PostgresBus, database: Database, messages: int) -> None:
    for _ in range(max(0, messages) // 1000):
        async with database.transaction() as tx:
            await bus.send(tx, "all", *(QueueMessage(BODY, ATTRIBUTES) for _ in range(1000)))


async def _receive_cost_us(bus: PostgresBus) -> float:
    """Median over blocks, since the machine is shared."""
    blocks = []
    for _ in range(20):
        started = time.perf_counter()
        for _ in range(10):
            received = await bus.receive("all", limit=10, wait_s=0)
            await bus.delete("all", [one.receipt for one in received])
        blocks.append((time.perf_counter() - started) / 100 * 1e6)
    return sorted(blocks)[len(blocks) // 2]


if __name__ == "__main__":
    main(__doc__ or "", {"fan-out": fan_out, "flatness": flatness, "decay": decay})
