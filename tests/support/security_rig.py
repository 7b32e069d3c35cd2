"""The security flow for tests: a camera, detections, and assessments run as a worker would run them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sightline.bootstrap import Platform
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.job_types import worker_for
from sightline.jobs import Job
from sightline.security import Camera, create_camera
from sightline.security.assessment import Findings
from sightline.security.detections import Detection, NewDetection, ReceivedDetection
from sightline.security.events import Event, EventFilter, list_events
from support.waiting import USUAL_LIMIT_S, soon, until

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
UNKNOWN_KEY = UUID(int=0)
MIDNIGHT = datetime(2026, 3, 4, 0, 30, tzinfo=UTC)


def a_camera(camera_id: str = "front_door", *, zone: str = "UTC") -> Camera:
    return Camera(camera_id, "Front Door", LOCAL_OWNER_ID, None, None, zone, None, NOON)


def a_detection(
    kind: str = "person", *, confidence: float = 0.8, at: datetime = NOON, box: Any = None, **more: Any
) -> Detection:
    attributes = more.pop("attributes", {})
    return Detection(1, "batch-00000001", "front_door", kind, confidence, at, box, None, attributes, None)


def findings_of(*detections: Detection, **more: Any) -> Findings:
    times = [found.detected_at for found in detections]
    usual: dict[str, Any] = {"camera": a_camera(), "started_at": min(times), "ended_at": max(times)}
    return Findings(batch_id="batch-00000001", detections=detections, **(usual | more))


def new_detection(kind: str = "person", *, confidence: float = 0.8, **more: Any) -> NewDetection:
    """Of the camera with that id; the rig finds its key, if no other owner has the id too."""
    usual: dict[str, Any] = {"camera_id": "front_door", "detected_at": NOON, "camera_key": UNKNOWN_KEY}
    return NewDetection(object_type=kind, confidence=confidence, **(usual | more))


class Watch:
    """A platform whose detections become events."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.security = platform.security
        self.database = platform.database

    async def camera(self, camera_id: str = "front_door", **more: Any) -> Camera:
        async with self.database.transaction() as tx:
            return await create_camera(
                tx, camera_id=camera_id, name=camera_id.title(), **({"owner_id": LOCAL_OWNER_ID} | more)
            )

    async def receive(self, *detections: NewDetection) -> list[ReceivedDetection]:
        keys = {row["camera_id"]: row["camera_key"] for row in await self.rows("SELECT * FROM cameras")}
        known = [
            replace(found, camera_key=keys.get(found.camera_id, UNKNOWN_KEY))
            if found.camera_key == UNKNOWN_KEY
            else found
            for found in detections
        ]
        return await self.security.incoming.receive(known)

    async def batch_of(self, *detections: NewDetection) -> str:
        """Detections in a batch whose time is over."""
        taken = await self.receive(*detections)
        await self.age("opened_at", timedelta(seconds=91))
        await self.security.closer.close_due()
        assert taken[0].batch_id is not None
        return taken[0].batch_id

    async def age(self, column: str, by: timedelta) -> None:
        """Makes open batches older than they are."""
        async with self.database.transaction() as tx:
            await tx.execute(
                f"UPDATE detection_batches SET {column} = {column} - $1::interval WHERE state = 'open'", by
            )

    @asynccontextmanager
    async def working(self, *kinds: Job[Any]) -> AsyncIterator[None]:
        """Workers, as the role `work` runs them."""
        stop = asyncio.Event()
        tasks = []
        for kind in kinds or (self.security.assess_risk,):
            ready = asyncio.Event()
            tasks.append(asyncio.create_task(worker_for(kind, self.platform).run(stop, ready.set)))
            await soon(ready.wait())
        try:
            yield
        finally:
            stop.set()
            await asyncio.gather(*tasks)

    async def events(self, **wanted: Any) -> list[Event]:
        async with self.database.transaction() as tx:
            return await list_events(tx, EventFilter(**wanted), limit=1000)

    async def event(self, *detections: NewDetection) -> Event:
        """The event that these become."""
        batch_id = await self.batch_of(*(detections or (new_detection(),)))
        async with self.working():
            return await self.event_of(batch_id)

    async def is_refined(self, event_id: int) -> bool:
        return any(event.id == event_id and event.assessor != "rules" for event in await self.events())

    async def event_of(self, batch_id: str, *, within_s: float = USUAL_LIMIT_S) -> Event:
        found: list[Event] = []

        async def is_there() -> bool:
            found[:] = [event for event in await self.events() if event.batch_id == batch_id]
            return bool(found)

        await until(is_there, within_s=within_s)
        return found[0]

    async def rows(self, statement: str, *values: Any) -> list[Any]:
        async with self.database.transaction() as tx:
            return list(await tx.fetch(statement, *values))

    async def run(self, statement: str, *values: Any) -> None:
        async with self.database.transaction() as tx:
            await tx.execute(statement, *values)

    def metric(self, name: str, **labels: str) -> float:
        return self.platform.registry.get_sample_value(name, labels) or 0.0


OWNER = UUID(int=7)
