"""Alerts: each enabled rule that an event matches raises one, unless the last one of that camera is within its cooldown."""

from sightline.db import Transaction
from sightline.security.alerts import store
from sightline.security.alerts.rule import AlertRule, EventWithDetections, Severity, quiet_until, unmet_conditions
from sightline.security.alerts.snoozes import silenced_people
from sightline.security.events.event import Event
from sightline.security.events.notifications import SecurityNotifications
from sightline.security.metrics import SecurityMetrics
from sightline.timing import Clock, utc_now


class Alerts:
    def __init__(
        self, notifications: SecurityNotifications, metrics: SecurityMetrics, *, clock: Clock = utc_now
    ) -> None:
        self._notifications = notifications
        self._metrics = metrics
        self._clock = clock

    async def raise_for(self, tx: Transaction, seen: EventWithDetections, *, thumbnail_key: str | None) -> list[int]:
        """The new alerts, in the transaction that stores the event; their notifications leave with it."""
        raised = []
        event = seen.event
        silenced = await silenced_people(tx, event)
        for rule in await store.rules_for(tx, event):
            if rule.owner_id in silenced or unmet_conditions(rule.conditions, seen):
                continue
            recent_alert_id = await store.recent_alert(tx, rule, event)
            if recent_alert_id is not None:
                await store.note_match(tx, event.id, rule.rule_id, recent_alert_id)
                self._metrics.alerts.labels("cooled_down").inc()
                continue
            severity = _severity(rule, event)
            alert_id = await store.insert_alert(tx, rule, event, severity)
            await store.note_match(tx, event.id, rule.rule_id, alert_id)
            self._metrics.alerts.labels("raised").inc()
            raised.append(alert_id)
            if self._is_quiet(rule, event):
                self._metrics.alerts.labels("quiet").inc()
                continue
            await self._notifications.publish(
                tx,
                event,
                user_id=rule.owner_id,
                user_email=rule.owner_email,
                level=severity,
                summary=f"{rule.name}: {event.summary}",
                thumbnail_key=thumbnail_key,
            )
        return raised

    def _is_quiet(self, rule: AlertRule, event: Event) -> bool:
        is_critical = event.risk_level == "critical"
        until = quiet_until(
            rule.quiet_hours, lets_critical=rule.quiet_lets_critical, is_critical=is_critical, now=self._clock()
        )
        return until is not None


def _severity(rule: AlertRule, event: Event) -> Severity:
    """The rule's; a critical event is critical whatever the rule says, so that the owner is notified once and not twice."""
    return "critical" if event.risk_level == "critical" else rule.severity
