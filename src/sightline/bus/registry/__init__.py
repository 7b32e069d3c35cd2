"""Resources of the bus that exist at run time: those of clients beside the declared topology."""

from sightline.bus.registry.account import Account
from sightline.bus.registry.declared import declared_resources, declared_snapshot
from sightline.bus.registry.quotas import Quotas
from sightline.bus.registry.registry import Change, Registry
from sightline.bus.registry.resources import (
    RegisteredArchive,
    RegisteredEventBus,
    RegisteredQueue,
    RegisteredRule,
    RegisteredSubscription,
    RegisteredTopic,
    Resource,
    rule_key,
)
from sightline.bus.registry.snapshot import Snapshot

__all__ = [
    "Account",
    "Change",
    "Quotas",
    "RegisteredArchive",
    "RegisteredEventBus",
    "RegisteredQueue",
    "RegisteredRule",
    "RegisteredSubscription",
    "RegisteredTopic",
    "Registry",
    "Resource",
    "Snapshot",
    "declared_resources",
    "declared_snapshot",
    "rule_key",
]
