"""Technique events: throughput of the consumer, and memory of a very long analysis.

.venv/bin/python benchmarks/techniques.py [--quick] [--json] [--only consumer]
"""

import asyncio
import random
import resource
import time
import uuid
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import psutil

from harness import Result, main, postgres
from sightline.bus import (
    TECHNIQUE_TOPIC,
    Delivery,
    Names,
    PlainReceived,
    PostgresBus,
    SnsNotification,
    TopicMessage,
    default_topology,
)
from sightline.contracts.technique_events import parse_technique
from sightline.db import Database, DatabaseSettings, EmbeddedPostgres, Listener, Transaction, open_database
from sightline.live import LiveFeed
from sightline.techniques import Publisher, TechniqueBatchHandler, TechniqueClip, technique_consumer
from sightline.techniques import publications_store as publications

RUNS = 20
REPEATED = 0.2
BATCH = 500
FPS = 30.0


async def consumer(is_quick: bool) -> Result:
    """Shuffled, a fifth of them twice; against the same rows upserted by bare asyncpg, without counting or finalizing."""
    events = 4_000 if is_quick else 20_000
    ours, bare, with_bus = [], [], []
    async with postgres() as server, AsyncExitStack() as stack:
        database, bus, _ = await _open(server, stack)
        for _ in range(1 if is_quick else 2):
            messages = await _published(database, bus, events)
            deliveries = [_delivery(message, bus, database) for message in messages]
            ours.append(len(messages) / await _handle_all(database, bus, deliveries))
            bare.append(len(messages) / await _upsert(server, messages))
            with_bus.append(await _through_the_bus(database, bus, events))
    best, limit = max(ours), max(bare)
    return Result(
        f"consumer, {events:,} events of {RUNS} videos, 20 % twice, shuffled, batches of {BATCH}",
        {
            "consumer (read, store, count, finalize)": best,
            "bare asyncpg upsert of the same rows": limit,
            "consumer from the queue, acknowledged": max(with_bus),
        },
        "messages/s, best of rounds",
        {"consumer / bare": best / limit, "consumer from the queue / bare": max(with_bus) / limit},
        [
            "one transaction per batch, default durability; the bare loop reads the same JSON and writes events and candidates"
        ],
    )


async def long_run(is_quick: bool) -> Result:
    """One video with very many events: published, stored, finalized."""
    sizes = (2_000, 10_000) if is_quick else (10_000, 100_000)
    figures: dict[str, float] = {}
    process = psutil.Process()
    async with postgres() as server, AsyncExitStack() as stack:
        database, bus, _ = await _open(server, stack)
        for size in sizes:
            clips = _clips(size)
            before = process.memory_info().rss
            peak = asyncio.create_task(_peak_rss(process))
            started = time.perf_counter()
            video, job = uuid.uuid4(), uuid.uuid4()
            await _publish(database, bus, video, job, clips)
            published = time.perf_counter()
            stop = asyncio.Event()
            service = technique_consumer(bus, database, LiveFeed())
            running = asyncio.create_task(service.run(stop, lambda: None))
            await _until_finalized(database, [video])
            figures[f"{size:,} events: publish, s"] = published - started
            figures[f"{size:,} events: arrive and finalize, s"] = time.perf_counter() - published
            stop.set()
            await running
            peak.cancel()
            figures[f"{size:,} events: memory grown at the most, MB"] = (max(_peaks) - before) / 1e6
            _peaks.clear()
    few, many = (figures[f"{size:,} events: memory grown at the most, MB"] for size in sizes)
    return Result(
        "one video, very many events",
        figures,
        "s and MB",
        {f"memory {sizes[1]:,} / {sizes[0]:,}": many / max(few, 1.0)},
        [f"peak of the whole process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:,.0f} MB"],
    )


_peaks: list[int] = []


async def _peak_rss(process: psutil.Process) -> None:
    while True:
        _peaks.append(process.memory_info().rss)
        await asyncio.sleep(0.02)


async def _open(server: EmbeddedPostgres, stack: AsyncExitStack) -> tuple[Database, PostgresBus, Listener]:
    database = await open_database(DatabaseSettings(), server.url)
    stack.push_async_callback(database.close)
    listener = Listener(server.url)
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(listener.run(stop, ready.set))
    await ready.wait()

    async def end() -> None:
        stop.set()
        await task

    stack.push_async_callback(end)
    bus = PostgresBus(database, listener, default_topology(stage="dev", bucket="b"), Names())
    await bus.create()
    return database, bus, listener


def _clips(count: int) -> list[TechniqueClip]:
    return [
        TechniqueClip(n * 100, n * 100 + 50, "GUARD_PLAY", "Scissor Sweep", "athlete in white gi", 0.85)
        for n in range(count)
    ]


async def _publish(
    database: Database, bus: PostgresBus, video: uuid.UUID, job: uuid.UUID, clips: Sequence[TechniqueClip]
) -> None:
    async with database.transaction() as tx:
        await publications.start(
            tx, job_id=job, video_id=video, topic=TECHNIQUE_TOPIC, total=len(clips), result_key="k"
        )
    publisher = Publisher(database, bus)
    whole = await publisher.publish_events(job, clips, fps=FPS)
    async with database.transaction() as tx:
        await publisher.publish_completion(tx, whole, result_s3_uri=None)


