"""Owns every message, payload and frame that crosses a border."""

from sightline.contracts.identity import LOCAL_OWNER, LOCAL_OWNER_ID, Caller, Role

__all__ = ["LOCAL_OWNER", "LOCAL_OWNER_ID", "Caller", "Role"]
