"""Connections that outlive a request: those whose API key was revoked or whose session has ended are closed."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog

from sightline.access.keys_store import active_key_ids
from sightline.access.sessions_store import open_session_ids
from sightline.db import Database
from sightline.supervisor import Every

CHECK_EVERY_S = 5.0
POLICY_VIOLATION = 1008

log = structlog.get_logger(__name__)


class OpenConnection(Protocol):
    def close(self, code: int, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class _Credential:
    key_id: str | None
    session_id: UUID | None


class OpenConnections:
    """Asks every few seconds, with two queries for all connections of the process, whether their credentials hold."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # Weak: a connection that has ended by itself needs no one to take it out.
        self._open: WeakKeyDictionary[OpenConnection, _Credential] = WeakKeyDictionary()

    def add(self, connection: OpenConnection, *, key_id: str | None, session_id: UUID | None) -> None:
        if key_id is not None or session_id is not None:
            self._open[connection] = _Credential(key_id, session_id)

    def service(self) -> Every:
        return Every("open-connections", CHECK_EVERY_S, self.close_ended)

    async def close_ended(self) -> int:
        """Returns how many connections it closed."""
        watched = list(self._open.items())
        if not watched:
            return 0
        async with self._database.transaction() as tx:
            keys = await active_key_ids(tx, {one.key_id for _, one in watched if one.key_id})
            sessions = await open_session_ids(tx, {one.session_id for _, one in watched if one.session_id})
        ended = [
            connection
            for connection, one in watched
            if (one.key_id and one.key_id not in keys) or (one.session_id and one.session_id not in sessions)
        ]
        for connection in ended:
            del self._open[connection]
            connection.close(POLICY_VIOLATION, "Your session or API key has ended. Sign in again.")
        if ended:
            log.info("live.credentials_ended", connections=len(ended))
        return len(ended)
