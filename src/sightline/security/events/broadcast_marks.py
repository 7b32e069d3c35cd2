"""Marks events as broadcasted once a process has handed their message to its sockets."""

from sightline.db import Database
from sightline.live import LiveHub
from sightline.security.events import events_store as store
from sightline.supervisor import Every

CHECK_EVERY_S = 0.25  # in memory; the database is asked only when the hub went on


class BroadcastMarks:
    """Runs beside the hub of an API process: what the hub has passed on is what counts, not what was stored."""

    def __init__(self, database: Database, hub: LiveHub) -> None:
        self._database = database
        self._hub = hub
        self._marked = -1

    def service(self) -> Every:
        return Every("broadcast-marks", CHECK_EVERY_S, self.mark)

    async def mark(self) -> int:
        """Says how many events are known to be broadcasted by this look."""
        top = self._hub.state("events").top
        if top == self._marked:
            return 0
        async with self._database.transaction() as tx:
            count = await store.mark_broadcasted(tx, top=top)
        self._marked = top
        return count
