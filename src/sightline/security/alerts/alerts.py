"""Alerts: each enabled rule that an event matches raises one, unless the last one of that camera is within its cooldown."""

from sightline.db import Transaction
from sightline.security.alerts import store
from sightline.security.alerts.rule import AlertRule, EventWithDetections, Severity, unmet_conditions
from sightline.security.events.event import Event
from sightline.security.events.notifications import SecurityNotifications
from sightline.security.metrics import SecurityMetrics


class Alerts:
    def __init__(self, notifications: SecurityNotifications, metrics: SecurityMetrics) -> None:
        self._notifications = notifications
        self._metrics = metrics

    async def raise_for(self, tx: Transaction, seen: EventWithDetections, *, thumbnail_key: str | None) -> list[int]:
        """The new alerts, in the transaction that stores the event; their notifications leave with it."""
        raised = []
        event = seen.event
        for rule in await store.rules_for(tx, event):
            if unmet_conditions(rule.conditions, seen):
                continue
            recent_alert_id = await store.recent_alert(tx, rule, event)
            if recent_alert_id is not None:
                await store.note_match(tx, event.id, rule.rule_id, recent_alert_id)
                self._metrics.alerts.labels("cooled_down").inc()
                continue
            severity = _severity(rule, event)
            alert_id = await store.insert_alert(tx, rule, event, severity)
            await store.note_match(tx, event.id, rule.rule_id, alert_id)
            await self._notifications.publish(
                tx,
                event,
                user_id=rule.owner_id,
                user_email=rule.owner_email,
                level=severity,
                summary=f"{rule.name}: {event.summary}",
                thumbnail_key=thumbnail_key,
            )
            self._metrics.alerts.labels("raised").inc()
            raised.append(alert_id)
        return raised


def _severity(rule: AlertRule, event: Event) -> Severity:
    """The rule's; a critical event is critical whatever the rule says, so that the owner is notified once and not twice."""
    return "critical" if event.risk_level == "critical" else rule.severity
