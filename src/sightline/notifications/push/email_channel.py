"""The notification channel that sends emails, by the mail channel that settings choose."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.utils import formataddr
from typing import Any, Protocol

from sightline.errors import PermanentFailure
from sightline.notifications.mail.address import RecipientRejected, check_address, parse_sender
from sightline.notifications.mail.email import EmailContent
from sightline.notifications.mail.log_channel import LogChannel
from sightline.notifications.mail.mail import Language
from sightline.notifications.mail.sink_channel import SinkChannel
from sightline.notifications.push.channel import Notification
from sightline.notifications.push.email_message import email_of
from sightline.notifications.settings import NotificationsSettings


class EmailSender(Protocol):
    async def send(self, mail: EmailContent, address: str) -> str: ...


class EmailChannel:
    name = "email"

    def __init__(self, sender: EmailSender, language: Language) -> None:
        self._sender = sender
        self._language = language

    def destination(self, notification: Notification) -> str:
        return f"email {(notification.target or '').rpartition('@')[2].lower()}"

    async def send(self, notification: Notification) -> str:
        if notification.target is None:
            raise PermanentFailure("the notification has no email address; add one in the notification preferences")
        return await self._sender.send(
            email_of(notification, notification.language or self._language), check_address(notification.target)
        )

    async def find(self, notification: Notification) -> str | None:
        return None  # a repetition has the same Message-ID, so mailboxes recognize it


class SesEmailSender:
    """Sends emails by Amazon SES with the text in the request, because notifications have no template."""

    def __init__(self, client: Any, settings: NotificationsSettings) -> None:
        self._client = client
        self._configuration_set = settings.ses_configuration_set
        sender = parse_sender(settings.from_address)
        self._sender = formataddr((sender.display_name, sender.addr_spec))

    async def send(self, mail: EmailContent, address: str) -> str:
        from sightline.notifications.mail.ses_client import translated

        if not address.isascii():
            raise RecipientRejected(f"SES delivers to ASCII addresses only; {address!r} is not ASCII")
        request: dict[str, Any] = {
            "FromEmailAddress": self._sender,
            "Destination": {"ToAddresses": [address]},
            "Content": {
                "Simple": {
                    "Subject": {"Data": mail.subject, "Charset": "UTF-8"},
                    "Body": {
                        "Text": {"Data": mail.text, "Charset": "UTF-8"},
                        "Html": {"Data": mail.html, "Charset": "UTF-8"},
                    },
                    "Headers": [{"Name": "X-Sightline-Mail", "Value": str(mail.id)}],
                }
            },
        }
        if self._configuration_set is not None:
            request["ConfigurationSetName"] = self._configuration_set
        with translated():
            response = await self._client.send_email(**request)
        return str(response["MessageId"])


@asynccontextmanager
async def open_email(settings: NotificationsSettings) -> AsyncIterator[EmailChannel]:
    match settings.channel:
        case "sink":
            # People look at the record of the message.
            yield EmailChannel(SinkChannel(), settings.language)
        case "log":
            yield EmailChannel(LogChannel(), settings.language)
        case "smtp":
            from sightline.notifications.mail.smtp_channel import SmtpChannel

            yield EmailChannel(SmtpChannel(settings), settings.language)
        case "ses":
            # Imported here, so that an installation without AWS needs no boto.
            from sightline.notifications.mail.ses_client import open_ses

            async with open_ses(settings) as client:
                yield EmailChannel(SesEmailSender(client, settings), settings.language)
