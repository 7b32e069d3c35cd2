"""EventBridge: event buses, rules, targets, events, archives and replays, connections and API destinations."""

from collections.abc import Mapping

from sightline.api.aws.call import Action
from sightline.api.aws.events import (
    api_destinations,
    archives,
    connections,
    event_buses,
    patterns,
    put_events,
    replays,
    rules,
    tags,
    targets,
)

ACTIONS: Mapping[str, Action] = {
    "CreateEventBus": event_buses.create_event_bus,
    "UpdateEventBus": event_buses.update_event_bus,
    "DescribeEventBus": event_buses.describe_event_bus,
    "ListEventBuses": event_buses.list_event_buses,
    "DeleteEventBus": event_buses.delete_event_bus,
    "PutPermission": event_buses.put_permission,
    "RemovePermission": event_buses.remove_permission,
    "PutRule": rules.put_rule,
    "DescribeRule": rules.describe_rule,
    "ListRules": rules.list_rules,
    "DeleteRule": rules.delete_rule,
    "EnableRule": rules.enable_rule,
    "DisableRule": rules.disable_rule,
    "PutTargets": targets.put_targets,
    "RemoveTargets": targets.remove_targets,
    "ListTargetsByRule": targets.list_targets_by_rule,
    "ListRuleNamesByTarget": targets.list_rule_names_by_target,
    "CreateArchive": archives.create_archive,
    "UpdateArchive": archives.update_archive,
    "DescribeArchive": archives.describe_archive,
    "ListArchives": archives.list_archives,
    "DeleteArchive": archives.delete_archive,
    "StartReplay": replays.start_replay,
    "DescribeReplay": replays.describe_replay,
    "ListReplays": replays.list_replays,
    "CancelReplay": replays.cancel_replay,
    "CreateConnection": connections.create_connection,
    "UpdateConnection": connections.update_connection,
    "DescribeConnection": connections.describe_connection,
    "ListConnections": connections.list_connections,
    "DeleteConnection": connections.delete_connection,
    "CreateApiDestination": api_destinations.create_api_destination,
    "UpdateApiDestination": api_destinations.update_api_destination,
    "DescribeApiDestination": api_destinations.describe_api_destination,
    "ListApiDestinations": api_destinations.list_api_destinations,
    "DeleteApiDestination": api_destinations.delete_api_destination,
    "PutEvents": put_events.put_events,
    "TestEventPattern": patterns.test_event_pattern,
    "TagResource": tags.tag_resource,
    "UntagResource": tags.untag_resource,
    "ListTagsForResource": tags.list_tags_for_resource,
}

__all__ = ["ACTIONS"]
