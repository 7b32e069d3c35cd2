"""Incoming detections: each joins the open batch of its camera, or is assessed at once on the fast path."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid4

from sightline.contracts.jobs import AssessRisk
from sightline.db import Database, Transaction
from sightline.jobs import JobQueue
from sightline.objects import ObjectStore, detection_image_key
from sightline.security.cameras_store import unknown_camera
from sightline.security.detections import batches_store as store
from sightline.security.detections.batches_store import CloseReason, OpenBatch
from sightline.security.detections.detection import NewDetection
from sightline.security.detections.fast_path import FastPath, most_points
from sightline.security.detections.images import DetectionImage
from sightline.security.metrics import SecurityMetrics
from sightline.security.settings import SecuritySettings

URGENT_PRIORITY = 100


@dataclass(frozen=True, slots=True)
class ReceivedDetection:
    """Where a detection went; no id if it was reported before."""

    detection_id: int | None
    batch_id: str | None
    is_fast_path: bool = False


class IncomingDetections:
    def __init__(
        self,
        database: Database,
        jobs: JobQueue,
        objects: ObjectStore,
        settings: SecuritySettings,
        metrics: SecurityMetrics,
    ) -> None:
        self._database = database
        self._jobs = jobs
        self._objects = objects
        self._settings = settings
        self._metrics = metrics

    async def receive_with_images(
        self, detections: Sequence[NewDetection], images: Sequence[DetectionImage | None], *, now: datetime
    ) -> list[ReceivedDetection]:
        """As `receive`. Images are stored first, so that no row ever names one that is missing; those of detections that
        are not kept are deleted again."""
        keyed = [
            found if image is None else replace(found, image_key=_image_key(found, image, now))
            for found, image in zip(detections, images, strict=True)
        ]
        stored: list[str] = []
        try:
            for found, image in zip(keyed, images, strict=True):
                if image is not None and found.image_key is not None:
                    await self._objects.put(found.image_key, image.content)
                    stored.append(found.image_key)
            received = await self.receive(keyed)
        except BaseException:
            await self._objects.delete(stored)
            raise
        kept = {found.image_key for found, one in zip(keyed, received, strict=True) if one.detection_id is not None}
        if unused := [key for key in stored if key not in kept]:
            await self._objects.delete(unused)
        return received

    async def receive(self, detections: Sequence[NewDetection]) -> list[ReceivedDetection]:
        """All of them or none, in one transaction with the jobs of the batches that they close; results in their order."""
        async with self._database.transaction() as tx:
            request = _IncomingRequest(tx, self._jobs, self._settings, detections)
            received = await request.receive()
        self._metrics.received(len(request.new))
        return received


def _image_key(found: NewDetection, image: DetectionImage, now: datetime) -> str:
    return detection_image_key(found.camera_id, now, uuid4(), image.extension)


class _IncomingRequest:
    """One request: several cameras, several batches."""

    def __init__(
        self, tx: Transaction, jobs: JobQueue, settings: SecuritySettings, detections: Sequence[NewDetection]
    ) -> None:
        self._tx = tx
        self._jobs = jobs
        self._settings = settings
        self._fast_path = FastPath.from_settings(settings)
        self._detections = detections
        self._received: list[ReceivedDetection] = [ReceivedDetection(None, None)] * len(detections)
        self.new: list[int] = []
        """Indexes of those that were not reported before."""

    async def receive(self) -> list[ReceivedDetection]:
        cameras = {found.camera_key: found.camera_id for found in self._detections}
        recent = await store.lock_cameras(self._tx, sorted(cameras), pause_s=self._settings.fast_path_pause_s)
        for camera_key, camera_id in cameras.items():
            if camera_key not in recent:
                raise unknown_camera(camera_id)
        self.new = await self._first_reports()
        by_camera: dict[UUID, list[int]] = defaultdict(list)
        for index in self.new:
            by_camera[self._detections[index].camera_key].append(index)
        for camera_key, indexes in by_camera.items():
            await self._of_camera(camera_key, indexes, recent_points=recent[camera_key])
        return self._received

    async def _first_reports(self) -> list[int]:
        named = [(found.camera_key, found.source_id) for found in self._detections if found.source_id is not None]
        known = await store.known_sources(self._tx, named)
        first = []
        for index, found in enumerate(self._detections):
            if found.source_id is not None:
                if (found.camera_key, found.source_id) in known:
                    continue
                known.add((found.camera_key, found.source_id))
            first.append(index)
        return first

    async def _of_camera(self, camera_key: UUID, indexes: Sequence[int], *, recent_points: int) -> None:
        urgent = [
            index for index in indexes if self._fast_path.takes(self._detections[index], recent_points=recent_points)
        ]
        batch = await store.open_batch(
            self._tx, camera_key, age_s=self._settings.batch_age_s, idle_s=self._settings.batch_idle_s
        )
        if batch is not None and batch.over is not None:
            await self._close(batch, batch.over)
            batch = None
        waiting = [index for index in indexes if index not in set(urgent)]
        while waiting:
            batch = batch or await store.begin_batch(self._tx, self._detections[waiting[0]])
            room = self._settings.batch_max - batch.detection_count
            await self._put(batch, waiting[:room])
            waiting = waiting[room:]
            if batch.detection_count >= self._settings.batch_max:
                await self._close(batch, "full")
                batch = None
        if urgent:
            await self._assess_at_once(camera_key, urgent, recent_points=recent_points)

    async def _assess_at_once(self, camera_key: UUID, urgent: Sequence[int], *, recent_points: int) -> None:
        """In a batch of their own, beside the open one, which stays open."""
        for start in range(0, len(urgent), self._settings.batch_max):
            indexes = urgent[start : start + self._settings.batch_max]
            batch = await store.begin_batch(self._tx, self._detections[indexes[0]], is_fast_path=True)
            await self._put(batch, indexes, is_fast_path=True)
            await self._enqueue([batch.batch_id], priority=URGENT_PRIORITY)
        points = max(recent_points, most_points([self._detections[index] for index in urgent]))
        await store.note_fast_path(self._tx, camera_key, points=points)

    async def _put(self, batch: OpenBatch, indexes: Sequence[int], *, is_fast_path: bool = False) -> None:
        ids = await store.add_detections(self._tx, batch, [self._detections[index] for index in indexes])
        for index, detection_id in zip(indexes, ids, strict=True):
            self._received[index] = ReceivedDetection(detection_id, batch.batch_id, is_fast_path)

    async def _close(self, batch: OpenBatch, reason: CloseReason) -> None:
        if await store.close_batch(self._tx, batch.batch_id, reason):
            await self._enqueue([batch.batch_id])

    async def _enqueue(self, batch_ids: Iterable[str], *, priority: int = 0) -> None:
        for batch_id in batch_ids:
            await self._jobs.enqueue(self._tx, AssessRisk(batch_id=batch_id), priority=priority)
