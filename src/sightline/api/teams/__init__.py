"""Teams over HTTP: members, invitations, and videos that move into and out of a team."""
