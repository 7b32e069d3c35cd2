"""The mail channel that writes emails to the log, for development and log collectors."""

import structlog

from sightline.notifications.mail.email import EmailContent

log = structlog.get_logger(__name__)


class LogChannel:
    name = "log"
    is_sink = False

    async def send(self, mail: EmailContent, address: str) -> str:
        log.info("mail.written", recipient=address, subject=mail.subject, text=mail.text)
        return str(mail.id)