class _RecordingSender:
    """Accepts what a publisher sends, instead of a bus."""

    def __init__(self) -> None:
        self.published: list[TopicMessage] = []

    async def publish(self, tx: Transaction, *messages: TopicMessage) -> list[str]:
        self.published += messages
        return []


async def _published(database: Database, bus: PostgresBus, events: int) -> list[TopicMessage]:
    """The messages of several runs, a fifth of them twice, shuffled."""
    sender = _RecordingSender()
    for _ in range(RUNS):
        await _publish(database, sender, uuid.uuid4(), uuid.uuid4(), _clips(events // RUNS))  # type: ignore[arg-type]
    rng = random.Random(1)
    messages = [*sender.published, *rng.sample(sender.published, int(len(sender.published) * REPEATED))]
    rng.shuffle(messages)
    return messages


class _Raw(PlainReceived):
    """A delivery of the PostgreSQL bus, which needs no envelope to be parsed."""

    def stored_notification(self) -> SnsNotification | None:
        return SnsNotification(self.body, self.attributes)


def _delivery(message: TopicMessage, bus: PostgresBus, database: Database) -> Delivery:
    now = datetime.now(UTC)
    return Delivery(_Raw("q", "m", "r", 1, now, now, message.body, message.attributes), bus, database)


async def _handle_all(database: Database, bus: PostgresBus, deliveries: Sequence[Delivery]) -> float:
    handler = TechniqueBatchHandler(bus, LiveFeed())
    started = time.perf_counter()
    for start in range(0, len(deliveries), BATCH):
        async with database.transaction() as tx:
            await handler(tx, deliveries[start : start + BATCH])
    return time.perf_counter() - started


_EVENTS = """INSERT INTO bare_events
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[], $6::int[])
ON CONFLICT (id) DO UPDATE SET start_s = excluded.start_s, end_s = excluded.end_s"""
_CANDIDATES = """INSERT INTO bare_candidates
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::float8[])
ON CONFLICT (event_id, id) DO UPDATE SET confidence = excluded.confidence"""


async def _upsert(server: EmbeddedPostgres, messages: Sequence[TopicMessage]) -> float:
    """The minimum that any consumer does: parse the JSON, upsert both rows, commit."""
    connection = await asyncpg.connect(server.admin_url)
    await connection.execute(
        "DROP TABLE IF EXISTS bare_candidates, bare_events;"
        "CREATE TABLE bare_events (id uuid PRIMARY KEY, video_id uuid, event_index int, total int, start_s int, end_s int,"
        " UNIQUE (video_id, event_index));"
        "CREATE TABLE bare_candidates (event_id uuid REFERENCES bare_events, id uuid, role text, skill_name text,"
        " category text, confidence float8, PRIMARY KEY (event_id, id))"
    )
    started = time.perf_counter()
    for start in range(0, len(messages), BATCH):
        batch = {}
        for message in messages[start : start + BATCH]:
            if "event_index" in message.attributes:
                body = parse_technique(message.body)
                batch[body.id] = (
                    body,
                    int(message.attributes["event_index"].value),
                    int(message.attributes["total_events"].value),
                )
        rows = [(body.id, body.video_id, index, total, 1, 2) for body, index, total in batch.values()]
        found = [
            (body.id, one.id, one.role, one.skill_name, one.category.value, one.confidence)
            for body, _, _ in batch.values()
            for one in body.event_candidates
        ]
        async with connection.transaction():
            await connection.execute(_EVENTS, *map(list, zip(*rows, strict=True)))
            await connection.execute(_CANDIDATES, *map(list, zip(*found, strict=True)))
    taken = time.perf_counter() - started
    await connection.close()
    return taken


async def _through_the_bus(database: Database, bus: PostgresBus, events: int) -> float:
    """From the queue, with claims and acknowledgements."""
    messages = await _published(database, bus, events)
    videos = {uuid.UUID(one.body.partition('"video_id":"')[2][:36]) for one in messages}
    for start in range(0, len(messages), BATCH):
        async with database.transaction() as tx:
            await bus.publish(tx, *messages[start : start + BATCH])
    stop = asyncio.Event()
    started = time.perf_counter()
    running = asyncio.create_task(technique_consumer(bus, database, LiveFeed()).run(stop, lambda: None))
    await _until_finalized(database, sorted(videos))
    taken = time.perf_counter() - started
    stop.set()
    await running
    return len(messages) / taken


async def _until_finalized(database: Database, videos: Sequence[uuid.UUID]) -> None:
    while True:
        async with database.transaction() as tx:
            found = await tx.fetchval(
                "SELECT count(*) FROM video_analysis_status WHERE finalized AND video_id = ANY ($1)", list(videos)
            )
        if found == len(videos):
            return
        await asyncio.sleep(0.01)


if __name__ == "__main__":
    main(__doc__ or Path(__file__).name, {"consumer": consumer, "long_run": long_run})
