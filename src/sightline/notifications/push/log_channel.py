"""The channel that writes notifications to the log: the default of an installation that has no other."""

import structlog

from sightline.notifications.push.channel import Push

log = structlog.get_logger(__name__)


class PushLogChannel:
    name = "log"

    def way(self, push: Push) -> str:
        return "log"

    async def send(self, push: Push) -> str:
        log.info("notification.written", kind=push.kind, title=push.title, body=push.body, priority=push.priority)
        return push.id

    async def find(self, push: Push) -> str | None:
        return None
