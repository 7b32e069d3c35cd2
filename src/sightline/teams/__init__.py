"""Teams that people make here: members with roles, invitations, and the videos that belong to a team."""

from sightline.teams.invitations import (
    MAX_HOURS,
    MAX_USES,
    Accepted,
    Invitation,
    InvitedRole,
    OpenInvitation,
    accept_invitation,
    find_invitation,
    invite,
    open_invitations,
    revoke_invitation,
)
from sightline.teams.moving import OWNER_CHANGED, OwnerChange, move_video
from sightline.teams.team import ActingPerson, Member, Team
from sightline.teams.team_store import (
    add_member,
    create_team,
    delete_team,
    list_members,
    list_teams,
    need_owner,
    need_team,
    remove_member,
    rename_team,
    set_role,
)

__all__ = [
    "MAX_HOURS",
    "MAX_USES",
    "OWNER_CHANGED",
    "Accepted",
    "ActingPerson",
    "Invitation",
    "InvitedRole",
    "Member",
    "OpenInvitation",
    "OwnerChange",
    "Team",
    "accept_invitation",
    "add_member",
    "create_team",
    "delete_team",
    "find_invitation",
    "invite",
    "list_members",
    "list_teams",
    "move_video",
    "need_owner",
    "need_team",
    "open_invitations",
    "remove_member",
    "rename_team",
    "revoke_invitation",
    "set_role",
]
