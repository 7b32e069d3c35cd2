"""Handling of an event by people: who takes care of it, until when it is left alone, what they say about it."""

from datetime import datetime
from uuid import UUID

from sightline.db import Database, Transaction
from sightline.errors import Conflict, InvalidInput
from sightline.live import LiveFeed
from sightline.security.events import comments_store as comments
from sightline.security.events import events_store as store
from sightline.security.events.comments_store import Comment
from sightline.security.events.event import Event, assigned_message, commented_message, snoozed_message
from sightline.security.events.history import Actor, HistoryAction, record
from sightline.security.events.lifecycle import current_event
from sightline.timing import Clock, iso_utc, utc_now


class Handling:
    """The caller has checked that the user may see the event. Archived events stay as they are."""

    def __init__(self, database: Database, live: LiveFeed, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._live = live
        self._clock = clock

    async def assign(self, event_id: int, person: UUID | None, *, actor: Actor, version: int | None = None) -> Event:
        """To somebody who may see the event, or with None to nobody."""
        async with self._database.transaction() as tx:
            event = await current_event(tx, event_id, "assigned", version=None)
            name = None if person is None else await self._name_of(tx, event, person, actor)
            is_change = await store.assign(tx, event_id, person, name, version=version)
            event = await current_event(tx, event_id, "assigned", version=None if is_change else version)
            if is_change:
                action: HistoryAction = "unassigned" if person is None else "assigned"
                await record(tx, event_id, action, actor, to=name, user_id=None if person is None else str(person))
                await self._live.append(tx, assigned_message(event))
        return event

    async def snooze(self, event_id: int, until: datetime | None, *, actor: Actor, version: int | None = None) -> Event:
        """Until a moment in the future, or with None no longer."""
        if until is not None and until <= self._clock():
            raise InvalidInput("until: this moment has passed; choose a later one")
        async with self._database.transaction() as tx:
            event = await current_event(tx, event_id, "snoozed", version=None)
            if until is not None and event.resolved_at is not None:
                raise Conflict(
                    f"event {event_id} is resolved; there is nothing to snooze", details={"state": event.state}
                )
            is_change = await store.snooze(tx, event_id, until, version=version)
            event = await current_event(tx, event_id, "snoozed", version=None if is_change else version)
            if is_change:
                action: HistoryAction = "unsnoozed" if until is None else "snoozed"
                await record(tx, event_id, action, actor, until=None if until is None else iso_utc(until))
                await self._live.append(tx, snoozed_message(event))
        return event

    async def comment(self, event_id: int, body: str, *, author: Actor) -> Comment:
        async with self._database.transaction() as tx:
            event = await current_event(tx, event_id, "commented on", version=None)
            user_id, name = _author(author)
            added = await comments.add_comment(tx, event_id, author_id=user_id, author=name, body=body)
            await self._publish(tx, event, "commented", added.comment_id, author)
        return added

    async def edit_comment(self, event_id: int, comment_id: int, body: str, *, author: Actor) -> Comment:
        async with self._database.transaction() as tx:
            event = await current_event(tx, event_id, "changed", version=None)
            edited = await comments.edit_comment(tx, event_id, comment_id, author_id=_author(author)[0], body=body)
            await self._publish(tx, event, "comment_edited", comment_id, author)
        return edited

    async def delete_comment(self, event_id: int, comment_id: int, *, author: Actor) -> None:
        async with self._database.transaction() as tx:
            event = await current_event(tx, event_id, "changed", version=None)
            await comments.delete_comment(tx, event_id, comment_id, author_id=_author(author)[0])
            await self._publish(tx, event, "comment_deleted", comment_id, author)

    async def _publish(
        self, tx: Transaction, event: Event, action: HistoryAction, comment_id: int, author: Actor
    ) -> None:
        await record(tx, event.id, action, author, comment_id=comment_id)
        count = (await comments.comment_counts(tx, [event.id])).get(event.id, 0)
        await self._live.append(tx, commented_message(event, action, comment_id, count))

    async def _name_of(self, tx: Transaction, event: Event, person: UUID, actor: Actor) -> str:
        if person == actor.user_id and actor.name is not None:
            return actor.name
        known = {one.user_id: one.name for one in await store.people_of_event(tx, event)}
        if person not in known:
            raise InvalidInput(
                f"user_id: {person} cannot see this event; assign it to its owner or a member of its team"
            )
        return known[person] or str(person)


def _author(actor: Actor) -> tuple[UUID, str]:
    if actor.user_id is None:
        raise ValueError("a comment has an author")
    return actor.user_id, actor.name or str(actor.user_id)
