"""EventBridge: what targets receive, where events go, archives and replays, connections. The rules live in the registry."""

from sightline.bus.events import archive_store, connection_store
from sightline.bus.events.archive_store import ArchiveSize, Replay
from sightline.bus.events.bus_policy import checked_policy as checked_bus_policy
from sightline.bus.events.bus_policy import permits as bus_permits
from sightline.bus.events.bus_policy import with_statement as policy_with_statement
from sightline.bus.events.bus_policy import without_statement as policy_without_statement
from sightline.bus.events.connection_store import ApiConnection, ApiDestination
from sightline.bus.events.destination_request import (
    WebRequest,
    destination_request,
    token_request,
    with_token,
    without_secrets,
)
from sightline.bus.events.sealing import Sealing
from sightline.bus.events.target_call import TargetCall, target_kind
from sightline.bus.events.target_checks import MAX_TARGETS, check_dead_letters, check_retries, check_target

__all__ = [
    "MAX_TARGETS",
    "ApiConnection",
    "ApiDestination",
    "ArchiveSize",
    "Replay",
    "Sealing",
    "TargetCall",
    "WebRequest",
    "archive_store",
    "bus_permits",
    "check_dead_letters",
    "check_retries",
    "check_target",
    "checked_bus_policy",
    "connection_store",
    "destination_request",
    "policy_with_statement",
    "policy_without_statement",
    "target_kind",
    "token_request",
    "with_token",
    "without_secrets",
]
