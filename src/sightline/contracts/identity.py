"""Identity of the caller, as the database and the features need it."""

from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

Role = Literal["user", "operator"]

LOCAL_OWNER_ID = UUID("00000000-0000-0000-0000-000000000001")


@dataclass(frozen=True, slots=True)
class Caller:
    user_id: UUID
    email: str | None = None
    team_ids: tuple[UUID, ...] = ()
    roles: frozenset[Role] = field(default_factory=lambda: frozenset[Role]({"user"}))
    is_email_verified: bool = False
    """Whether the identity provider says that the address is the caller's."""

    @property
    def is_operator(self) -> bool:
        return "operator" in self.roles

    def claims(self) -> dict[str, Any]:
        """The claims that row level security reads in `request.jwt.claims`, with the names of Supabase."""
        return {
            "sub": str(self.user_id),
            "role": "authenticated",
            "email": self.email,
            "team_ids": [str(team) for team in self.team_ids],
        }


LOCAL_OWNER = Caller(LOCAL_OWNER_ID, email="owner@localhost", roles=frozenset({"user", "operator"}))
"""The only user of an installation without authentication, which is served on loopback only."""
