"""Requests for clips of events: by a person, or by the platform when an event is over."""

from datetime import datetime, timedelta
from uuid import UUID

from sightline.cameras.recording.clips.store import request_event_clip
from sightline.cameras.recording.settings import RecordingSettings
from sightline.cameras.recording.store import recorded_spans
from sightline.cameras.sources_store import source_of
from sightline.contracts.jobs import RecordingClip
from sightline.db import Transaction
from sightline.jobs import JobQueue
from sightline.timing import utc_now

REQUESTED_PRIORITY = 1
"""Of those that a person waits for."""
BEING_STORED = timedelta(minutes=2)
"""What a camera films is stored within this time."""


def clip_of_event(
    event_id: int, camera_key: UUID, started_at: datetime, ended_at: datetime | None, settings: RecordingSettings
) -> RecordingClip:
    """The event with what comes before and after it, cut at the longest length."""
    padding = timedelta(seconds=settings.clip_padding_s)
    since = started_at - padding
    until = min((ended_at or started_at) + padding, since + timedelta(seconds=settings.clip_max_s))
    return RecordingClip(event_id=event_id, camera_key=camera_key, since=since, until=until, event_at=started_at)


async def enqueue_clip(
    tx: Transaction, jobs: JobQueue, payload: RecordingClip, settings: RecordingSettings, *, requested_by: UUID | None
) -> bool:
    """False if the event has a clip, or one on its way, that shows it to its end."""
    if not await request_event_clip(tx, payload, requested_by=requested_by):
        return False
    # What is filmed after the event has to be stored first.
    stored_by = payload.until + timedelta(seconds=2 * settings.segment_s)
    priority = 0 if requested_by is None else REQUESTED_PRIORITY
    await jobs.enqueue(tx, payload, priority=priority, run_after=max(stored_by, utc_now()))
    return True


async def enqueue_clip_if_recorded(
    tx: Transaction, jobs: JobQueue, payload: RecordingClip, settings: RecordingSettings
) -> bool:
    """For the platform itself: an event of which nothing was recorded, or is about to be, has no clip and no failed one either."""
    is_stored = bool(await recorded_spans(tx, payload.camera_key, payload.since, payload.until))
    if not is_stored and not await is_being_recorded(tx, payload):
        return False
    return await enqueue_clip(tx, jobs, payload, settings, requested_by=None)


async def is_being_recorded(tx: Transaction, payload: RecordingClip) -> bool:
    """An event that is assessed at once comes before the first segment of it."""
    source = await source_of(tx, payload.camera_key)
    is_recent = payload.event_at > utc_now() - BEING_STORED
    return is_recent and source is not None and source.is_enabled and source.record_mode != "off"
