"""Page sessions: a browser signs in once with a token and is known by a cookie from then on."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime

from sightline.access.sessions_store import (
    PageSession,
    end_session,
    insert_session,
    remove_expired_sessions,
    sessions_of,
)
from sightline.contracts import Caller
from sightline.db import Database, Grouped
from sightline.errors import NotAuthenticated
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now

REMOVE_EXPIRED_EVERY_S = 3600.0
_SECRET_BYTES = 32
_MAX_COOKIE_LENGTH = 100


class PageSessions:
    """A check reads the database each time, so that signing out ends a session at once in every process; checks at the
    same moment share one query."""

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock
        self._checks = Grouped(self._check_group)

    async def start(
        self, caller: Caller, expires_at: datetime, *, sealed_id_token: bytes | None = None
    ) -> tuple[PageSession, str]:
        """The session and its secret, which only the browser's cookie holds."""
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        async with self._database.transaction() as tx:
            return await insert_session(tx, _hash(secret), caller, expires_at, sealed_id_token), secret

    async def check(self, secret: str) -> PageSession:
        found = await self._checks.call(_hash(secret)) if len(secret) <= _MAX_COOKIE_LENGTH else None
        if found is None:
            raise NotAuthenticated("Your session has ended. Sign in again.")
        return found

    async def end(self, secret: str) -> bytes | None:
        """The sealed ID token of a session that began at an OpenID Connect issuer."""
        async with self._database.transaction() as tx:
            return await end_session(tx, _hash(secret))

    def service(self) -> Every:
        return Every("page-session-expiry", REMOVE_EXPIRED_EVERY_S, self.remove_expired)

    async def remove_expired(self) -> None:
        async with self._database.transaction() as tx:
            await remove_expired_sessions(tx, self._clock())

    async def _check_group(self, hashes: Sequence[bytes]) -> list[PageSession | None]:
        async with self._database.transaction() as tx:
            found = await sessions_of(tx, hashes, self._clock())
        return [found.get(one) for one in hashes]


def csrf_token(secret: str) -> str:
    """What a request that changes something has to repeat in a header. Scripts of the page may know it: it opens
    nothing without the cookie, and the cookie cannot be computed from it."""
    return hmac.new(secret.encode(), b"csrf", hashlib.sha256).hexdigest()


def is_csrf_token(secret: str, given: str | None) -> bool:
    return given is not None and hmac.compare_digest(csrf_token(secret).encode(), given.encode())


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="surrogateescape")).digest()
