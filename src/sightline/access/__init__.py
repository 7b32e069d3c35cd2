"""Access: API keys with their scopes, and sessions of the page."""

from sightline.access.api_key import ApiKey, looks_like_key
from sightline.access.keys import ApiKeys, caller_of_key, owner_caller
from sightline.access.keys_store import list_keys, revoke_key
from sightline.access.scopes import OPERATOR, SCOPES
from sightline.access.sessions import PageSessions, csrf_token, is_csrf_token

__all__ = [
    "OPERATOR",
    "SCOPES",
    "ApiKey",
    "ApiKeys",
    "PageSessions",
    "caller_of_key",
    "csrf_token",
    "is_csrf_token",
    "list_keys",
    "looks_like_key",
    "owner_caller",
    "revoke_key",
]
