"""Export of events: CSV, JSON, or a ZIP file with pictures, streamed in pages of short transactions."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.events.access import reading_events
from sightline.api.events.filters import EventFilterQuery, event_filter
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.errors import InvalidInput
from sightline.paging import Cursor
from sightline.security.events import (
    Event,
    ExportedEvent,
    ExportFormat,
    as_csv,
    as_json,
    as_zip,
    comments_of,
    history_of,
    list_events,
)
from sightline.timing import utc_now

PAGE_EVENTS = 200
MAX_EVENTS: dict[ExportFormat, int] = {"csv": 20_000, "json": 20_000, "zip": 2_000}
MEDIA_TYPES: dict[ExportFormat, str] = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "zip": "application/zip",
}
MAX_HISTORY_PER_PAGE = 20_000

router = APIRouter(prefix="/api/events", tags=["security events"])


class ExportQuery(EventFilterQuery):
    format: ExportFormat = Field("csv", examples=["csv"], description="`zip` holds pictures, CSV and JSON.")


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {"example": "id,camera_id,…"}}, "description": "The events."}},
)
async def export(
    platform: CurrentPlatform, caller: CurrentCaller, query: Annotated[ExportQuery, Query()]
) -> StreamingResponse:
    """Download the events that match, newest first, with comments and history. Refused with 400 if too many match."""
    limit = MAX_EVENTS[query.format]
    async with reading_events(platform, caller, is_archived=query.is_archived) as tx:
        filters = await event_filter(tx, query, caller)
        if await list_events(tx, filters, limit=1, skip=limit):
            raise InvalidInput(f"More than {limit} events match; choose a shorter time span or more filters")
    pages = _pages(platform, caller, query)
    match query.format:
        case "csv":
            content = as_csv(pages)
        case "json":
            content = as_json(pages)
        case "zip":
            content = as_zip(pages, platform.objects)
    name = f"events-{utc_now():%Y%m%d-%H%M%S}.{query.format}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return StreamingResponse(content, media_type=MEDIA_TYPES[query.format], headers=headers)


async def _pages(platform: Platform, caller: Caller, query: ExportQuery) -> AsyncIterator[Sequence[ExportedEvent]]:
    """No transaction is open while a page is sent: a slow client holds nothing."""
    before: Cursor[int] | None = None
    left = MAX_EVENTS[query.format]
    while left > 0:
        async with reading_events(platform, caller, is_archived=query.is_archived) as tx:
            filters = await event_filter(tx, query, caller)
            found = await list_events(tx, filters, limit=min(PAGE_EVENTS, left), before=before)
            page = await _exported(tx, found)
        if not found:
            return
        yield page
        left -= len(found)
        before = Cursor(found[-1].created_at, found[-1].id)


async def _exported(tx: Transaction, events: Sequence[Event]) -> list[ExportedEvent]:
    ids = [event.id for event in events]
    comments = await comments_of(tx, ids)
    history = await history_of(tx, ids, limit=MAX_HISTORY_PER_PAGE)
    return [
        ExportedEvent(
            event,
            [said for said in comments if said.event_id == event.id],
            [entry for entry in history if entry.event_id == event.id],
        )
        for event in events
    ]
