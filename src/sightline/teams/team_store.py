"""Teams: created, renamed and deleted, and how their members come, change and go.

Every change of members locks the team first and reads the role of the one who changes after that, so that two changes at the same
moment are two changes one after the other.
"""

from pathlib import Path
from uuid import UUID

from sightline.contracts import TeamRole
from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotAllowed, NotFound
from sightline.teams.team import MAX_MEMBERS, MAX_TEAMS, ActingPerson, Member, Team

MAX_LISTED = 1000

_sql = load_queries(Path(__file__).with_name("teams.sql"))


async def create_team(tx: Transaction, name: str, *, owner_id: UUID) -> UUID:
    """A team whose one member is its owner."""
    await _check_count(tx, owner_id)
    team_id: UUID = await _sql["insert_team"].value(tx, name=name)
    await _sql["insert_member"].row(tx, team_id=team_id, user_id=owner_id, role="owner")
    return team_id


async def list_teams(tx: Transaction, user_id: UUID | None, *, of_everyone: bool = False) -> list[Team]:
    rows = await _sql["teams"].rows(tx, user_id=user_id, of_everyone=of_everyone, team_id=None, limit=MAX_LISTED)
    return [Team(**row) for row in rows]


async def need_team(tx: Transaction, team_id: UUID, actor: ActingPerson) -> Team:
    """The team, or `NotFound`, which is the same for a missing team and for one of others."""
    row = await _sql["teams"].row(tx, user_id=actor.user_id, of_everyone=actor.is_operator, team_id=team_id, limit=1)
    if row is None:
        raise unknown_team(team_id)
    return Team(**row)


async def list_members(tx: Transaction, team_id: UUID) -> list[Member]:
    return [Member(**row) for row in await _sql["members"].rows(tx, team_id=team_id)]


async def need_owner(tx: Transaction, team_id: UUID, actor: ActingPerson) -> None:
    """Locks the team for one who may manage its members."""
    role = await _lock(tx, team_id, actor)
    if role != "owner" and not actor.is_operator:
        raise NotAllowed("Only owners of the team can do this")


async def add_member(tx: Transaction, team_id: UUID, user_id: UUID, role: TeamRole) -> bool:
    """False if the person is a member already, who keeps their role. The caller has locked the team."""
    if await _sql["role_of"].value(tx, team_id=team_id, user_id=user_id) is not None:
        return False
    await _check_count(tx, user_id)
    if await _sql["count_members"].value(tx, team_id=team_id) >= MAX_MEMBERS:
        raise Conflict(f"The team has {MAX_MEMBERS} members, which is the limit", code="TEAM_FULL")
    await _sql["insert_member"].row(tx, team_id=team_id, user_id=user_id, role=role)
    return True


async def set_role(tx: Transaction, team_id: UUID, user_id: UUID, role: TeamRole, *, by: ActingPerson) -> None:
    await need_owner(tx, team_id, by)
    known = await _need_member(tx, team_id, user_id)
    if known == role:
        return
    if known == "owner":
        await _keep_owner(tx, team_id)
    await _sql["set_role"].run(tx, team_id=team_id, user_id=user_id, role=role, expected=known)


async def remove_member(tx: Transaction, team_id: UUID, user_id: UUID, *, by: ActingPerson) -> None:
    """Owners remove anyone, and everybody themselves. What the person uploaded stays with the team."""
    if user_id == by.user_id:
        await _lock(tx, team_id, by)
    else:
        await need_owner(tx, team_id, by)
    if await _need_member(tx, team_id, user_id) == "owner":
        await _keep_owner(tx, team_id)
    await _sql["remove_member"].run(tx, team_id=team_id, user_id=user_id)
    await _sql["forget_uploader"].run(tx, team_id=team_id, user_id=user_id)


async def rename_team(tx: Transaction, team_id: UUID, name: str, *, by: ActingPerson) -> None:
    await need_owner(tx, team_id, by)
    await _sql["rename"].run(tx, team_id=team_id, name=name)


async def delete_team(tx: Transaction, team_id: UUID, *, by: ActingPerson) -> None:
    """A team that has videos stays, so that nobody deletes them by accident."""
    await need_owner(tx, team_id, by)
    videos = await _sql["count_videos"].value(tx, team_id=team_id)
    if videos:
        raise Conflict(
            f"The team has {videos} videos. Move them out of the team or delete them for good first; those in the trash count too.",
            code="TEAM_HAS_VIDEOS",
            details={"videos": videos},
        )
    await _sql["delete_team"].run(tx, team_id=team_id)


async def lock_team(tx: Transaction, team_id: UUID) -> None:
    """Its members change one after another."""
    if await _sql["lock_team"].row(tx, team_id=team_id) is None:
        raise unknown_team(team_id)


async def role_in_team(tx: Transaction, team_id: UUID, user_id: UUID | None) -> TeamRole | None:
    """Which stays until the transaction ends: removing the member waits for it."""
    found: TeamRole | None = await _sql["role_of"].value(tx, team_id=team_id, user_id=user_id)
    return found


def unknown_team(team_id: object) -> NotFound:
    return NotFound(f"no team {team_id}", code="TEAM_NOT_FOUND")


async def _lock(tx: Transaction, team_id: UUID, actor: ActingPerson) -> TeamRole | None:
    """The actor's role. A team of others does not exist for them."""
    await lock_team(tx, team_id)
    role = await role_in_team(tx, team_id, actor.user_id)
    if role is None and not actor.is_operator:
        raise unknown_team(team_id)
    return role


async def _need_member(tx: Transaction, team_id: UUID, user_id: UUID) -> TeamRole:
    role = await role_in_team(tx, team_id, user_id)
    if role is None:
        raise NotFound(f"{user_id} is not a member of the team", code="MEMBER_NOT_FOUND")
    return role


async def _keep_owner(tx: Transaction, team_id: UUID) -> None:
    if await _sql["count_owners"].value(tx, team_id=team_id) < 2:
        raise Conflict("This is the team's only owner. Make another person an owner first.", code="LAST_OWNER")


async def _check_count(tx: Transaction, user_id: UUID) -> None:
    await _sql["lock_person"].run(tx, user_id=user_id)
    if await _sql["count_of_person"].value(tx, user_id=user_id) >= MAX_TEAMS:
        raise Conflict(f"A person can belong to {MAX_TEAMS} teams. Leave one first.", code="TOO_MANY_TEAMS")
