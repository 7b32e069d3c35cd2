"""Authentication of a request: a bearer token, an API key, the page's cookie, or the local owner."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from starlette.datastructures import Headers
from starlette.types import Scope

from sightline.access import ApiKeys, CallerRights, PageSessions, caller_of_key, looks_like_key
from sightline.api.auth.cookies import check_own_page, check_page_request, origin_of, read_session_cookie
from sightline.api.auth.identity import Authenticator
from sightline.contracts import Caller

KEY_HEADER = "x-api-key"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The caller, and how it signed in."""

    caller: Caller
    by: Literal["token", "key", "session", "oidc"]
    key_id: str | None = None
    scopes: frozenset[str] | None = None
    """What an API key is limited to; None: no limit."""
    session_id: UUID | None = None
    expires_at: datetime | None = None
    """When the session or the key ends; a token says it itself."""


class Authentication:
    """`sessions` and `rights` are None where nobody signs in: everyone is the local owner then, and cookies mean nothing."""

    def __init__(
        self,
        tokens: Authenticator,
        keys: ApiKeys,
        sessions: PageSessions | None = None,
        rights: CallerRights | None = None,
        *,
        public_url: str = "",
    ) -> None:
        self._tokens = tokens
        self._keys = keys
        self._sessions = sessions
        self._rights = rights
        self._own_origin = origin_of(public_url)

    async def of_request(self, scope: Scope, authorization: str | None = None) -> SignedIn:
        """Raises `NotAuthenticated` if the request has no valid credential. `authorization` is one that came in
        another way than in a header; a bearer token or key counts before the cookie."""
        headers = Headers(scope=scope)
        key = headers.get(KEY_HEADER)
        authorization = authorization or headers.get("authorization") or (f"Bearer {key}" if key else None)
        if authorization is None and self._sessions is not None and (secret := self.page_secret(scope)) is not None:
            session = await self._sessions.check(secret)
            return SignedIn(session.caller, "session", session_id=session.session_id, expires_at=session.expires_at)
        return await self.of_credential(authorization)

    async def of_credential(self, authorization: str | None) -> SignedIn:
        """The same for a token or key alone."""
        scheme, _, text = (authorization or "").partition(" ")
        if scheme.lower() == "bearer" and looks_like_key(text):
            key = await self._keys.check(text)
            return SignedIn(caller_of_key(key), "key", key_id=key.key_id, scopes=key.scopes, expires_at=key.expires_at)
        caller = await self._tokens.caller(authorization)
        return SignedIn(caller if self._rights is None else await self._rights.added_to(caller), "token")

    def page_secret(self, scope: Scope) -> str | None:
        """The secret of the page's cookie, if the request was made by the page itself; `NotAllowed` otherwise."""
        headers = Headers(scope=scope)
        secret = read_session_cookie(headers, is_secure=self.is_secure(scope))
        if secret is not None:
            check_page_request(headers, scope["type"], scope.get("method", "GET"), secret, own_origin=self._own_origin)
        return secret

    def check_own_page(self, scope: Scope) -> None:
        """Refuses a sign-in that another site's page sends: its visitor would work in a stranger's account."""
        check_own_page(Headers(scope=scope), scope["type"], own_origin=self._own_origin)

    def is_secure(self, scope: Scope) -> bool:
        """Whether the page is reached by HTTPS, here or at the proxy in front."""
        return self._own_origin.startswith("https://") or scope.get("scheme") in ("https", "wss")
