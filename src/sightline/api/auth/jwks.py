"""Signing keys that an issuer publishes as a JSON Web Key Set."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

import httpx
import jwt
import structlog

from sightline.errors import BackendUnavailable, NotAuthenticated

ASYMMETRIC = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA")
"""Signatures with a key pair: `none` proves nothing, and with HS256 a published key would be the secret."""
LEEWAY_S = 30
KEYS_KEPT_S = 600.0
KEY_REFRESH_EVERY_S = 30.0
KEY_RETRY_EVERY_S = 2.0

log = structlog.get_logger(__name__)


class JwksKeys:
    """The signing keys of an issuer, fetched rarely, however many tokens name unknown keys."""

    def __init__(
        self,
        url: str,
        *,
        read: Callable[[str], Awaitable[object]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`read` returns the JSON at an address; the default does without checks of addresses, which operators chose."""
        self.url = url
        self._read = read or _read_json
        self._clock = clock
        self._keys: dict[str | None, Any] = {}
        self._fetched_at = float("-inf")
        self._asked_at = float("-inf")
        self._failure = ""
        self._lock = asyncio.Lock()

    async def get(self, key_id: str | None) -> Any:
        if self._lock.locked() and key_id in self._keys:
            return self._keys[key_id]  # a slow issuer must not hold up those whose key is known
        async with self._lock:
            now = self._clock()
            is_due = now - self._fetched_at > KEYS_KEPT_S or key_id not in self._keys
            pause_s = KEY_REFRESH_EVERY_S if self._keys else KEY_RETRY_EVERY_S
            if is_due and now - self._asked_at > pause_s:
                await self._fetch()
        if not self._keys:
            raise BackendUnavailable("identity", f"cannot read the keys at {self.url}: {self._failure}")
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        if key_id not in self._keys:
            raise NotAuthenticated(f"Invalid or expired token: no key {key_id!r}")
        return self._keys[key_id]

    async def _fetch(self) -> None:
        try:
            keys = jwt.PyJWKSet.from_dict(cast("dict[str, Any]", await self._read(self.url)))
        except Exception as error:  # whatever an address answers that is no key set
            # Old keys are better than locking everybody out while the issuer is away.
            self._failure = str(error) or type(error).__name__
            log.warning("identity.keys_not_renewed", url=self.url, error=self._failure)
        else:
            self._keys = {key.key_id: key.key for key in keys.keys if key.public_key_use in (None, "sig")}
            self._fetched_at = self._clock()
        self._asked_at = self._clock()


async def _read_json(url: str) -> object:
    async with httpx.AsyncClient(timeout=5.0) as client:
        answer = await client.get(url)
        answer.raise_for_status()
        found: object = answer.json()
    return found
