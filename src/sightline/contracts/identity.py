"""Identity of the caller, as the database and the features need it."""

from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

Role = Literal["user", "operator"]

TeamRole = Literal["owner", "editor", "viewer"]
"""Of a member of a team that was made here: owners manage members, editors change what the team has, viewers look."""

LOCAL_OWNER_ID = UUID("00000000-0000-0000-0000-000000000001")


@dataclass(frozen=True, slots=True)
class Membership:
    team_id: UUID
    role: TeamRole


@dataclass(frozen=True, slots=True)
class Caller:
    user_id: UUID
    email: str | None = None
    team_ids: tuple[UUID, ...] = ()
    """Teams that the identity provider names."""
    roles: frozenset[Role] = field(default_factory=lambda: frozenset[Role]({"user"}))
    is_email_verified: bool = False
    """Whether the identity provider says that the address is the caller's."""
    memberships: tuple[Membership, ...] = ()
    """Of teams that were made here, as they are now."""
    is_granted_operator: bool = False
    """Whether an operator made the caller one, whatever the identity provider says."""

    @property
    def is_operator(self) -> bool:
        return self.is_granted_operator or "operator" in self.roles

    @property
    def visible_team_ids(self) -> tuple[UUID, ...]:
        """All teams whose things the caller sees."""
        return (*self.team_ids, *(membership.team_id for membership in self.memberships))

    @property
    def owner_ids(self) -> tuple[UUID, ...]:
        """The owners whose things the caller may change: the caller, and teams that the caller owns or edits."""
        return (self.user_id, *(one.team_id for one in self.memberships if one.role != "viewer"))

    def role_in(self, team_id: UUID | None) -> TeamRole | None:
        """None for a team of the identity provider, and for one that the caller is no member of."""
        return next((one.role for one in self.memberships if one.team_id == team_id), None)

    def claims(self) -> dict[str, Any]:
        """The claims that row level security reads in `request.jwt.claims`, with the names of Supabase."""
        return {
            "sub": str(self.user_id),
            "role": "authenticated",
            "email": self.email,
            "team_ids": [str(team) for team in self.visible_team_ids],
        }


LOCAL_OWNER = Caller(LOCAL_OWNER_ID, email="owner@localhost", roles=frozenset({"user", "operator"}))
"""The only user of an installation without authentication, which is served on loopback only."""
