"""Connections that outlive a request: closed when their API key is revoked, their session ends or their rights change."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog

from sightline.access.keys_store import active_key_ids
from sightline.access.rights import CHANNEL, Rights, rights_of
from sightline.access.sessions_store import open_session_ids
from sightline.contracts import Caller
from sightline.db import Database, Listener
from sightline.supervisor import Every

CHECK_EVERY_S = 5.0
POLICY_VIOLATION = 1008
TRY_AGAIN = 1012

log = structlog.get_logger(__name__)


class OpenConnection(Protocol):
    def close(self, code: int, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class _Credential:
    user_id: UUID
    rights: Rights
    key_id: str | None
    session_id: UUID | None


class OpenConnections:
    """Asks every few seconds, and when somebody's rights change, with three queries for all connections of the process, whether
    their credentials hold."""

    def __init__(self, database: Database, listener: Listener) -> None:
        self._database = database
        self._listener = listener
        # Weak: a connection that has ended by itself needs no one to take it out.
        self._open: WeakKeyDictionary[OpenConnection, _Credential] = WeakKeyDictionary()

    def add(
        self, connection: OpenConnection, caller: Caller, *, key_id: str | None = None, session_id: UUID | None = None
    ) -> None:
        self._open[connection] = _Credential(caller.user_id, Rights.of(caller), key_id, session_id)

    def service(self) -> Every:
        return Every(
            "open-connections",
            CHECK_EVERY_S,
            self.close_ended,
            wake_on=lambda wake: self._listener.subscribe(CHANNEL, lambda _: wake()),
        )

    async def close_ended(self) -> int:
        """Returns how many connections it closed."""
        watched = list(self._open.items())
        if not watched:
            return 0
        async with self._database.transaction() as tx:
            keys = await active_key_ids(tx, {one.key_id for _, one in watched if one.key_id})
            sessions = await open_session_ids(tx, {one.session_id for _, one in watched if one.session_id})
            rights = await rights_of(tx, [one.user_id for _, one in watched])
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
        changed = [
            connection
            for connection, one in watched
            # A key never has more than its scopes, whatever its owner was made.
            if connection in self._open and one.rights != _limited(rights[one.user_id], one.key_id)
        ]
        for connection in changed:
            del self._open[connection]
            connection.close(TRY_AGAIN, "Your teams or your role have changed. Connect again.")
        if changed:
            log.info("live.rights_changed", connections=len(changed))
        return len(ended) + len(changed)


def _limited(rights: Rights, key_id: str | None) -> Rights:
    return rights if key_id is None else Rights(rights.memberships)
