"""The caller: the local owner, or the user of a bearer token."""

import asyncio
import hmac
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Protocol

import httpx
import jwt
import structlog

from sightline.api.auth.membership_store import Memberships
from sightline.api.auth.owner_ids import Identity, OwnerIds, derived_ids, is_text
from sightline.api.auth.owner_store import StoredOwnerIds
from sightline.config import AuthSettings
from sightline.contracts import LOCAL_OWNER, Caller, Role
from sightline.db import Database
from sightline.errors import BackendUnavailable, NotAuthenticated

ASYMMETRIC = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA")
KEYS_KEPT_S = 600.0
KEY_REFRESH_EVERY_S = 30.0
KEY_RETRY_EVERY_S = 2.0
LEEWAY_S = 30
SERVICE_ROLE_ID = uuid.UUID("00000000-0000-0000-0000-000000000002")

log = structlog.get_logger(__name__)


class Authenticator(Protocol):
    async def caller(self, authorization: str | None) -> Caller:
        """The caller of the Authorization header, or `NotAuthenticated`."""


class LocalOwner:
    """Every caller is the owner. Only ever served on loopback; `config` refuses anything else."""

    async def caller(self, authorization: str | None) -> Caller:
        return LOCAL_OWNER


def build_authenticator(settings: AuthSettings, database: Database) -> Authenticator:
    if not settings.is_configured:
        return LocalOwner()
    return BearerTokens(settings, StoredOwnerIds(database), Memberships(database, days=settings.membership_days))


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

    def __init__(
        self, settings: AuthSettings, owner_ids: OwnerIds | None = None, memberships: Memberships | None = None
    ) -> None:
        self._settings = settings
        self._owner_ids = owner_ids
        self._memberships = memberships
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
            identity = identity_from_claims(claims, self._settings)
            caller = caller_from_claims(claims, self._settings)
        except (jwt.PyJWTError, TypeError, ValueError, OverflowError, RecursionError) as error:
            # TypeError: the algorithm does not fit the key. ValueError: the text is not UTF-8. OverflowError and RecursionError:
            # older versions of PyJWT raise them for an infinite expiry and for deeply nested values.
            raise NotAuthenticated(f"Invalid or expired token: {error}") from error
        if self._owner_ids is not None:
            ids = await self._owner_ids.of(identity)
            caller = replace(caller, user_id=ids.person, team_ids=ids.teams)
        if self._memberships is not None:
            await self._memberships.record(caller, issued_at=issued_at(claims))
        return caller

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


class JwksKeys:
    """The signing keys of an issuer, fetched rarely, however many tokens name unknown keys."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
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
            raise BackendUnavailable("identity", f"cannot read the keys at {self._url}: {self._failure}")
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        if key_id not in self._keys:
            raise NotAuthenticated(f"Invalid or expired token: no key {key_id!r}")
        return self._keys[key_id]

    async def _fetch(self) -> None:
        try:
            async with httpx.AsyncClient(timeout=5.0) as client:
                answer = await client.get(self._url)
                answer.raise_for_status()
                keys = jwt.PyJWKSet.from_dict(answer.json())
        except Exception as error:  # whatever an address answers that is no key set
            # Old keys are better than locking everybody out while the issuer is away.
            self._failure = str(error) or type(error).__name__
            log.warning("identity.keys_not_renewed", url=self._url, error=self._failure)
        else:
            self._keys = {key.key_id: key.key for key in keys.keys}
            self._fetched_at = self._clock()
        self._asked_at = self._clock()


def identity_from_claims(claims: Mapping[str, Any], settings: AuthSettings) -> Identity:
    """The caller in the words of the token's issuer."""
    subject, issuer = claims["sub"], str(claims.get("iss") or "")
    if not is_text(subject) or (issuer and not is_text(issuer)):
        raise NotAuthenticated("Invalid token: it names no user (sub)")
    teams = _at(claims, settings.team_claim)
    named = [str(team) for team in (teams if isinstance(teams, list) else [teams]) if team]
    return Identity(issuer, subject, tuple(team for team in named if is_text(team)))


def caller_from_claims(claims: Mapping[str, Any], settings: AuthSettings) -> Caller:
    """The caller with the ids that the rule alone gives."""
    roles = _at(claims, settings.role_claim)
    granted: set[Role] = {"user"}
    if settings.operator_role in (roles if isinstance(roles, list) else [roles]):
        granted.add("operator")
    email = claims.get("email")
    ids = derived_ids(identity_from_claims(claims, settings))
    return Caller(
        user_id=ids.person,
        # PostgreSQL refuses claims with a NUL or half a character in them, and with them the whole request.
        email=email if isinstance(email, str) and email.isprintable() else None,
        team_ids=ids.teams,
        roles=frozenset(granted),
        is_email_verified=_at(claims, settings.email_verified_claim) is True,
    )


def issued_at(claims: Mapping[str, Any]) -> datetime:
    """When the token was issued, as far as it says; now if it does not."""
    for name in ("iat", "nbf"):
        try:
            return datetime.fromtimestamp(float(claims[name]), UTC)
        except (KeyError, TypeError, ValueError, OverflowError, OSError):
            continue
    return datetime.now(UTC)


def _at(claims: Mapping[str, Any], path: str) -> Any:
    found: Any = claims
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def seconds_left(authorization: str | None) -> float | None:
    """How long the token still holds; it has been verified before. None: it says nothing of an end."""
    token = (authorization or "").partition(" ")[2]
    try:
        expires = jwt.decode(token, options={"verify_signature": False}).get("exp")
    except jwt.PyJWTError:
        return None  # a key that is no token has no end
    return None if expires is None else float(expires) + LEEWAY_S - time.time()
