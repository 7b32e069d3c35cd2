"""Teams over HTTP: members, invitations, and videos that move into and out of a team."""

from sightline.api.teams.next_owner import counting_for_next_owner

__all__ = ["counting_for_next_owner"]
