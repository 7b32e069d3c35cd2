"""Response models of teams."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.contracts import TeamRole
from sightline.teams import Invitation, InvitedRole, Member, OpenInvitation, Team
from sightline.timing import iso_utc

EXAMPLE_ID = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")
_EXAMPLE_TIME = "2026-01-17T10:00:00.000Z"


class TeamItemAnswer(BaseModel):
    team_id: UUID = Field(examples=[EXAMPLE_ID])
    name: str = Field(examples=["Night shift"])
    role: TeamRole | None = Field(
        examples=["owner"], description="The caller's; null for an operator who is no member."
    )
    members: int = Field(examples=[3], description="How many.")
    created_at: str = Field(examples=[_EXAMPLE_TIME])

    @classmethod
    def of(cls, team: Team) -> Self:
        return cls(
            team_id=team.id, name=team.name, role=team.role, members=team.members, created_at=iso_utc(team.created_at)
        )


class TeamListAnswer(BaseModel):
    needs_sign_in: bool = Field(examples=[True], description="Without sign-in there is one owner, and no teams.")
    teams: list[TeamItemAnswer]


class MemberAnswer(BaseModel):
    user_id: UUID = Field(examples=[EXAMPLE_ID])
    name: str | None = Field(examples=["ana@example.com"], description="The email address of their newest token.")
    role: TeamRole = Field(examples=["editor"])
    joined_at: str = Field(examples=[_EXAMPLE_TIME])

    @classmethod
    def of(cls, member: Member) -> Self:
        return cls(user_id=member.user_id, name=member.name, role=member.role, joined_at=iso_utc(member.joined_at))


class WholeTeamAnswer(TeamItemAnswer):
    people: list[MemberAnswer] = Field(description="The members, owners first.")


class InvitationAnswer(BaseModel):
    invitation_id: UUID = Field(examples=[EXAMPLE_ID])
    team_id: UUID = Field(examples=[EXAMPLE_ID])
    role: InvitedRole = Field(examples=["viewer"])
    uses: int = Field(examples=[0])
    max_uses: int = Field(examples=[1])
    created_at: str = Field(examples=[_EXAMPLE_TIME])
    expires_at: str = Field(examples=["2026-01-24T10:00:00.000Z"])

    @classmethod
    def of(cls, invitation: Invitation) -> Self:
        return cls(
            invitation_id=invitation.id,
            team_id=invitation.team_id,
            role=invitation.role,
            uses=invitation.uses,
            max_uses=invitation.max_uses,
            created_at=iso_utc(invitation.created_at),
            expires_at=iso_utc(invitation.expires_at),
        )


class NewInvitationAnswer(InvitationAnswer):
    url: str = Field(
        examples=["https://sightline.example.com/ui/settings/teams#q1w2e3"],
        description="The link. It cannot be shown again.",
    )


class InvitationsAnswer(BaseModel):
    invitations: list[InvitationAnswer] = Field(description="Those that can still be accepted, the newest first.")


class OpenInvitationAnswer(BaseModel):
    team_id: UUID = Field(examples=[EXAMPLE_ID])
    team_name: str = Field(examples=["Night shift"])
    role: InvitedRole = Field(examples=["viewer"])
    expires_at: str = Field(examples=["2026-01-24T10:00:00.000Z"])

    @classmethod
    def of(cls, found: OpenInvitation) -> Self:
        return cls(
            team_id=found.team_id, team_name=found.team_name, role=found.role, expires_at=iso_utc(found.expires_at)
        )


class AcceptedAnswer(BaseModel):
    team_id: UUID = Field(examples=[EXAMPLE_ID])
    role: TeamRole = Field(examples=["viewer"])
    is_new: bool = Field(examples=[True], description="False for somebody who was a member already.")


class MovedAnswer(BaseModel):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    is_done: bool = Field(examples=[True])
    code: str | None = Field(None, examples=[None], description="Why it was not moved, as the code of an error.")
    message: str | None = Field(None, examples=[None], description="The same in words.")


class MovedVideosAnswer(BaseModel):
    results: list[MovedAnswer] = Field(description="One for each video, in the order of the request.")
