"""The watch of alerts: delivered once a client has the event, escalated when no client or no person has reacted in time."""

import structlog

from sightline.db import Database, Transaction
from sightline.errors import NotFound
from sightline.live import LiveFeed
from sightline.security.alerts import store
from sightline.security.alerts.chain import EscalationChain
from sightline.security.alerts.store import PendingAlert
from sightline.security.assessment.risk import ACK_FROM_RISK_SCORE
from sightline.security.events.event import Event, escalated_message
from sightline.security.events.events_store import need_event
from sightline.security.events.history import record
from sightline.security.events.notifications import SecurityNotifications
from sightline.security.metrics import SecurityMetrics
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now

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
        chain: EscalationChain,
        *,
        clock: Clock = utc_now,
    ) -> None:
        self._clock = clock
        self._chain = chain
        self._database = database
        self._live = live
        self._notifications = notifications
        self._metrics = metrics

    def service(self) -> Every:
        return Every("alert-watch", CHECK_EVERY_S, self.look)

    async def look(self) -> tuple[int, int]:
        """Returns how many alerts were marked delivered, and how many escalated."""
        delivered = escalated = 0
        escalated_events: list[Event] = []
        async with self._database.transaction() as tx:
            for alert in await store.pending_alerts(tx, limit=MAX_ALERTS_PER_CHECK):
                try:
                    event = await need_event(tx, alert.event_id)
                except NotFound:
                    continue  # the event was purged with its alerts
                if await self._is_delivered(tx, event):
                    await store.mark_delivered(tx, alert.alert_id)
                    delivered += 1
                elif (
                    alert.is_overdue
                    and self._may_escalate(alert, event)
                    and await store.mark_escalated(tx, alert.alert_id)
                ):
                    await self._escalate(tx, alert, event)
                    escalated_events.append(event)
                    escalated += 1
            for event in escalated_events:
                await self._live.append(tx, escalated_message(event, 1))
        escalated += await self._chain.take_due_steps()
        self._metrics.alerts.labels("delivered").inc(delivered)
        self._metrics.alerts.labels("escalated").inc(escalated)
        return delivered, escalated

    def _may_escalate(self, alert: PendingAlert, event: Event) -> bool:
        is_snoozed = event.snoozed_until is not None and event.snoozed_until > self._clock()
        return alert.may_see(event) and not is_snoozed

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
        await record(tx, event.id, "escalated", step=1)
