"""The clip of a security event, cut from what its camera recorded."""

from typing import Self

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.events.handling import EventId
from sightline.bootstrap import Platform
from sightline.cameras.recording import RecordingSettings, recorded_spans
from sightline.cameras.recording.clips import (
    EventClip,
    clip_of_event,
    enqueue_clip,
    find_event_clip,
    is_being_recorded,
)
from sightline.contracts.jobs import RecordingClip
from sightline.errors import NotFound
from sightline.objects import event_clip_key, event_clip_poster_key, event_clip_preview_key
from sightline.security import need_camera
from sightline.security.events import Event, need_event
from sightline.timing import iso_utc

_EXAMPLE_URL = "https://videos.example/event_clips/1.mp4?X-Amz-Signature=…"

router = APIRouter(prefix="/api/events", tags=["security events"])


class EventClipAnswer(BaseModel):
    event_id: int = Field(examples=[1])
    state: str = Field(examples=["done"], description="queued, processing, done or failed.")
    started_at: str | None = Field(
        None, examples=["2026-01-17T10:00:00.000Z"], description="What the clip shows first."
    )
    ended_at: str | None = Field(None, examples=["2026-01-17T10:00:22.000Z"])
    size_bytes: int | None = Field(None, examples=[2_345_678])
    left_out: int = Field(
        0,
        examples=[0],
        description="Segments around the event that are not in it: damaged, or of another resolution than the event.",
    )
    url: str | None = Field(None, examples=[_EXAMPLE_URL], description="Signed URL to play it; expires.")
    download_url: str | None = Field(None, examples=[_EXAMPLE_URL], description="Signed URL to download it; expires.")
    poster_url: str | None = Field(None, examples=[_EXAMPLE_URL], description="JPEG of the moment the event began.")
    preview_url: str | None = Field(
        None,
        examples=[_EXAMPLE_URL],
        description="A small, fast MP4 of its key frames, to play when the pointer rests.",
    )
    error_reason: str | None = Field(None, examples=[None])

    @classmethod
    def of(cls, clip: EventClip, **urls: str) -> Self:
        return cls(
            event_id=clip.event_id,
            state=clip.state,
            started_at=None if clip.started_at is None else iso_utc(clip.started_at),
            ended_at=None if clip.ended_at is None else iso_utc(clip.ended_at),
            size_bytes=clip.size_bytes,
            left_out=clip.left_out,
            error_reason=clip.error_reason,
            **urls,
        )


@router.post(
    "/{event_id}/clip",
    status_code=202,
    responses={200: {"model": EventClipAnswer, "description": "The clip exists, or is on its way."}},
)
async def request_clip(
    platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, response: Response
) -> EventClipAnswer:
    """Cut the clip of an event. Poll it until it is done. A clip that exists is returned with 200, unless the event went on."""
    async with platform.database.as_caller(caller.claims()) as tx:
        event = await need_event(tx, event_id)
        known = await find_event_clip(tx, event_id)
        payload = await _payload(tx, event, platform.settings.recording, known)
    async with platform.database.transaction() as tx:
        settings = platform.settings.recording
        is_new = payload is not None and await enqueue_clip(
            tx, platform.jobs, payload, settings, requested_by=caller.user_id
        )
        found = await find_event_clip(tx, event_id)
    assert found is not None
    if not is_new:
        response.status_code = 200
    return await _with_addresses(platform, event, found)


@router.get("/{event_id}/clip")
async def event_clip(platform: CurrentPlatform, tx: CallerTransaction, event_id: EventId) -> EventClipAnswer:
    """The clip of an event, with URLs once it is done. 404 if none was requested."""
    event = await need_event(tx, event_id)
    found = await find_event_clip(tx, event_id)
    if found is None:
        raise NotFound(f"event {event_id} has no clip yet. Request one", code="CLIP_NOT_FOUND")
    return await _with_addresses(platform, event, found)


async def _payload(
    tx: CallerTransaction, event: Event, settings: RecordingSettings, known: EventClip | None
) -> RecordingClip | None:
    """What is to be cut; None if nothing new can be: the clip that exists stays. Fails if nothing was recorded at all."""
    try:
        camera = await need_camera(tx, event.camera_id, owner_id=event.owner_id)
    except NotFound:
        if known is not None:
            return None
        raise
    wanted = clip_of_event(event.id, camera.camera_key, event.started_at, event.ended_at, settings)
    is_stored = bool(await recorded_spans(tx, camera.camera_key, wanted.since, wanted.until))
    if not is_stored and not await is_being_recorded(tx, wanted):
        if known is not None and known.state != "failed":
            return None
        raise NotFound(
            f"nothing was recorded around event {event.id}. Choose what camera {camera.camera_id} records",
            code="RECORDING_NOT_FOUND",
            details={"camera_id": camera.camera_id},
        )
    return wanted


async def _with_addresses(platform: Platform, event: Event, found: EventClip) -> EventClipAnswer:
    if found.state != "done":
        return EventClipAnswer.of(found)
    media, objects = platform.settings.media, platform.objects
    name = f"{event.camera_id} {event.started_at:%Y-%m-%d %H-%M-%S}.mp4"
    expires_s = media.playback_expiry_s
    return EventClipAnswer.of(
        found,
        url=await objects.sign_get(event_clip_key(event.id), expires_s=expires_s),
        download_url=await objects.sign_get(
            event_clip_key(event.id), expires_s=media.download_expiry_s, download_as=name
        ),
        poster_url=await objects.sign_get(event_clip_poster_key(event.id), expires_s=expires_s),
        preview_url=await objects.sign_get(event_clip_preview_key(event.id), expires_s=expires_s),
    )
