"""What each owner uses, by day and month, and the quotas of owners (ADR 0109)."""

from sightline.usage.counters import UsageCounters, add_up
from sightline.usage.figures import (
    OWNER_SORTS,
    DayUsage,
    Month,
    OwnerFigures,
    OwnerSort,
    cursor_of,
    days_of_owner,
    list_owners,
    ms_processed,
    stored_now,
    totals_of,
)
from sightline.usage.quotas import (
    OwnQuotas,
    QuotasInForce,
    clear_quotas,
    quotas_in_force,
    quotas_set_for,
    quotas_set_for_owners,
    request_checks,
    set_quotas,
)

__all__ = [
    "OWNER_SORTS",
    "DayUsage",
    "Month",
    "OwnQuotas",
    "OwnerFigures",
    "OwnerSort",
    "QuotasInForce",
    "UsageCounters",
    "add_up",
    "clear_quotas",
    "cursor_of",
    "days_of_owner",
    "list_owners",
    "ms_processed",
    "quotas_in_force",
    "quotas_set_for",
    "quotas_set_for_owners",
    "request_checks",
    "set_quotas",
    "stored_now",
    "totals_of",
]
