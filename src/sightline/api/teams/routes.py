"""Teams and their members."""

from typing import Annotated, Literal
from uuid import UUID

import structlog
from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.teams import EXAMPLE_ID, MemberAnswer, TeamItemAnswer, TeamListAnswer, WholeTeamAnswer
from sightline.api.auth.audited_routes import set_audit_targets
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.contracts.values import Name
from sightline.db import Transaction
from sightline.errors import Conflict, NotAllowed
from sightline.teams import (
    ActingPerson,
    create_team,
    delete_team,
    list_members,
    list_teams,
    need_team,
    remove_member,
    rename_team,
    set_role,
)

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/teams", tags=["people"])

TeamId = Annotated[UUID, Path(description="The team's id.", examples=[EXAMPLE_ID])]
MemberId = Annotated[UUID, Path(description="The member's id.", examples=[EXAMPLE_ID])]


class TeamBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = Field(examples=["Night shift"])


class RoleBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: Literal["owner", "editor", "viewer"] = Field(
        examples=["editor"],
        description="Owners manage members, editors change and delete the team's videos, viewers watch and search.",
    )


def actor_of(caller: Caller) -> ActingPerson:
    return ActingPerson(caller.user_id, caller.is_operator)


def need_sign_in(platform: Platform) -> None:
    """Refuses where nobody signs in: there is nobody else who could belong to a team."""
    if not platform.settings.auth.is_configured:
        raise Conflict(
            "Teams need sign-in: without it, everyone on this machine is the same owner. Set up sign-in first "
            "(docs/operations.md).",
            code="NEEDS_SIGN_IN",
        )


@router.get("")
async def teams(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    of_everyone: Annotated[bool, Query(description="For operators: teams of all people.", examples=[False])] = False,
) -> TeamListAnswer:
    """The caller's teams, by name."""
    if of_everyone and not caller.is_operator:
        raise NotAllowed("Only operators can see the teams of others")
    async with platform.database.transaction() as tx:
        found = await list_teams(tx, caller.user_id, of_everyone=of_everyone)
    return TeamListAnswer(
        needs_sign_in=platform.settings.auth.is_configured, teams=[TeamItemAnswer.of(team) for team in found]
    )


@router.post("", status_code=201)
async def new_team(platform: CurrentPlatform, caller: CurrentCaller, body: TeamBody) -> WholeTeamAnswer:
    """Create a team. The caller becomes its owner."""
    need_sign_in(platform)
    async with platform.database.transaction() as tx:
        team_id = await create_team(tx, body.name, owner_id=caller.user_id)
        answer = await _whole(tx, team_id, caller)
    log.info("team.created", team_id=str(team_id))
    return answer


@router.get("/{team_id}")
async def team(platform: CurrentPlatform, caller: CurrentCaller, team_id: TeamId) -> WholeTeamAnswer:
    """One team with its members. 404 if it does not exist or the caller does not belong to it."""
    async with platform.database.transaction() as tx:
        return await _whole(tx, team_id, caller)


@router.patch("/{team_id}")
async def change_team(
    platform: CurrentPlatform, caller: CurrentCaller, team_id: TeamId, body: TeamBody
) -> WholeTeamAnswer:
    """Rename a team. For its owners and operators."""
    async with platform.database.transaction() as tx:
        await rename_team(tx, team_id, body.name, by=actor_of(caller))
        return await _whole(tx, team_id, caller)


@router.delete("/{team_id}", status_code=204)
async def end_team(platform: CurrentPlatform, caller: CurrentCaller, team_id: TeamId) -> None:
    """Delete a team that has no videos. For its owners and operators."""
    async with platform.database.transaction() as tx:
        await delete_team(tx, team_id, by=actor_of(caller))
    log.info("team.deleted", team_id=str(team_id))


@router.patch("/{team_id}/members/{user_id}")
async def change_role(
    request: Request,
    platform: CurrentPlatform,
    caller: CurrentCaller,
    team_id: TeamId,
    user_id: MemberId,
    body: RoleBody,
) -> WholeTeamAnswer:
    """Give a member another role. For owners and operators; the last owner stays one."""
    async with platform.database.transaction() as tx:
        await set_role(tx, team_id, user_id, body.role, by=actor_of(caller))
        answer = await _whole(tx, team_id, caller)
    set_audit_targets(request.scope, [f"team {team_id}", f"person {user_id}"])
    log.info("team.role_changed", team_id=str(team_id), user_id=str(user_id), role=body.role)
    return answer


@router.delete("/{team_id}/members/{user_id}", status_code=204)
async def end_membership(
    request: Request, platform: CurrentPlatform, caller: CurrentCaller, team_id: TeamId, user_id: MemberId
) -> None:
    """Remove a member, or leave the team. It takes effect at once, in open connections too; videos stay with the team."""
    async with platform.database.transaction() as tx:
        await remove_member(tx, team_id, user_id, by=actor_of(caller))
    set_audit_targets(request.scope, [f"team {team_id}", f"person {user_id}"])
    log.info("team.member_removed", team_id=str(team_id), user_id=str(user_id))


async def _whole(tx: Transaction, team_id: UUID, caller: Caller) -> WholeTeamAnswer:
    found = TeamItemAnswer.of(await need_team(tx, team_id, actor_of(caller)))
    people = [MemberAnswer.of(member) for member in await list_members(tx, team_id)]
    return WholeTeamAnswer(**found.model_dump(), people=people)
