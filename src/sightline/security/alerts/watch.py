"""The watch of pending alerts: delivered once a client has the event, escalated when no client has it in time."""

import structlog

from sightline.db import Database, Transaction
from sightline.errors import NotFound
from sightline.live import LiveFeed
from sightline.security.alerts import store
from sightline.security.alerts.store import PendingAlert
from sightline.security.assessment.risk import ACK_FROM_RISK_SCORE
from sightline.security.events.event import Event
from sightline.security.events.events_store import need_event
from sightline.security.events.notifications import SecurityNotifications
from sightline.security.metrics import SecurityMetrics
from sightline.supervisor import Every

CHECK_EVERY_S = 5.0
MAX_ALERTS_PER_CHECK = 500

log = structlog.get_logger(__name__)


class AlertWatch:
    def __init__(
        self,
        database: Database,
        live: LiveFeed,
        notifications: SecurityNotifications,
        metrics: SecurityMetrics,
    ) -> None:
        self._database = database
        self._live = live
        self._notifications = notifications
        self._metrics = metrics

    def service(self) -> Every:
        return Every("alert-watch", CHECK_EVERY_S, self.look)

    async def look(self) -> tuple[int, int]:
        """Returns how many alerts were marked delivered, and how many escalated."""
        delivered = escalated = 0
        async with self._database.transaction() as tx:
            for alert in await store.pending_alerts(tx, limit=MAX_ALERTS_PER_CHECK):
                try:
                    event = await need_event(tx, alert.event_id)
                except NotFound:
                    continue  # the event was purged with its alerts
                if await self._is_delivered(tx, event):
                    await store.mark_delivered(tx, alert.alert_id)
                    delivered += 1
                elif alert.is_overdue and alert.may_see(event) and await store.mark_escalated(tx, alert.alert_id):
                    await self._escalate(tx, alert, event)
                    escalated += 1
        self._metrics.alerts.labels("delivered").inc(delivered)
        self._metrics.alerts.labels("escalated").inc(escalated)
        return delivered, escalated

    async def _is_delivered(self, tx: Transaction, event: Event) -> bool:
        """A person has seen it, a device has confirmed its message, or it was sent and needs no confirmation."""
        if event.acknowledged_at is not None:
            return True
        if event.risk_score < ACK_FROM_RISK_SCORE:
            return event.broadcasted_at is not None
        return event.sequence is not None and bool(await self._live.acks(tx, "events", event.sequence))

    async def _escalate(self, tx: Transaction, alert: PendingAlert, event: Event) -> None:
        log.warning("security.alert_escalated", alert_id=alert.alert_id, event_id=event.id)
        await self._notifications.publish(
            tx,
            event,
            user_id=alert.owner_id,
            user_email=alert.owner_email,
            level="critical",
            summary=f"Nobody has received this yet ({alert.rule_name}): {event.summary}",
            repeat_key=f"escalated-{alert.alert_id}",
        )
