"""Share links: a video, a part of it or a clip for whoever holds the link, until it expires or is revoked."""

from sightline.shares.settings import SharesSettings
from sightline.shares.share import NewShare, Share, ShareToken, new_token, read_token
from sightline.shares.share_store import (
    MAX_ACTIVE_SHARES,
    count_view,
    find_active_share,
    insert_share,
    list_shares,
    revoke_share,
    sealed_tokens,
)

__all__ = [
    "MAX_ACTIVE_SHARES",
    "NewShare",
    "Share",
    "ShareToken",
    "SharesSettings",
    "count_view",
    "find_active_share",
    "insert_share",
    "list_shares",
    "new_token",
    "read_token",
    "revoke_share",
    "sealed_tokens",
]
