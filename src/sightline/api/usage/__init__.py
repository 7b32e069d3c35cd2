"""Usage figures and quotas of owners over HTTP."""

from sightline.api.usage.answers import OwnerAnswer, OwnerQuotasAnswer, UsageAnswer
from sightline.api.usage.owner_lines import all_owners, owner_lines
from sightline.api.usage.routes import quotas_of_owner, usage_of_owner_in

__all__ = [
    "OwnerAnswer",
    "OwnerQuotasAnswer",
    "UsageAnswer",
    "all_owners",
    "owner_lines",
    "quotas_of_owner",
    "usage_of_owner_in",
]
