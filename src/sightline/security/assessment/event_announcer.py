"""Announces an event to people: alerts of their rules, and a notification to the camera's owner when it is critical."""

from sightline.contracts.security_events import RiskLevel
from sightline.db import Transaction
from sightline.security.alerts.alerts import Alerts
from sightline.security.alerts.rule import EventWithDetections
from sightline.security.alerts.snoozes import silenced_people
from sightline.security.assessment.findings import Findings
from sightline.security.events.event import Event
from sightline.security.events.notifications import SecurityNotifications

RAISED_TO_CRITICAL = "raised-to-critical"


class EventAnnouncer:
    def __init__(self, alerts: Alerts, notifications: SecurityNotifications) -> None:
        self._alerts = alerts
        self._notifications = notifications

    async def of_new_event(self, tx: Transaction, event: Event, findings: Findings) -> None:
        await self._raise_alerts(tx, event, findings)
        if event.risk_level == "critical":
            await self._notify_owner(tx, event, findings)

    async def of_raised_event(
        self, tx: Transaction, event: Event, findings: Findings, *, earlier_level: RiskLevel
    ) -> None:
        """An event that says more than before: rules that match only now, and the owner if it became critical."""
        await self._raise_alerts(tx, event, findings)
        if event.risk_level == "critical" and earlier_level != "critical":
            # A key of its own: people who were notified of a lesser event are notified again.
            await self._notify_owner(tx, event, findings, repeat_key=RAISED_TO_CRITICAL)

    async def _raise_alerts(self, tx: Transaction, event: Event, findings: Findings) -> None:
        zones = {zone.name for zone in findings.touched_zones()}
        seen = EventWithDetections(event, findings.detections, zones)
        await self._alerts.raise_for(tx, seen, thumbnail_key=_thumbnail(findings))

    async def _notify_owner(
        self, tx: Transaction, event: Event, findings: Findings, *, repeat_key: str | None = None
    ) -> None:
        if event.owner_id in await silenced_people(tx, event):
            return
        await self._notifications.publish(
            tx,
            event,
            user_id=event.owner_id,
            user_email=findings.camera.owner_email,
            level=event.risk_level,
            thumbnail_key=_thumbnail(findings),
            repeat_key=repeat_key,
        )


def _thumbnail(findings: Findings) -> str | None:
    best = findings.best_picture
    return None if best is None else best.image_key
