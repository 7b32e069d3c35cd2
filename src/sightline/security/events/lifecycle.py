"""Lifecycle of an event: acknowledge, resolve, reopen. Each change is on the live feed and in its history, in one transaction."""

from sightline.db import Database, Transaction
from sightline.errors import Conflict
from sightline.live import LiveFeed
from sightline.security.events import events_store as store
from sightline.security.events.event import (
    Event,
    acknowledged_message,
    reopened_message,
    resolution_added_message,
    resolved_message,
)
from sightline.security.events.history import PLATFORM, Actor, has_resolution, record

MAX_VERSION = 2**31 - 1


class Lifecycle:
    """The caller has checked that the user may see the event."""

    def __init__(self, database: Database, live: LiveFeed) -> None:
        self._database = database
        self._live = live

    async def acknowledge(
        self, event_id: int, *, by: str, actor: Actor | None = None, version: int | None = None
    ) -> Event:
        """The first acknowledgement wins; a repetition changes nothing and is no error, unless the event is resolved by now."""
        async with self._database.transaction() as tx:
            is_first = await store.acknowledge(tx, event_id, by=by, version=version)
            event = await current_event(tx, event_id, "acknowledged", version=None if is_first else version)
            if event.resolved_at is not None:
                raise Conflict(
                    f"event {event_id} is already resolved",
                    details={"state": event.state, "version": event.version},
                )
            if is_first:
                await record(tx, event_id, "acknowledged", actor or Actor(name=by))
                await self._live.append(tx, acknowledged_message(event))
        return event

    async def resolve(
        self,
        event_id: int,
        *,
        by: str | None,
        actor: Actor | None = None,
        notes: str | None = None,
        version: int | None = None,
    ) -> Event:
        """Needs an acknowledgement before it. The first resolution wins; notes of a later one are kept in the history."""
        actor = actor or Actor(name=by)
        async with self._database.transaction() as tx:
            is_first = await store.resolve(tx, event_id, by=by, notes=notes, version=version)
            is_repeated = not is_first and (await store.need_event(tx, event_id)).resolved_at is not None
            checked = None if is_first or (is_repeated and notes) else version
            event = await current_event(tx, event_id, "resolved", version=checked)
            if event.acknowledged_at is None:
                raise Conflict(
                    f"event {event_id} is {event.state}; acknowledge it before you resolve it",
                    details={"state": event.state, "version": event.version},
                )
            if is_first:
                await record(tx, event_id, "resolved", actor, notes=notes)
                await self._live.append(tx, resolved_message(event))
            elif notes and not await has_resolution(tx, event_id, actor, notes):
                await record(tx, event_id, "resolution_added", actor, notes=notes)
                await self._live.append(tx, resolution_added_message(event))
        return event

    async def reopen(self, event_id: int, *, actor: Actor = PLATFORM, version: int | None = None) -> Event:
        """A resolved event is acknowledged again; a repetition changes nothing, and any other state is refused."""
        async with self._database.transaction() as tx:
            is_first = await store.reopen(tx, event_id, version=version)
            event = await current_event(tx, event_id, "reopened", version=None if is_first else version)
            if event.state != "acknowledged":
                raise Conflict(
                    f"event {event_id} is {event.state}; only a resolved event can be reopened",
                    details={"state": event.state, "version": event.version},
                )
            if is_first:
                await record(tx, event_id, "reopened", actor)
                await self._live.append(tx, reopened_message(event))
        return event


async def current_event(tx: Transaction, event_id: int, move: str, *, version: int | None) -> Event:
    """The event as it stands; refused if it is archived, or was changed since the version that the caller knows."""
    event = await store.need_event(tx, event_id)
    details = {"state": event.state, "version": event.version}
    if event.state == "archived":
        raise Conflict(f"event {event_id} is archived and cannot be {move} any more", details=details)
    if version is not None and version != event.version:
        raise Conflict(
            "The event changed since you opened it. Review it and try again.",
            details=details,
        )
    return event
