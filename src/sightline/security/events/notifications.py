"""Notifications of security events, published on the event bus."""

from uuid import UUID

from sightline.bus import BusEvent, Sender
from sightline.contracts.security_events import (
    SECURITY_EVENT_CREATED,
    SECURITY_SOURCE,
    RiskLevel,
    SecurityEventCreated,
)
from sightline.db import Transaction
from sightline.security.events.event import Event


class SecurityNotifications:
    """Consumers deduplicate by the event's key: published twice with the same key, users are notified once."""

    def __init__(self, sender: Sender, *, page_url: str) -> None:
        self._sender = sender
        self._page_url = page_url

    async def publish(
        self,
        tx: Transaction,
        event: Event,
        *,
        user_id: UUID,
        user_email: str | None,
        level: RiskLevel,
        summary: str | None = None,
        thumbnail_key: str | None = None,
        repeat_key: str | None = None,
        channel: str | None = None,
    ) -> None:
        """`repeat_key` names a further notification of the same event, such as its escalation; `channel` is the only one to use."""
        notification = SecurityEventCreated(
            event_id=str(event.id) if repeat_key is None else f"{event.id}/{repeat_key}",
            user_id=user_id,
            user_email=user_email,
            risk_level=level,
            risk_score=event.risk_score,
            camera_id=event.camera_id,
            summary=summary or event.summary,
            started_at=event.started_at,
            thumbnail_key=thumbnail_key,
            channel=channel,
            click_url=f"{self._page_url}/ui/events/{event.id}",
        )
        published = BusEvent(
            SECURITY_SOURCE,
            SECURITY_EVENT_CREATED,
            notification.to_detail(),
            lane=str(user_id),
            is_urgent=level == "critical",
        )
        await self._sender.put_events(tx, published)
