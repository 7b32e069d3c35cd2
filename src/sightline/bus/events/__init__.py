"""EventBridge: what targets receive, where events go, archives and replays, connections. The rules live in the registry."""

from sightline.bus.events.bus_policy import checked_policy as checked_bus_policy
from sightline.bus.events.bus_policy import permits as bus_permits
from sightline.bus.events.bus_policy import with_statement as policy_with_statement
from sightline.bus.events.bus_policy import without_statement as policy_without_statement
from sightline.bus.events.target_call import TargetCall
from sightline.bus.events.target_checks import MAX_TARGETS, check_target

__all__ = [
    "MAX_TARGETS",
    "TargetCall",
    "bus_permits",
    "check_target",
    "checked_bus_policy",
    "policy_with_statement",
    "policy_without_statement",
]
