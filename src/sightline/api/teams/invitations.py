"""Invitations to teams: links that owners make and hand out."""

from typing import Annotated
from uuid import UUID

import structlog
from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.teams import (
    EXAMPLE_ID,
    AcceptedAnswer,
    InvitationAnswer,
    InvitationsAnswer,
    NewInvitationAnswer,
    OpenInvitationAnswer,
)
from sightline.api.auth.audited_routes import set_audit_targets
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.teams.routes import TeamId, actor_of, need_sign_in
from sightline.teams import (
    MAX_HOURS,
    MAX_USES,
    InvitedRole,
    accept_invitation,
    find_invitation,
    invite,
    need_owner,
    open_invitations,
    revoke_invitation,
)

DEFAULT_HOURS = 7 * 24
JOIN_PATH = "/ui/settings/teams"

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api", tags=["people"])


class InvitationBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: InvitedRole = Field(
        "viewer", examples=["viewer"], description="Owners make others an owner once they joined."
    )
    expires_in_hours: int = Field(DEFAULT_HOURS, ge=1, le=MAX_HOURS, examples=[168])
    max_uses: int = Field(1, ge=1, le=MAX_USES, examples=[1], description="How many people can join by the link.")


class TokenBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token: str = Field(max_length=200, examples=["q1w2e3"], description="What the link has after `#`.")


@router.get("/teams/{team_id}/invitations")
async def invitations(platform: CurrentPlatform, caller: CurrentCaller, team_id: TeamId) -> InvitationsAnswer:
    """Invitations that can still be accepted. For owners and operators."""
    async with platform.database.transaction() as tx:
        await need_owner(tx, team_id, actor_of(caller))
        found = await open_invitations(tx, team_id)
    return InvitationsAnswer(invitations=[InvitationAnswer.of(one) for one in found])


@router.post("/teams/{team_id}/invitations", status_code=201)
async def new_invitation(
    platform: CurrentPlatform, caller: CurrentCaller, team_id: TeamId, body: InvitationBody
) -> NewInvitationAnswer:
    """Create a link by which people join the team, until it expires, is revoked or was used `max_uses` times."""
    need_sign_in(platform)
    async with platform.database.transaction() as tx:
        made, token = await invite(
            tx, team_id, body.role, hours=body.expires_in_hours, max_uses=body.max_uses, by=actor_of(caller)
        )
    log.info("team.invited", team_id=str(team_id), role=body.role)
    # After #, so that no server on the way logs it.
    url = f"{platform.public_url}{JOIN_PATH}#{token}"
    return NewInvitationAnswer(**InvitationAnswer.of(made).model_dump(), url=url)


@router.delete("/teams/{team_id}/invitations/{invitation_id}", status_code=204)
async def end_invitation(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    team_id: TeamId,
    invitation_id: Annotated[UUID, Path(description="The invitation's id.", examples=[EXAMPLE_ID])],
) -> None:
    """Revoke an invitation. Who joined by it stays."""
    async with platform.database.transaction() as tx:
        await revoke_invitation(tx, team_id, invitation_id, by=actor_of(caller))


@router.post("/team-invitations/show")
async def show_invitation(platform: CurrentPlatform, _: CurrentCaller, body: TokenBody) -> OpenInvitationAnswer:
    """Which team an invitation leads to. 404 once it has ended."""
    async with platform.database.transaction() as tx:
        return OpenInvitationAnswer.of(await find_invitation(tx, body.token))


@router.post("/team-invitations/accept")
async def accept(request: Request, platform: CurrentPlatform, caller: CurrentCaller, body: TokenBody) -> AcceptedAnswer:
    """Join the team. Who is a member already keeps their role, and uses nothing up."""
    need_sign_in(platform)
    async with platform.database.transaction() as tx:
        accepted = await accept_invitation(tx, body.token, caller.user_id)
    set_audit_targets(request.scope, [f"team {accepted.team_id}"])
    log.info("team.joined", team_id=str(accepted.team_id), role=accepted.role, is_new=accepted.is_new)
    return AcceptedAnswer(team_id=accepted.team_id, role=accepted.role, is_new=accepted.is_new)
