"""Quotas of an account: how many resources it may create. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sightline.bus.limits import BusRefusal
from sightline.bus.registry.resources import Kind, Resource, kind_of
from sightline.bus.registry.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Quotas:
    queues: int = 1000
    topics: int = 1000
    subscriptions: int = 5000
    event_buses: int = 100
    rules: int = 300
    archives: int = 100


# Code and words of AWS for each kind; the number is filled in.
_REFUSALS: Mapping[Kind, tuple[str, str]] = {
    "queue": ("OverLimit", "The maximum number of queues ({}) for this account has been reached."),
    "topic": ("TopicLimitExceeded", "Topic limit exceeded: this account may have {} topics."),
    "subscription": (
        "SubscriptionLimitExceeded",
        "Subscription limit exceeded: this account may have {} subscriptions.",
    ),
    "event_bus": (
        "LimitExceededException",
        "The requested resource exceeds the maximum number allowed: {} event buses.",
    ),
    "rule": ("LimitExceededException", "The requested resource exceeds the maximum number allowed: {} rules."),
    "archive": ("LimitExceededException", "The requested resource exceeds the maximum number allowed: {} archives."),
}


def check_quota(snapshot: Snapshot, resource: Resource, quotas: Quotas) -> None:
    """Raises if the resource is new and its account has as many as it may; changing what exists is always allowed."""
    kind = kind_of(resource)
    tables: Mapping[Kind, tuple[Mapping[str, Any], int]] = {
        "queue": (snapshot.queues, quotas.queues),
        "topic": (snapshot.topics, quotas.topics),
        "subscription": (snapshot.subscriptions, quotas.subscriptions),
        "event_bus": (snapshot.event_buses, quotas.event_buses),
        "rule": (snapshot.rules, quotas.rules),
        "archive": (snapshot.archives, quotas.archives),
    }
    present, limit = tables[kind]
    if resource.key in present:
        return
    count = sum(one.account_id == resource.account_id and not one.is_declared for one in present.values())
    if count >= limit:
        code, text = _REFUSALS[kind]
        raise BusRefusal(text.format(limit), code)
