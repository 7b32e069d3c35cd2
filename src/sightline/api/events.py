"""Security events: list, get one with its details, acknowledge, resolve."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.security import (
    EXAMPLE_CURSOR,
    EXAMPLE_TIME,
    BatchAnswer,
    CameraAnswer,
    EventAnswer,
    EventsAnswer,
    MetRuleAnswer,
    WholeEventAnswer,
    event_fields,
)
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform, Operator
from sightline.api.detections import with_images
from sightline.api.event_numbers import in_callers_numbers, place_after
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.contracts.security_events import RiskLevel
from sightline.contracts.values import Moment
from sightline.errors import InvalidInput, NotFound
from sightline.paging import Cursor, page_of
from sightline.security import Cleaned, need_camera, normalize_camera_id
from sightline.security.alerts import rules_of_event
from sightline.security.detections import detections_of, get_batch
from sightline.security.events import (
    MAX_VERSION,
    Event,
    EventFilter,
    EventState,
    list_events,
    need_event,
    read_event_id,
)

MAX_DETECTIONS = 500
MAX_NOTES_LENGTH = 4000

router = APIRouter(prefix="/api/events", tags=["security events"])

EventId = Annotated[int, Path(ge=1, le=2**62, description="The event's id.", examples=[1])]
Text = Annotated[str, Field(pattern=r"^[^\x00]*$")]


class EventListQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    camera_id: str | None = Field(None, max_length=100, examples=["front_door"], description="Only of this camera.")
    risk_level: list[RiskLevel] | None = Field(None, examples=[["critical"]], description="Only of these levels.")
    state: list[EventState] | None = Field(
        None, examples=[["broadcasted"]], description="Only in these states; list `archived` by itself."
    )
    since: Moment | None = Field(None, examples=[EXAMPLE_TIME], description="Started then or later.")
    until: Moment | None = Field(None, examples=[EXAMPLE_TIME], description="Started before.")
    q: Text | None = Field(
        None, max_length=200, examples=["person night"], description="Words of summary and reasoning."
    )
    after_sequence: int | None = Field(
        None, ge=0, le=2**62, examples=[42], description="Published on the live stream after this number."
    )
    limit: int = Field(50, ge=1, le=200, examples=[50], description="Maximum number of events.")
    cursor: str | None = Field(
        None, max_length=100, examples=[EXAMPLE_CURSOR], description="`next_cursor` of the previous page."
    )


class AcknowledgeBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: int | None = Field(
        None, ge=1, le=MAX_VERSION, examples=[1], description="Refused with 409 if the event has changed since."
    )


class ResolveBody(AcknowledgeBody):
    notes: Text | None = Field(None, max_length=MAX_NOTES_LENGTH, examples=["It was the postman."])
    resolution_notes: Text | None = Field(
        None, max_length=MAX_NOTES_LENGTH, examples=[None], description="Another name for `notes`."
    )


Acknowledging = Annotated[AcknowledgeBody | None, Body(examples=[{"version": 1}])]
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
async def events(tx: CallerTransaction, query: Annotated[EventListQuery, Query()]) -> EventsAnswer:
    """The events that the caller may see, newest first."""
    states = query.state
    is_archived = states == ["archived"]
    if states is not None and "archived" in states and not is_archived:
        raise InvalidInput("state: list archived events separately, not together with live ones")
    filters = EventFilter(
        camera_id=None if query.camera_id is None else normalize_camera_id(query.camera_id),
        risk_levels=query.risk_level,
        states=states,
        since=query.since,
        until=query.until,
        words=query.q,
        after_sequence=await place_after(tx, query.after_sequence),
        is_archived=is_archived,
    )
    before = None if query.cursor is None else Cursor.parse(query.cursor, read_event_id)
    found = await list_events(tx, filters, limit=query.limit + 1, before=before)
    page = page_of(found, query.limit, lambda event: Cursor(event.created_at, event.id))
    shown = await in_callers_numbers(tx, page.items)
    return EventsAnswer(events=[EventAnswer.of(event) for event in shown], next_cursor=page.next_cursor)


@router.post("/cleanup")
async def clean_up(
    platform: CurrentPlatform,
    _: Operator,
    dry_run: Annotated[bool, Query(description="Only count what would be removed.", examples=[True])] = True,
) -> CleanedAnswer:
    """Run the daily clean-up now, or see what it would do. For operators."""
    return CleanedAnswer.of(await platform.security.cleaner.clean(dry_run=dry_run))


@router.get("/{event_id}")
async def event(platform: CurrentPlatform, tx: CallerTransaction, event_id: EventId) -> WholeEventAnswer:
    """One event with its detections, camera, batch and the alert rules it triggered."""
    (found,) = await in_callers_numbers(tx, [await need_event(tx, event_id)])
    try:
        camera = CameraAnswer.of(await need_camera(tx, found.camera_id, owner_id=found.owner_id))
    except NotFound:
        camera = None
    batch = await get_batch(tx, found.batch_id)
    detections = await detections_of(tx, found.batch_id, limit=MAX_DETECTIONS)
    rules = await rules_of_event(tx, event_id)
    return WholeEventAnswer(
        **event_fields(found),
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
    await _check_visible(platform, caller, event_id)
    version = None if body is None else body.version
    acknowledged = await platform.security.lifecycle.acknowledge(event_id, by=name_of(caller), version=version)
    return await _shown(platform, caller, acknowledged)


@router.patch("/{event_id}/resolve")
async def resolve(
    platform: CurrentPlatform, caller: CurrentCaller, event_id: EventId, body: Resolving = None
) -> EventAnswer:
    """Resolve an acknowledged event, with notes. An event without an acknowledgement is refused with 409."""
    await _check_visible(platform, caller, event_id)
    body = body or ResolveBody(version=None, notes=None, resolution_notes=None)
    by = name_of(caller) if platform.settings.auth.is_configured else None
    resolved = await platform.security.lifecycle.resolve(
        event_id, by=by, notes=body.notes or body.resolution_notes, version=body.version
    )
    return await _shown(platform, caller, resolved)


async def _shown(platform: Platform, caller: Caller, event: Event) -> EventAnswer:
    async with platform.database.as_caller(caller.claims()) as tx:
        (shown,) = await in_callers_numbers(tx, [event])
    return EventAnswer.of(shown)


def name_of(caller: Caller) -> str:
    return caller.email or str(caller.user_id)


async def _check_visible(platform: Platform, caller: Caller, event_id: int) -> None:
    """404 if it does not exist or the caller may not see it."""
    async with platform.database.as_caller(caller.claims()) as tx:
        await need_event(tx, event_id)
