"""Access: API keys, with their scopes."""

from sightline.access.api_key import ApiKey, looks_like_key
from sightline.access.keys import ApiKeys, caller_of_key, owner_caller
from sightline.access.keys_store import list_keys, revoke_key
from sightline.access.scopes import OPERATOR, SCOPES

__all__ = [
    "OPERATOR",
    "SCOPES",
    "ApiKey",
    "ApiKeys",
    "caller_of_key",
    "list_keys",
    "looks_like_key",
    "owner_caller",
    "revoke_key",
]
