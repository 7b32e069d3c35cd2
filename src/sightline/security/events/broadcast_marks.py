"""Marks events as broadcasted once a process has handed their message to its sockets."""

import asyncio
from collections.abc import Callable

import asyncpg
import structlog

from sightline.db import Database
from sightline.errors import BackendUnavailable
from sightline.live import LiveHub
from sightline.security.events import events_store as store
from sightline.timing import repeat

LOOK_EVERY_S = 0.25  # in memory; the database is asked only when the hub went on

log = structlog.get_logger(__name__)


class BroadcastMarks:
    """Runs beside the hub of an API process: what the hub has passed on is what counts, not what was stored."""

    name = "broadcast-marks"

    def __init__(self, database: Database, hub: LiveHub, *, every_s: float = LOOK_EVERY_S) -> None:
        self._database = database
        self._hub = hub
        self._every_s = every_s
        self._marked = -1

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await repeat(stop, self._every_s, self._look)

    async def mark(self) -> int:
        """Says how many events are known to be broadcasted by this look."""
        top = self._hub.standing("events").top
        if top == self._marked:
            return 0
        async with self._database.transaction() as tx:
            count = await store.mark_broadcasted(tx, top=top)
        self._marked = top
        return count

    async def _look(self) -> None:
        try:
            await self.mark()
        except (BackendUnavailable, asyncpg.PostgresError, OSError) as error:
            log.warning("security.broadcasts_not_marked", error=str(error))
