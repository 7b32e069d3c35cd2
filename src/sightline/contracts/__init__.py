"""Contracts: every message, job payload and live frame that other programs read or write."""

from sightline.contracts.identity import LOCAL_OWNER, LOCAL_OWNER_ID, Caller, Membership, Role, TeamRole

__all__ = ["LOCAL_OWNER", "LOCAL_OWNER_ID", "Caller", "Membership", "Role", "TeamRole"]
