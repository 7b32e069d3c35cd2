"""Invitations: links that let people join a team, until they expire, are revoked or were used often enough."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal
from uuid import UUID

from sightline.contracts import TeamRole
from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotFound
from sightline.teams.team import ActingPerson
from sightline.teams.team_store import add_member, lock_team, need_owner, role_in_team

MAX_OPEN = 50
"""Per team."""
MAX_HOURS = 24 * 365
MAX_USES = 100
InvitedRole = Literal["editor", "viewer"]
"""Nobody becomes an owner by a link, which may be passed on."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
_sql = load_queries(Path(__file__).with_name("invitations.sql"))


@dataclass(frozen=True, slots=True)
class Invitation:
    id: UUID
    team_id: UUID
    role: InvitedRole
    max_uses: int
    uses: int
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class OpenInvitation:
    """What somebody who holds the link is told before they accept."""

    id: UUID
    team_id: UUID
    team_name: str
    role: InvitedRole
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Accepted:
    team_id: UUID
    role: TeamRole
    is_new: bool
    """False for somebody who was a member already, who keeps their role; nothing is used up."""


async def invite(
    tx: Transaction, team_id: UUID, role: InvitedRole, *, hours: int, max_uses: int, by: ActingPerson
) -> tuple[Invitation, str]:
    """The invitation and its token, which is stored nowhere."""
    await need_owner(tx, team_id, by)
    await _sql["remove_ended"].run(tx, team_id=team_id)
    if await _sql["count_open"].value(tx, team_id=team_id) >= MAX_OPEN:
        raise Conflict(f"The team has {MAX_OPEN} open invitations. Revoke one first.", code="TOO_MANY_INVITATIONS")
    token = secrets.token_urlsafe(32)
    row = await _sql["insert"].row(
        tx, team_id=team_id, token_hash=_hash(token), role=role, max_uses=max_uses, created_by=by.user_id, hours=hours
    )
    assert row is not None
    return Invitation(**row), token


async def open_invitations(tx: Transaction, team_id: UUID) -> list[Invitation]:
    return [Invitation(**row) for row in await _sql["open"].rows(tx, team_id=team_id)]


async def revoke_invitation(tx: Transaction, team_id: UUID, invitation_id: UUID, *, by: ActingPerson) -> None:
    await need_owner(tx, team_id, by)
    if await _sql["revoke"].row(tx, id=invitation_id, team_id=team_id) is None:
        raise NotFound(f"no invitation {invitation_id}", code="INVITATION_NOT_FOUND")


async def find_invitation(tx: Transaction, token: str) -> OpenInvitation:
    """Raises the same `NotFound` for a token that never was, and for one that has expired, was revoked or is used up."""
    row = await _sql["find"].row(tx, token_hash=_hash(token)) if _TOKEN.fullmatch(token) else None
    if row is None:
        raise _ended()
    return OpenInvitation(**row)


async def accept_invitation(tx: Transaction, token: str, user_id: UUID) -> Accepted:
    """Makes the person a member. Of two who accept the last use at once, one is refused."""
    found = await find_invitation(tx, token)
    await lock_team(tx, found.team_id)
    known = await role_in_team(tx, found.team_id, user_id)
    if known is not None:
        return Accepted(found.team_id, known, is_new=False)
    if await _sql["use"].row(tx, id=found.id) is None:
        raise _ended()
    await add_member(tx, found.team_id, user_id, found.role)
    return Accepted(found.team_id, found.role, is_new=True)


def _ended() -> NotFound:
    return NotFound(
        "This invitation is not valid: it has expired, was revoked or was used. Ask for a new one.",
        code="INVITATION_NOT_FOUND",
    )


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
