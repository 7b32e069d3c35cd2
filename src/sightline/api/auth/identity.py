"""The caller: the local owner, or the user of a bearer token."""

import hmac
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import jwt

from sightline.api.auth.callers import Callers
from sightline.api.auth.jwks import ASYMMETRIC, LEEWAY_S, JwksKeys
from sightline.config import AuthSettings
from sightline.contracts import LOCAL_OWNER, Caller
from sightline.errors import NotAuthenticated

SERVICE_ROLE_ID = uuid.UUID("00000000-0000-0000-0000-000000000002")


class Authenticator(Protocol):
    async def caller(self, authorization: str | None) -> Caller:
        """The caller of the Authorization header, or `NotAuthenticated`."""


class LocalOwner:
    """Every caller is the owner. Only ever served on loopback; `config` refuses anything else."""

    async def caller(self, authorization: str | None) -> Caller:
        return LOCAL_OWNER


def build_authenticator(settings: AuthSettings, callers: Callers) -> Authenticator:
    return BearerTokens(settings, callers) if settings.is_configured else LocalOwner()


@dataclass(frozen=True, slots=True)
class _Expected:
    audience: str | None
    issuer: str | None
    jwks_url: str | None


def _expected(settings: AuthSettings) -> _Expected:
    if settings.supabase_url:
        base = settings.supabase_url.rstrip("/") + "/auth/v1"
        return _Expected(
            settings.audience or "authenticated",
            settings.issuer or base,
            settings.jwks_url or f"{base}/.well-known/jwks.json",
        )
    return _Expected(settings.audience, settings.issuer, settings.jwks_url)


class BearerTokens:
    """Tokens signed with the shared secret (HS256) or with a key from the JWKS address; never taken for each other."""

    def __init__(self, settings: AuthSettings, callers: Callers | None = None) -> None:
        self._settings = settings
        self._callers = callers or Callers(settings)
        self._expected = _expected(settings)
        self._keys = JwksKeys(self._expected.jwks_url) if self._expected.jwks_url else None

    async def caller(self, authorization: str | None) -> Caller:
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise NotAuthenticated("Sign in first: send a bearer token")
        if self._is_service_role(token):
            return Caller(SERVICE_ROLE_ID, email=None, roles=frozenset({"user", "operator"}))
        try:
            header = jwt.get_unverified_header(token)
            key, algorithms = await self._key_for(header)
            claims = jwt.decode(
                token,
                key,
                algorithms=algorithms,
                audience=self._expected.audience,
                issuer=self._expected.issuer,
                leeway=LEEWAY_S,
                options={"require": ["exp", "sub"], "verify_aud": self._expected.audience is not None},
            )
        except (jwt.PyJWTError, TypeError, ValueError, OverflowError, RecursionError) as error:
            # TypeError: the algorithm does not fit the key. ValueError: the text is not UTF-8. OverflowError and RecursionError:
            # older versions of PyJWT raise them for an infinite expiry and for deeply nested values.
            raise NotAuthenticated(f"Invalid or expired token: {error}") from error
        return await self._callers.of(claims)

    def _is_service_role(self, token: str) -> bool:
        key = self._settings.supabase_service_role_key
        return key is not None and hmac.compare_digest(key.get_secret_value().encode(), token.encode())

    async def _key_for(self, header: Mapping[str, Any]) -> tuple[Any, list[str]]:
        algorithm = header.get("alg")
        if algorithm == "HS256" and self._settings.jwt_secret:
            return self._settings.jwt_secret.get_secret_value(), ["HS256"]
        if algorithm in ASYMMETRIC and self._keys is not None:
            return await self._keys.get(header.get("kid")), [algorithm]
        raise NotAuthenticated(f"tokens signed with {algorithm!r} are not accepted")


def seconds_left(authorization: str | None) -> float | None:
    """How long the token still holds; it has been verified before. None: it says nothing of an end."""
    token = (authorization or "").partition(" ")[2]
    try:
        expires = jwt.decode(token, options={"verify_signature": False}).get("exp")
    except jwt.PyJWTError:
        return None  # a key that is no token has no end
    return None if expires is None else float(expires) + LEEWAY_S - time.time()
