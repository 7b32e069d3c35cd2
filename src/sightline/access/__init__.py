"""Access: API keys with their scopes, sessions of the page, rights that are given here, and the audit log."""

from sightline.access.access_keys import AccessKey, AccessKeys, access_key_secret
from sightline.access.api_key import ApiKey, looks_like_key
from sightline.access.audit import (
    ERASED_PERSON,
    AuditEntry,
    AuditEvent,
    AuditLog,
    AuditSettings,
    AuditUpkeep,
    ChainCheck,
    Outcome,
    Pseudonym,
    entries_after,
    find_entries,
    storable,
)
from sightline.access.keys import ApiKeys, caller_of_key, owner_caller
from sightline.access.keys_store import list_keys, revoke_key
from sightline.access.open_connections import OpenConnection, OpenConnections
from sightline.access.operators import end_operator, grant_operator
from sightline.access.rights import CallerRights
from sightline.access.scopes import OPERATOR, SCOPES
from sightline.access.sessions import PageSessions, csrf_token, is_csrf_token

__all__ = [
    "ERASED_PERSON",
    "OPERATOR",
    "SCOPES",
    "AccessKey",
    "AccessKeys",
    "ApiKey",
    "ApiKeys",
    "AuditEntry",
    "AuditEvent",
    "AuditLog",
    "AuditSettings",
    "AuditUpkeep",
    "CallerRights",
    "ChainCheck",
    "OpenConnection",
    "OpenConnections",
    "Outcome",
    "PageSessions",
    "Pseudonym",
    "access_key_secret",
    "caller_of_key",
    "csrf_token",
    "end_operator",
    "entries_after",
    "find_entries",
    "grant_operator",
    "is_csrf_token",
    "list_keys",
    "looks_like_key",
    "owner_caller",
    "revoke_key",
    "storable",
]
