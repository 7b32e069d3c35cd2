"""Consumers of uploads: storage events, which complete what the client did not, and the start of processing."""

from uuid import UUID

import structlog

from sightline.bus import SPLIT_QUEUE, STORAGE_QUEUE, Bus, BusMetrics, Consumer, Delivery
from sightline.contracts.jobs import Transcode
from sightline.contracts.split import parse_split
from sightline.contracts.storage_events import parse_object_created
from sightline.db import Database
from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs import JobQueue
from sightline.objects import ObjectStore, StoredObject, is_upload_key, video_id_of_original
from sightline.uploads.completion import UploadCompletion
from sightline.uploads.scanner import BucketScanner
from sightline.videos import VideoMoves, VideoStatus, get_video, known_videos

log = structlog.get_logger(__name__)


def storage_consumer(
    bus: Bus,
    database: Database,
    objects: ObjectStore,
    completion: UploadCompletion,
    scanner: BucketScanner,
    metrics: BusMetrics | None = None,
) -> Consumer:
    async def handle(delivery: Delivery) -> None:
        created = parse_object_created(delivery.payload())
        key = created.object.key
        if created.bucket.name != objects.bucket or not is_upload_key(key):
            return
        video_id = video_id_of_original(key)
        if video_id is None:
            # After some tries the message becomes a dead letter, where people can see it.
            raise TransientFailure(f"no video belongs to the object {key}")
        stored = await objects.head(key)
        if stored is None:
            raise TransientFailure(f"the store announced {key}, but the object does not exist")
        await _finish(stored, video_id)

    async def _finish(stored: StoredObject, video_id: UUID) -> None:
        if await completion.finish(stored, video_id) is not None:
            return
        async with database.transaction() as tx:
            was_removed = video_id in await known_videos(tx, [video_id])
        if not was_removed:
            await scanner.import_original(stored, video_id)  # uploaded directly to the bucket

    return Consumer(STORAGE_QUEUE, queues=bus, database=database, handler=handle, metrics=metrics)


def split_consumer(
    bus: Bus, database: Database, jobs: JobQueue, moves: VideoMoves, metrics: BusMetrics | None = None
) -> Consumer:
    async def handle(delivery: Delivery) -> None:
        message = parse_split(delivery.notification.body)
        async with delivery.transaction() as tx:
            moved = await moves.move_if(tx, message.video_id, VideoStatus.PROCESSING)
            if moved is not None:
                await jobs.enqueue(tx, Transcode(video_id=message.video_id, s3_original_path=moved.s3_original_path))
                return
            video = await get_video(tx, message.video_id)
            if video is not None and video.status.is_before_uploaded:
                raise PermanentFailure(f"video {video.id} is {video.status}; the upload is not complete yet")
            # The video was removed in the meantime, or the message is a duplicate.
            log.info("split.skipped", video_id=str(message.video_id), status=video and video.status)

    return Consumer(SPLIT_QUEUE, queues=bus, database=database, handler=handle, metrics=metrics)
