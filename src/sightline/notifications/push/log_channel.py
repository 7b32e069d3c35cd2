"""The notification channel that writes to the log: the default if no other is set up."""

import structlog

from sightline.notifications.push.channel import Notification

log = structlog.get_logger(__name__)


class LogNotificationChannel:
    name = "log"

    def destination(self, notification: Notification) -> str:
        return "log"

    async def send(self, notification: Notification) -> str:
        log.info(
            "notification.written",
            kind=notification.kind,
            title=notification.title,
            body=notification.body,
            priority=notification.priority,
        )
        return notification.id

    async def find(self, notification: Notification) -> str | None:
        return None
