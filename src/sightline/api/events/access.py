"""Events as routes show them: which the caller may read, with signed pictures and numbers of comments."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from sightline.api.answers.security import EventAnswer
from sightline.api.events.numbers import in_callers_numbers
from sightline.api.picture_urls import picture_url
from sightline.bootstrap import Platform
from sightline.cameras.recording.clips import event_clip_states
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.errors import NotFound
from sightline.security.events import Actor, Event, comment_counts, need_event


def actor_of(caller: Caller) -> Actor:
    return Actor(caller.user_id, name_of(caller))


def name_of(caller: Caller) -> str:
    return caller.email or str(caller.user_id)


@asynccontextmanager
async def reading_events(platform: Platform, caller: Caller, *, is_archived: bool) -> AsyncIterator[Transaction]:
    """What the caller may see; of archived events, operators see all."""
    database = platform.database
    sees_all = is_archived and caller.is_operator
    async with database.transaction() if sees_all else database.as_caller(caller.claims()) as tx:
        yield tx


@asynccontextmanager
async def reading_event(platform: Platform, caller: Caller, event_id: int) -> AsyncIterator[tuple[Transaction, Event]]:
    """One event that the caller may see, with the transaction that sees what belongs to it; 404 otherwise."""
    async with platform.database.as_caller(caller.claims()) as tx:
        try:
            event = await need_event(tx, event_id)
        except NotFound:
            if not caller.is_operator:
                raise
        else:
            yield tx, event
            return
    async with platform.database.transaction() as tx:
        event = await need_event(tx, event_id)
        if event.archived_at is None:
            raise NotFound(f"no event {event_id}", code="EVENT_NOT_FOUND")
        yield tx, event


async def check_visible(platform: Platform, caller: Caller, event_id: int) -> None:
    """404 if it does not exist or the caller may not see it."""
    async with platform.database.as_caller(caller.claims()) as tx:
        await need_event(tx, event_id)


async def shown_events(platform: Platform, tx: Transaction, events: Sequence[Event]) -> list[EventAnswer]:
    """In the caller's numbers. Archived events have none: the feed no longer keeps their messages."""
    archived = [replace(event, sequence=None) for event in events if event.archived_at is not None]
    live = await in_callers_numbers(tx, [event for event in events if event.archived_at is None])
    by_id = {event.id: event for event in (*archived, *live)}
    counts = await comment_counts(tx, list(by_id))
    clips = await event_clip_states(tx, list(by_id))
    return [
        EventAnswer.of(
            by_id[event.id],
            picture_url=await picture_url(platform.objects, event.picture_key),
            comment_count=counts.get(event.id, 0),
            clip_state=clips.get(event.id),
        )
        for event in events
    ]


async def shown_event(platform: Platform, caller: Caller, event: Event) -> EventAnswer:
    async with platform.database.as_caller(caller.claims()) as tx:
        (shown,) = await shown_events(platform, tx, [event])
    return shown
