"""Teams and their members, and who may do what in them. Pure."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sightline.contracts import TeamRole

MAX_TEAMS = 100
"""That a person may belong to."""
MAX_MEMBERS = 500


@dataclass(frozen=True, slots=True)
class Team:
    id: UUID
    name: str
    created_at: datetime
    members: int
    role: TeamRole | None
    """Of the person who looks; None for an operator who is no member."""


@dataclass(frozen=True, slots=True)
class Member:
    user_id: UUID
    name: str | None
    """The address of their newest token."""
    role: TeamRole
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class ActingPerson:
    """Who changes a team. An operator may do what its owners may, and so may a command on the machine, which names nobody."""

    user_id: UUID | None = None
    is_operator: bool = True
