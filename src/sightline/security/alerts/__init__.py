"""Alert rules and alerts."""

from sightline.security.alerts.rule import (
    AlertRule,
    Conditions,
    EventWithDetections,
    Severity,
    ZoneName,
    unmet_conditions,
)
from sightline.security.alerts.store import (
    Alert,
    AlertState,
    MatchedRule,
    NewRule,
    create_rule,
    delete_rule,
    list_alerts,
    list_rules,
    need_alert,
    need_rule,
    replace_rule,
    rules_of_event,
    settle_alert,
)
from sightline.security.alerts.trial import recent_events

__all__ = [
    "Alert",
    "AlertRule",
    "AlertState",
    "Conditions",
    "EventWithDetections",
    "MatchedRule",
    "NewRule",
    "Severity",
    "ZoneName",
    "create_rule",
    "delete_rule",
    "list_alerts",
    "list_rules",
    "need_alert",
    "need_rule",
    "recent_events",
    "replace_rule",
    "rules_of_event",
    "settle_alert",
    "unmet_conditions",
]
