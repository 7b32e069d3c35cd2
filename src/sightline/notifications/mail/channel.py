"""The mail channel interface, and the choice of a channel by settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from sightline.notifications.mail.mail import Mail
from sightline.notifications.settings import NotificationsSettings


class MailChannel(Protocol):
    """Sends emails.

    A problem of the email itself is a `PermanentFailure`; a problem of the channel, which any other email would have too, is a
    `TransientFailure`.
    """

    @property
    def name(self) -> str: ...

    @property
    def is_sink(self) -> bool:
        """Whether emails only stay in their record, because no mail server is set."""
        ...

    async def send(self, mail: Mail, address: str) -> str:
        """Sends the email and returns the provider's id of it. When cancelled, it closes the connection at once."""


@asynccontextmanager
async def open_mail_channel(settings: NotificationsSettings) -> AsyncIterator[MailChannel]:
    match settings.channel:
        case "sink":
            from sightline.notifications.mail.sink_channel import SinkChannel

            yield SinkChannel()
        case "log":
            from sightline.notifications.mail.log_channel import LogChannel

            yield LogChannel()
        case "smtp":
            from sightline.notifications.mail.smtp_channel import SmtpChannel

            yield SmtpChannel(settings)
        case "ses":
            # Imported here, so that an installation without AWS needs no boto.
            from sightline.notifications.mail.ses_channel import SesChannel
            from sightline.notifications.mail.ses_client import open_ses

            async with open_ses(settings) as client:
                yield SesChannel(client, settings)


async def check_mail_server(settings: NotificationsSettings) -> None:
    """Connects and logs in as for an email, and sends none. Only for the channel `smtp`."""
    from sightline.notifications.mail.smtp_channel import SmtpChannel

    await SmtpChannel(settings).check()
