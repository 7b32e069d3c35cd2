"""Authentication of a request: a bearer token, an API key, or the local owner."""

from dataclasses import dataclass
from typing import Literal

from starlette.datastructures import Headers
from starlette.types import Scope

from sightline.access import ApiKeys, caller_of_key, looks_like_key
from sightline.api.auth.identity import Authenticator
from sightline.contracts import Caller

KEY_HEADER = "x-api-key"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The caller, and how it signed in."""

    caller: Caller
    by: Literal["token", "key"]
    key_id: str | None = None
    scopes: frozenset[str] | None = None
    """What an API key is limited to; None: no limit."""


class Authentication:
    def __init__(self, tokens: Authenticator, keys: ApiKeys) -> None:
        self._tokens = tokens
        self._keys = keys

    async def of_request(self, scope: Scope) -> SignedIn:
        """Raises `NotAuthenticated` if the request has no valid credential."""
        headers = Headers(scope=scope)
        key = headers.get(KEY_HEADER)
        return await self.of_credential(headers.get("authorization") or (f"Bearer {key}" if key else None))

    async def of_credential(self, authorization: str | None) -> SignedIn:
        """The same for a credential that did not come in a header."""
        scheme, _, text = (authorization or "").partition(" ")
        if scheme.lower() == "bearer" and looks_like_key(text):
            key = await self._keys.check(text)
            return SignedIn(caller_of_key(key), "key", key_id=key.key_id, scopes=key.scopes)
        return SignedIn(await self._tokens.caller(authorization), "token")
