"""Incoming detections: each joins the batch of its track or the open batch of its camera, or is assessed at once on the fast path.

A batch with sightings of the platform's own cameras becomes an event at the first of them, and stays open (ADR 0063).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid4

from sightline.contracts.jobs import AssessRisk
from sightline.db import Database, Transaction
from sightline.geometry import Point, contains, foot_of
from sightline.jobs import JobQueue
from sightline.objects import ObjectStore, detection_image_key
from sightline.security.cameras_store import masks_of, unknown_camera
from sightline.security.detections import batches_store as store
from sightline.security.detections.batches_store import CloseReason, OpenBatch
from sightline.security.detections.detection import NewDetection
from sightline.security.detections.fast_path import FastPath, most_points
from sightline.security.detections.images import DetectionImage
from sightline.security.detections.tracks import HARMLESS_KINDS, behaviours_of
from sightline.security.metrics import SecurityMetrics
from sightline.security.settings import SecuritySettings

URGENT_PRIORITY = 100
EARLY_PRIORITY = 90
FOREIGN_UPDATES_S = 1.0
"""Foreign detectors may report many times a second; their open batches are assessed at most so often."""


@dataclass(frozen=True, slots=True)
class ReceivedDetection:
    """Where a detection went; no id if it was reported before or stands inside a mask."""

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
        self,
        detections: Sequence[NewDetection],
        images: Sequence[DetectionImage | None],
        *,
        now: datetime,
        is_episode: bool = False,
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
            received = await self.receive(keyed, is_episode=is_episode)
        except BaseException:
            await self._objects.delete(stored)
            raise
        kept = {found.image_key for found, one in zip(keyed, received, strict=True) if one.detection_id is not None}
        if unused := [key for key in stored if key not in kept]:
            await self._objects.delete(unused)
        return received

    async def receive(self, detections: Sequence[NewDetection], *, is_episode: bool = False) -> list[ReceivedDetection]:
        """All of them or none, in one transaction with the jobs of the batches that they close; results in their order.

        `is_episode`: they are the whole of something that is over, such as a part of a recording. They get batches of their own,
        which are closed at once; the open batch of the camera belongs to what happens now.
        """
        async with self._database.transaction() as tx:
            request = _IncomingRequest(tx, self._jobs, self._settings, detections, is_episode=is_episode)
            received = await request.receive()
        self._metrics.received(len(request.new))
        return received


def _image_key(found: NewDetection, image: DetectionImage, now: datetime) -> str:
    return detection_image_key(found.camera_id, now, uuid4(), image.extension)


class _IncomingRequest:
    """One request: several cameras, several batches."""

    def __init__(
        self,
        tx: Transaction,
        jobs: JobQueue,
        settings: SecuritySettings,
        detections: Sequence[NewDetection],
        *,
        is_episode: bool,
    ) -> None:
        self._tx = tx
        self._jobs = jobs
        self._settings = settings
        self._fast_path = FastPath.from_settings(settings)
        self._detections = detections
        self._is_episode = is_episode
        self._received: list[ReceivedDetection] = [ReceivedDetection(None, None)] * len(detections)
        self._early: dict[str, float] = {}
        """Batches to assess before they close, with the pause that is kept between two assessments."""
        self._masks: dict[UUID, list[tuple[Point, ...]]] = {}
        self.new: list[int] = []
        """Indexes of those that are kept: they were not reported before, and no mask hides them."""

    async def receive(self) -> list[ReceivedDetection]:
        cameras = {found.camera_key: found.camera_id for found in self._detections}
        recent = await store.lock_cameras(self._tx, sorted(cameras), pause_s=self._settings.fast_path_pause_s)
        for camera_key, camera_id in cameras.items():
            if camera_key not in recent:
                raise unknown_camera(camera_id)
        self._masks = await masks_of(self._tx, list(cameras))
        self.new = [index for index in await self._first_reports() if not self._is_masked(index)]
        by_camera: dict[UUID, list[int]] = defaultdict(list)
        for index in self.new:
            by_camera[self._detections[index].camera_key].append(index)
        for camera_key, indexes in by_camera.items():
            await self._of_camera(camera_key, indexes, recent_points=recent[camera_key])
        for batch_id, pause_s in self._early.items():
            if await store.request_early(self._tx, batch_id, pause_s=pause_s):
                await self._enqueue([batch_id], priority=EARLY_PRIORITY)
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

    def _is_masked(self, index: int) -> bool:
        """It stands where its camera's owner wants nothing to be looked for."""
        found = self._detections[index]
        masks = self._masks.get(found.camera_key, ())
        return found.box is not None and any(contains(mask, foot_of(found.box)) for mask in masks)

    def _is_early(self, index: int) -> bool:
        """Whether the batch of this detection becomes an event before it closes."""
        match self._settings.early_events:
            case "all":
                return True
            case "own":
                return self._track_of(index) is not None and not self._detections[index].is_posted
        return False

    def _track_of(self, index: int) -> str | None:
        found = self._detections[index]
        is_followed = not found.is_posted or self._settings.early_events == "all"
        return found.track_id if is_followed and self._settings.early_events != "off" else None

    async def _join_tracks(self, camera_key: UUID, indexes: Sequence[int]) -> list[int]:
        """Puts sightings of known tracks into the batch of their track, whatever its state; returns the others.

        What a track does for the first time after its event was resolved is not part of what was resolved.
        """
        track_ids = {track_id for index in indexes if (track_id := self._track_of(index)) is not None}
        if not track_ids:
            return list(indexes)
        known = await store.batches_of_tracks(
            self._tx, camera_key, sorted(track_ids), max_age_s=self._settings.track_event_max_s
        )
        others: list[int] = []
        joining: dict[str, tuple[OpenBatch, list[int]]] = {}
        for index in indexes:
            batch = known.get(self._track_of(index) or "")
            did = {one.kind for one in behaviours_of(self._detections[index].attributes)}
            if batch is None or (batch.is_resolved and did - batch.behaviours - HARMLESS_KINDS):
                others.append(index)
            else:
                joining.setdefault(batch.batch.batch_id, (batch.batch, []))[1].append(index)
        for joined, found in joining.values():
            await self._put(joined, found)
        return others

    async def _of_camera(self, camera_key: UUID, indexes: Sequence[int], *, recent_points: int) -> None:
        indexes = await self._join_tracks(camera_key, indexes)
        urgent = [
            index
            for index in indexes
            if self._fast_path.takes(
                self._detections[index], recent_points=recent_points, is_early=self._is_early(index)
            )
        ]
        waiting = [index for index in indexes if index not in set(urgent)]
        if self._is_episode:
            await self._assess_apart(waiting, "idle")
        else:
            await self._add_to_open_batch(camera_key, waiting)
        if urgent:
            await self._assess_apart(urgent, "fast_path")
            points = max(recent_points, most_points([self._detections[index] for index in urgent]))
            await store.note_fast_path(self._tx, camera_key, points=points)

    async def _add_to_open_batch(self, camera_key: UUID, waiting: Sequence[int]) -> None:
        batch = await store.open_batch(
            self._tx, camera_key, age_s=self._settings.batch_age_s, idle_s=self._settings.batch_idle_s
        )
        if batch is not None and batch.over is not None:
            await self._close(batch, batch.over)
            batch = None
        while waiting:
            batch = batch or await store.begin_batch(self._tx, self._detections[waiting[0]])
            room = self._settings.batch_max - batch.detection_count
            await self._put(batch, waiting[:room])
            waiting = waiting[room:]
            if batch.detection_count >= self._settings.batch_max:
                await self._close(batch, "full")
                batch = None

    async def _assess_apart(self, indexes: Sequence[int], reason: CloseReason) -> None:
        """In a batch of their own, beside the open one, which stays open."""
        priority = URGENT_PRIORITY if reason == "fast_path" else 0
        for start in range(0, len(indexes), self._settings.batch_max):
            part = indexes[start : start + self._settings.batch_max]
            batch = await store.begin_batch(self._tx, self._detections[part[0]], close_reason=reason)
            await self._put(batch, part, close_reason=reason)
            await self._enqueue([batch.batch_id], priority=priority)

    async def _put(self, batch: OpenBatch, indexes: Sequence[int], *, close_reason: CloseReason | None = None) -> None:
        ids = await store.add_detections(self._tx, batch, [self._detections[index] for index in indexes])
        is_fast_path = close_reason == "fast_path"
        for index, detection_id in zip(indexes, ids, strict=True):
            self._received[index] = ReceivedDetection(detection_id, batch.batch_id, is_fast_path)
        early = [index for index in indexes if self._is_early(index)]
        if early and close_reason is None:
            is_own = any(not self._detections[index].is_posted for index in early)
            self._early[batch.batch_id] = 0.0 if is_own else FOREIGN_UPDATES_S

    async def _close(self, batch: OpenBatch, reason: CloseReason) -> None:
        if await store.close_batch(self._tx, batch.batch_id, reason):
            self._early.pop(batch.batch_id, None)  # it is assessed now, and as a whole
            await self._enqueue([batch.batch_id])

    async def _enqueue(self, batch_ids: Iterable[str], *, priority: int = 0) -> None:
        for batch_id in batch_ids:
            await self._jobs.enqueue(self._tx, AssessRisk(batch_id=batch_id), priority=priority)
