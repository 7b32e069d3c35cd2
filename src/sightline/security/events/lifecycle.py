"""Lifecycle of an event: acknowledge and resolve. Each change is published on the live feed in the same transaction."""

from sightline.db import Database, Transaction
from sightline.errors import Conflict
from sightline.live import LiveFeed
from sightline.security.events import events_store as store
from sightline.security.events.event import Event, acknowledged_message, resolved_message

MAX_VERSION = 2**31 - 1


class Lifecycle:
    """The caller has checked that the user may see the event."""

    def __init__(self, database: Database, live: LiveFeed) -> None:
        self._database = database
        self._live = live

    async def acknowledge(self, event_id: int, *, by: str, version: int | None = None) -> Event:
        """The first acknowledgement wins; a repetition changes nothing and is no error, unless the event is resolved by now."""
        async with self._database.transaction() as tx:
            is_first = await store.acknowledge(tx, event_id, by=by, version=version)
            event = await self._current(tx, event_id, "acknowledged", version=None if is_first else version)
            if event.resolved_at is not None:
                raise Conflict(
                    f"event {event_id} is already resolved",
                    details={"state": event.state, "version": event.version},
                )
            if is_first:
                await self._live.append(tx, acknowledged_message(event))
        return event

    async def resolve(
        self, event_id: int, *, by: str | None, notes: str | None = None, version: int | None = None
    ) -> Event:
        """Needs an acknowledgement before it. The first resolution wins; a repetition changes nothing."""
        async with self._database.transaction() as tx:
            is_first = await store.resolve(tx, event_id, by=by, notes=notes, version=version)
            event = await self._current(tx, event_id, "resolved", version=None if is_first else version)
            if event.acknowledged_at is None:
                raise Conflict(
                    f"event {event_id} is {event.state}; acknowledge it before you resolve it",
                    details={"state": event.state, "version": event.version},
                )
            if is_first:
                await self._live.append(tx, resolved_message(event))
        return event

    async def _current(self, tx: Transaction, event_id: int, move: str, *, version: int | None) -> Event:
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
