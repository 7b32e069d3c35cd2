"""Who may follow the live feed, how often and for how long: the same for every way of following it."""

import time

from starlette.types import Scope

from sightline.access import OpenConnection, OpenConnections
from sightline.api.auth.authentication import Authentication
from sightline.api.auth.rate_limit import RateLimit
from sightline.api.auth.route_scopes import check_scope
from sightline.api.live.handshake import Credential, seconds_left
from sightline.contracts import Caller
from sightline.timing import utc_now


class Admission:
    def __init__(
        self,
        authentication: Authentication,
        connects: RateLimit,
        open_connections: OpenConnections,
        *,
        tokens_end: bool,
    ) -> None:
        self._authentication = authentication
        self._connects = connects
        self._open_connections = open_connections
        self._tokens_end = tokens_end

    async def admit(
        self, credential: Credential, scope: Scope, connection: OpenConnection
    ) -> tuple[Caller, float | None]:
        """The caller, and when its token expires (monotonic clock); refused if the token is invalid, or after too many attempts."""
        signed_in = await self._authentication.of_request(scope, credential.authorization)
        check_scope(signed_in.scopes, "GET", "/api/live")
        caller = signed_in.caller
        self._connects.take(str(caller.user_id))
        self._open_connections.add(connection, caller, key_id=signed_in.key_id, session_id=signed_in.session_id)
        if signed_in.expires_at is not None:
            return caller, time.monotonic() + (signed_in.expires_at - utc_now()).total_seconds()
        left = seconds_left(credential.authorization) if self._tokens_end else None
        return caller, None if left is None else time.monotonic() + left
