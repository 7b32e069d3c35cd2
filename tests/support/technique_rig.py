"""Shared parts of technique tests: topic messages, a batch handler on a test database, and videos to analyze."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from sightline.bootstrap import Platform
from sightline.bus import (
    TECHNIQUE_QUEUE,
    Attribute,
    Delivery,
    Names,
    PlainReceived,
    PostgresBus,
    Topology,
    default_topology,
)
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.contracts.technique_events import AnalysisComplete
from sightline.db import Database, Listener
from sightline.live import LiveFeed
from sightline.techniques import TechniqueBatchHandler, TechniqueClip
from sightline.techniques.clip import event_message_of
from sightline.timing import utc_now
from sightline.videos import NewVideo, VideoMoves
from support.waiting import soon

FPS = 30.0
TOPOLOGY = default_topology(stage="dev", bucket="videos")

Message = tuple[str, dict[str, Attribute]]
"""Body and attributes."""


def clip(number: int = 1, **changes) -> TechniqueClip:
    usual: dict[str, Any] = {
        "start_frame": number * 100,
        "end_frame": number * 100 + 50,
        "category": "GUARD_PLAY",
        "specific_technique": f"Sweep {number}",
        "role": "athlete in white gi",
        "confidence": 0.85,
    }
    return TechniqueClip(**(usual | changes))


def as_attributes(texts) -> dict[str, Attribute]:
    return {name: Attribute(kind, value) for name, (kind, value) in texts.items()}


def event_message(
    video_id: UUID, job_id: str, index: int, total: int, *, found: TechniqueClip | None = None
) -> Message:
    body = event_message_of(found or clip(index), video_id=video_id, job_id=job_id, index=index, fps=FPS)
    return body.model_dump_json(), as_attributes(body.attributes(index=index, total=total))


def foreign_event(video_id: UUID, index: int, total: int, *, event: UUID | None = None, **candidate) -> Message:
    """An event of another producer with a random id, as in the document's example."""
    one: dict[str, Any] = {
        "id": str(uuid4()),
        "role": "athlete in white gi",
        "skill_name": "Double Leg Takedown",
        "category": "STANDUP_GAME",
        "confidence": 0.85,
    } | candidate
    body = {
        "id": str(event or uuid4()),
        "video_id": str(video_id),
        "start_time": "00:01:23",
        "end_time": "00:01:45",
        "event_candidates": [one],
    }
    attributes = {
        "event_type": Attribute("String", "bjj_event_detected"),
        "category": Attribute("String", one["category"]),
        "event_index": Attribute("Number", str(index)),
        "total_events": Attribute("Number", str(total)),
    }
    return json.dumps(body), attributes


def complete_message(video_id: UUID, job_id: str, total: int, uri: str | None = None) -> Message:
    body = AnalysisComplete(video_id=video_id, job_id=job_id, total_event_count=total, result_s3_uri=uri)
    return body.model_dump_json(), as_attributes(body.attributes())


def whole_run(video_id: UUID, job_id: str, total: int) -> list[Message]:
    events = [event_message(video_id, job_id, index, total) for index in range(1, total + 1)]
    return [*events, complete_message(video_id, job_id, total)]


@dataclass
class TechniqueRig:
    database: Database
    bus: PostgresBus
    listener: Listener
    handler: TechniqueBatchHandler
    url: str

    async def receive(self, *messages: Message, handler: TechniqueBatchHandler | None = None) -> None:
        """Handles messages as the consumer does: one batch in one transaction."""
        deliveries = [self.delivery(*message) for message in messages]
        async with self.database.transaction() as tx:
            await (handler or self.handler)(tx, deliveries)

    def delivery(self, body: str, attributes) -> Delivery:
        now = utc_now()
        received = PlainReceived(TECHNIQUE_QUEUE, str(uuid4()), "r", 1, now, now, body, attributes)
        return Delivery(received, self.bus, self.database)

    async def rows(self, query: str, *values):
        async with self.database.transaction() as tx:
            return [dict(row) for row in await tx.fetch(query, *values)]

    async def status(self, video_id: UUID, job_id: str | None = None):
        """The status rows of a video, or of one run."""
        rows = await self.rows("SELECT * FROM video_analysis_status WHERE video_id = $1 ORDER BY run_id", video_id)
        if job_id is None:
            return rows
        (found,) = [row for row in rows if row["job_id"] == job_id]
        return found

    async def events(self, video_id: UUID):
        return await self.rows(
            "SELECT s.job_id, e.event_index, e.id, e.start_s, e.end_s, c.skill_name, c.category, c.confidence"
            " FROM technique_events e JOIN video_analysis_status s USING (run_id)"
            " JOIN technique_candidates c ON c.event_id = e.id"
            " WHERE e.video_id = $1 ORDER BY s.job_id, e.event_index, e.id",
            video_id,
        )

    async def video(self, video_id: UUID | None = None, *, fps: float | None = FPS) -> UUID:
        """Adds a video to the platform."""
        new = NewVideo(id=video_id or uuid4(), owner_id=LOCAL_OWNER_ID, name="match.mp4")
        return await add_video(self.database, VideoMoves(self.bus, page_url="http://localhost"), new, fps)

    async def live_messages(self) -> list[dict[str, Any]]:
        """The live messages about finalized analyses."""
        rows = await self.rows("SELECT data FROM live_messages WHERE type = 'analysis_finalized' ORDER BY sequence")
        return [json.loads(row["data"]) if isinstance(row["data"], str) else row["data"] for row in rows]


async def add_video(database: Database, moves: VideoMoves, new: NewVideo, fps: float | None = FPS) -> UUID:
    async with database.transaction() as tx:
        await moves.create(tx, new)
        await tx.execute("UPDATE videos SET fps = $2, duration_ms = 600000 WHERE id = $1", new.id, fps)
    return new.id


async def new_video(platform: Platform, **more: Any) -> UUID:
    """Adds a video of the local owner, unless `owner_id` names another."""
    new = NewVideo(id=uuid4(), owner_id=more.pop("owner_id", LOCAL_OWNER_ID), name="match.mp4")
    return await add_video(platform.database, platform.videos, new, **more)


@asynccontextmanager
async def techniques_on(url: str, database: Database, topology: Topology = TOPOLOGY):
    listener = Listener(url)
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(listener.run(stop, ready.set))
    await soon(ready.wait())
    bus = PostgresBus(database, listener, topology, Names())
    await bus.create()
    yield TechniqueRig(database, bus, listener, TechniqueBatchHandler(bus, LiveFeed()), url)
    stop.set()
    await task


@asynccontextmanager
async def running(*services):
    """Runs services while the block runs."""
    stop = asyncio.Event()
    tasks = [asyncio.create_task(one.run(stop, lambda: None)) for one in services]
    try:
        yield
    finally:
        stop.set()
        await asyncio.gather(*tasks)
