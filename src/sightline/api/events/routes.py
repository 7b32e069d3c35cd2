"""Security events: list, get one with its details, acknowledge, resolve."""

from typing import Annotated

from fastapi import APIRouter, Body, Query
from pydantic import BaseModel, Field

from sightline.api.answers.security import (
    EXAMPLE_CURSOR,
    BatchAnswer,
    CameraAnswer,
    EventAnswer,
    EventsAnswer,
    MetRuleAnswer,
    WholeEventAnswer,
)
from sightline.api.dependencies import CurrentCaller, CurrentPlatform, Operator
from sightline.api.detections import with_images
from sightline.api.events.access import (
    actor_of,
    check_visible,
    name_of,
    reading_event,
    reading_events,
    shown_event,
    shown_events,
)
from sightline.api.events.filters import EventFilterQuery, Text, event_filter
from sightline.api.events.handling import ChangeBody, EventId
from sightline.errors import NotFound
from sightline.paging import Cursor, page_of
from sightline.security import Cleaned, need_camera
from sightline.security.alerts import rules_of_event
from sightline.security.detections import detections_of, get_batch
from sightline.security.events import list_events, read_event_id

MAX_DETECTIONS = 500
MAX_NOTES_LENGTH = 4000

router = APIRouter(prefix="/api/events", tags=["security events"])


class EventListQuery(EventFilterQuery):
    limit: int = Field(50, ge=1, le=200, examples=[50], description="Maximum number of events.")
    cursor: str | None = Field(
        None, max_length=100, examples=[EXAMPLE_CURSOR], description="`next_cursor` of the previous page."
    )


class ResolveBody(ChangeBody):
    notes: Text | None = Field(None, max_length=MAX_NOTES_LENGTH, examples=["It was the postman."])
    resolution_notes: Text | None = Field(
        None, max_length=MAX_NOTES_LENGTH, examples=[None], description="Another name for `notes`."
    )


Acknowledging = Annotated[ChangeBody | None, Body(examples=[{"version": 1}])]
Resolving = Annotated[ResolveBody | None, Body(examples=[{"notes": "It was the postman."}])]


class CleanedAnswer(BaseModel):
    events_archived: int = Field(examples=[12])
    events_purged: int = Field(examples=[0])
    detections_removed: int = Field(examples=[140])
    logs_removed: int = Field(examples=[30])
    pictures_removed: int = Field(examples=[0], description="Pictures without a detection.")
    is_dry_run: bool = Field(examples=[True])

    @classmethod
    def of(cls, cleaned: Cleaned) -> "CleanedAnswer":
        return cls(
            events_archived=cleaned.events_archived,
            events_purged=cleaned.events_purged,
            detections_removed=cleaned.detections_removed,
            logs_removed=cleaned.logs_removed,
            pictures_removed=cleaned.pictures_removed,
            is_dry_run=cleaned.is_dry_run,
        )


@router.get("")
async def events(
    platform: CurrentPlatform, caller: CurrentCaller, query: Annotated[EventListQuery, Query()]
) -> EventsAnswer:
    """The events that the caller may see, newest first. Operators see the whole archive."""
    before = None if query.cursor is None else Cursor.parse(query.cursor, read_event_id)
    async with reading_events(platform, caller, is_archived=query.is_archived) as tx:
        filters = await event_filter(tx, query, caller)
        found = await list_events(tx, filters, limit=query.limit + 1, before=before)
        page = page_of(found, query.limit, lambda event: Cursor(event.created_at, event.id))
        shown = await shown_events(platform, tx, page.items)
    return EventsAnswer(events=shown, next_cursor=page.next_cursor)


@router.post("/cleanup")
async def clean_up(
    platform: CurrentPlatform,
    _: Operator,
    dry_run: Annotated[bool, Query(description="Only count what would be removed.", examples=[True])] = True,
) -> CleanedAnswer:
    """Run the daily clean-up now, or see what it would do. For operators."""
    return CleanedAnswer.of(await platform.security.cleaner.clean(dry_run=dry_run))


@router.get("/{event_id}")
async def event(platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId) -> WholeEventAnswer:
    """One event with its detections, camera, batch and the alert rules it triggered."""
    async with reading_event(platform, caller, event_id) as (tx, found):
        (shown,) = await shown_events(platform, tx, [found])
        try:
            camera = CameraAnswer.of(await need_camera(tx, found.camera_id, owner_id=found.owner_id))
        except NotFound:
            camera = None
        batch = await get_batch(tx, found.batch_id)
        detections = await detections_of(tx, found.batch_id, limit=MAX_DETECTIONS)
        rules = await rules_of_event(tx, event_id, owner_id=caller.user_id)
    return WholeEventAnswer(
        **shown.model_dump(),
        camera=camera,
        batch=None if batch is None else BatchAnswer.of(batch),
        detections=await with_images(platform, detections),
        alert_rules=[MetRuleAnswer.of(met) for met in rules],
    )


@router.patch("/{event_id}/acknowledge")
async def acknowledge(
    platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, body: Acknowledging = None
) -> EventAnswer:
    """Acknowledge an event. The first acknowledgement counts; repeating it changes nothing."""
    await check_visible(platform, caller, event_id)
    version = None if body is None else body.version
    acknowledged = await platform.security.lifecycle.acknowledge(
        event_id, by=name_of(caller), actor=actor_of(caller), version=version
    )
    return await shown_event(platform, caller, acknowledged)


@router.patch("/{event_id}/resolve")
async def resolve(
    platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, body: Resolving = None
) -> EventAnswer:
    """Resolve an acknowledged event, with notes. An event without an acknowledgement is refused with 409."""
    await check_visible(platform, caller, event_id)
    body = body or ResolveBody(version=None, notes=None, resolution_notes=None)
    by = name_of(caller) if platform.settings.auth.is_configured else None
    resolved = await platform.security.lifecycle.resolve(
        event_id, by=by, actor=actor_of(caller), notes=body.notes or body.resolution_notes, version=body.version
    )
    return await shown_event(platform, caller, resolved)
