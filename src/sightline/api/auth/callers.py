"""Callers from checked claims: their ids in every table, and the record of their teams."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sightline.api.auth.membership_store import Memberships
from sightline.api.auth.owner_ids import Identity, OwnerIds, derived_ids, is_text
from sightline.api.auth.owner_store import StoredOwnerIds
from sightline.config import AuthSettings
from sightline.contracts import Caller, Role
from sightline.db import Database
from sightline.errors import NotAuthenticated


class Callers:
    """The one way from claims to a caller, for bearer tokens and for sign-ins at an OpenID Connect issuer."""

    def __init__(
        self, settings: AuthSettings, owner_ids: OwnerIds | None = None, memberships: Memberships | None = None
    ) -> None:
        self._settings = settings
        self._owner_ids = owner_ids
        self._memberships = memberships

    async def of(self, claims: Mapping[str, Any]) -> Caller:
        """The caller whom these claims name, which were checked before."""
        try:
            identity = identity_from_claims(claims, self._settings)
            caller = caller_from_claims(claims, self._settings)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise NotAuthenticated(f"Invalid or expired token: {error}") from error
        if self._owner_ids is not None:
            ids = await self._owner_ids.of(identity)
            caller = replace(caller, user_id=ids.person, team_ids=ids.teams)
        if self._memberships is not None:
            await self._memberships.record(caller, issued_at=issued_at(claims))
        return caller


def build_callers(settings: AuthSettings, database: Database) -> Callers:
    return Callers(settings, StoredOwnerIds(database), Memberships(database, days=settings.membership_days))


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
