"""The timeline of a camera, and HLS playlists of what was recorded and of what is filmed now."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Self

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.cameras import CameraId
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.playback import PLAYLIST_TYPE
from sightline.bootstrap import Platform
from sightline.cameras.recording import (
    RecordedSpan,
    RecorderReport,
    Recording,
    live_playlist,
    mark_segments_viewed,
    newest_recordings,
    newest_segments,
    playable,
    recorded_bytes,
    recorded_spans,
    recorder_state,
    recording_playlist,
    recordings_between,
)
from sightline.contracts.values import Moment
from sightline.errors import NotFound
from sightline.objects import sign_gets
from sightline.security import Camera, need_camera, normalize_camera_id
from sightline.security.events import Event, EventFilter, list_events
from sightline.timing import iso_utc, utc_now

MAX_TIMELINE = timedelta(days=8)
MAX_PLAYLIST = timedelta(hours=2)
MAX_EVENTS = 500
MAX_SEGMENTS = 8000
"""Segments last a second or longer."""
LIVE_URL_EXPIRY_S = 120.0
"""A viewer whose rights end gets no more segments after it."""
LIVE_WINDOW = timedelta(seconds=60)
LIVE_WAIT_S = 12.0
"""Until the first segment of a camera that is not recorded."""
LIVE_LOOK_EVERY_S = 0.5

_EXAMPLE_TIME = "2026-01-17T10:00:00.000Z"
# What an answer leads to expires; who may see it is asked each time.
_PRIVATE = {"cache-control": "private, no-store"}
_PLAYLIST: dict[int | str, dict[str, Any]] = {
    200: {"content": {PLAYLIST_TYPE: {"example": "#EXTM3U\n"}}, "description": "An HLS playlist."}
}

router = APIRouter(prefix="/api/cameras", tags=["cameras"])


class _TimeWindow(BaseModel):
    model_config = ConfigDict(extra="forbid")

    since: Moment = Field(examples=[_EXAMPLE_TIME], description="Beginning of the time to show.")
    until: Moment = Field(examples=["2026-01-17T11:00:00.000Z"], description="End of the time to show.")

    def check(self, longest: timedelta) -> None:
        if not self.since < self.until:
            raise ValueError("until must be after since")
        if self.until - self.since > longest:
            hours = longest / timedelta(hours=1)
            raise ValueError(f"since and until are more than {hours:.0f} hours apart; request a shorter time")


class TimelineQuery(_TimeWindow):
    @model_validator(mode="after")
    def _is_short(self) -> Self:
        self.check(MAX_TIMELINE)
        return self


class PlaylistQuery(_TimeWindow):
    @model_validator(mode="after")
    def _is_short(self) -> Self:
        self.check(MAX_PLAYLIST)
        return self


class RecordedSpanAnswer(BaseModel):
    started_at: str = Field(examples=[_EXAMPLE_TIME])
    ended_at: str = Field(examples=["2026-01-17T10:00:32.000Z"])
    bytes: int = Field(examples=[8_123_456])

    @classmethod
    def of(cls, span: RecordedSpan) -> Self:
        return cls(started_at=iso_utc(span.started_at), ended_at=iso_utc(span.ended_at), bytes=span.bytes)


class TimelineEventAnswer(BaseModel):
    id: int = Field(examples=[1])
    started_at: str = Field(examples=[_EXAMPLE_TIME])
    ended_at: str | None = Field(examples=["2026-01-17T10:00:12.000Z"])
    risk_level: str = Field(examples=["high"])
    label: str | None = Field(examples=["person"], description="What was seen, if it is known.")
    summary: str = Field(examples=["1 person at Front Door, 02:14"])

    @classmethod
    def of(cls, event: Event) -> Self:
        return cls(
            id=event.id,
            started_at=iso_utc(event.started_at),
            ended_at=None if event.ended_at is None else iso_utc(event.ended_at),
            risk_level=event.risk_level,
            label=event.object_types[0] if event.object_types else None,
            summary=event.summary,
        )


class RecorderAnswer(BaseModel):
    state: str = Field(
        examples=["recording"], description="off, waiting (for an event), recording, or paused: see `reason`."
    )
    reason: str | None = Field(examples=[None])
    since: str | None = Field(examples=[_EXAMPLE_TIME])
    dropped: int = Field(examples=[0], description="Segments that were lost since the recorder started.")

    @classmethod
    def of(cls, report: RecorderReport | None) -> Self:
        found = report or RecorderReport("off")
        return cls(
            state=found.state,
            reason=found.reason,
            since=None if found.since is None else iso_utc(found.since),
            dropped=found.dropped,
        )


class TimelineAnswer(BaseModel):
    recordings: list[RecordedSpanAnswer]
    events: list[TimelineEventAnswer] = Field(description="At most 500, the newest.")
    bytes: int = Field(examples=[1_234_567_890], description="All that is stored of the camera.")
    recorder: RecorderAnswer


@router.get("/{camera_id}/recordings")
async def timeline(
    tx: CallerTransaction, camera_id: CameraId, query: Annotated[TimelineQuery, Query()]
) -> TimelineAnswer:
    """When a camera was recorded and what happened then, over 8 days at most."""
    camera = await need_camera(tx, normalize_camera_id(camera_id))
    spans = await recorded_spans(tx, camera.camera_key, query.since, query.until)
    return TimelineAnswer(
        recordings=[RecordedSpanAnswer.of(span) for span in spans],
        events=[TimelineEventAnswer.of(event) for event in await _events(tx, camera, query)],
        bytes=await recorded_bytes(tx, camera.camera_key),
        recorder=RecorderAnswer.of(await recorder_state(tx, camera.camera_key)),
    )


@router.get("/{camera_id}/recording/index.m3u8", response_class=Response, responses=_PLAYLIST)
async def recording(
    platform: CurrentPlatform, tx: CallerTransaction, camera_id: CameraId, query: Annotated[PlaylistQuery, Query()]
) -> Response:
    """HLS playlist of what was recorded, over 2 hours at most, with the time of every segment. Segments have signed URLs that
    expire."""
    camera = await need_camera(tx, normalize_camera_id(camera_id))
    found = playable(
        await recordings_between(tx, camera.camera_key, query.since, query.until, limit=MAX_SEGMENTS, with_live=False)
    )
    if not found:
        raise NotFound(
            f"nothing was recorded of camera {camera.camera_id} in this time",
            code="RECORDING_NOT_FOUND",
            details={"camera_id": camera.camera_id},
        )
    addresses = await _signed(platform, found, platform.settings.media.playback_expiry_s)
    return _playlist(recording_playlist(found, addresses, query.since))


@router.get("/{camera_id}/live/index.m3u8", response_class=Response, responses=_PLAYLIST)
async def live(platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId) -> Response:
    """HLS playlist of the newest segments. They are stored as long as somebody plays them, even if the camera is not recorded;
    the first ones then take some seconds."""
    async with platform.database.as_caller(caller.claims()) as tx:
        camera = await need_camera(tx, normalize_camera_id(camera_id))
    async with platform.database.transaction() as tx:
        await mark_segments_viewed(tx, camera.camera_key)
    found = await _newest(platform, camera)
    addresses = await _signed(platform, found, LIVE_URL_EXPIRY_S)
    return _playlist(live_playlist(found, addresses))


async def _newest(platform: Platform, camera: Camera) -> list[Recording]:
    """Waits for the first segment."""
    for _ in range(int(LIVE_WAIT_S / LIVE_LOOK_EVERY_S)):
        async with platform.database.transaction() as tx:
            since = utc_now() - LIVE_WINDOW
            found = newest_segments(await newest_recordings(tx, camera.camera_key, since=since, limit=60))
        if found:
            return found
        await asyncio.sleep(LIVE_LOOK_EVERY_S)
    raise NotFound(
        f"camera {camera.camera_id} sends no video now. Try again, or look at its pictures",
        code="LIVE_NOT_READY",
        details={"camera_id": camera.camera_id},
    )


async def _events(tx: CallerTransaction, camera: Camera, query: _TimeWindow) -> list[Event]:
    """Archived or not, the newest first."""
    wanted = EventFilter(
        camera_id=camera.camera_id, owner_id=camera.owner_id, since=_earlier(query.since), until=query.until
    )
    found = [
        event
        for is_archived in (False, True)
        for event in await list_events(tx, replace(wanted, is_archived=is_archived), limit=MAX_EVENTS)
        if (event.ended_at or event.started_at) >= query.since
    ]
    return sorted(found, key=lambda event: (event.started_at, event.id), reverse=True)[:MAX_EVENTS]


def _earlier(since: datetime) -> datetime:
    """Events that began before may still be going on."""
    return since - timedelta(minutes=10)


async def _signed(platform: Platform, recordings: Sequence[Recording], expires_s: float) -> dict[str, str]:
    keys = [one.key for one in recordings]
    return dict(zip(keys, await sign_gets(platform.objects, keys, expires_s=expires_s), strict=True))


def _playlist(text: str) -> Response:
    return Response(text, media_type=PLAYLIST_TYPE, headers=_PRIVATE)
