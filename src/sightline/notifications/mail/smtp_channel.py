"""The mail channel to an SMTP server: one connection per email, encrypted unless settings say otherwise."""

import ssl
from contextlib import suppress

import aiosmtplib

from sightline.errors import BackendUnavailable, PlatformError
from sightline.notifications.mail.address import RecipientRejected, parse_sender
from sightline.notifications.mail.email import EmailContent
from sightline.notifications.mail.mime import message_id, message_of
from sightline.notifications.settings import NotificationsSettings

QUIT_S = 2.0
_PORTS = {"starttls": 587, "tls": 465, "none": 25}


class SmtpChannel:
    name = "smtp"
    is_sink = False

    def __init__(self, settings: NotificationsSettings) -> None:
        self._settings = settings
        self._sender = parse_sender(settings.from_address)
        self._port = settings.smtp_port or _PORTS[settings.smtp_tls]
        # Read once: it holds every certificate that the system trusts.
        self._tls = None if settings.smtp_tls == "none" else ssl.create_default_context(cafile=settings.smtp_ca_file)

    async def send(self, mail: EmailContent, address: str) -> str:
        message = message_of(mail, sender=self._sender, address=address)
        client = self._client()
        try:
            try:
                await client.connect()
                await client.send_message(message, sender=self._sender.addr_spec, recipients=[address])
            except (aiosmtplib.SMTPException, OSError, ValueError) as error:
                raise self._translate(error) from error
            # The server has accepted it; how the connection ends changes nothing.
            with suppress(aiosmtplib.SMTPException, OSError):
                await client.quit(timeout=QUIT_S)
        finally:
            client.close()
        return message_id(mail, self._sender)

    async def check(self) -> None:
        """Connects and logs in as for an email, and sends none."""
        client = self._client()
        try:
            await client.connect()
            with suppress(aiosmtplib.SMTPException, OSError):
                await client.quit(timeout=QUIT_S)
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise self._translate(error) from error
        finally:
            client.close()

    def _client(self) -> aiosmtplib.SMTP:
        settings = self._settings
        password = settings.smtp_password
        return aiosmtplib.SMTP(
            hostname=settings.smtp_host,
            port=self._port,
            timeout=settings.send_timeout_s,
            use_tls=settings.smtp_tls == "tls",
            start_tls=settings.smtp_tls == "starttls",
            tls_context=self._tls,
            username=settings.smtp_user,
            password=None if password is None else password.get_secret_value(),
        )

    def _translate(self, error: Exception) -> PlatformError:
        """A permanent rejection of recipient or content is about the email; anything else is about the server."""
        match error:
            case aiosmtplib.SMTPRecipientsRefused():
                error = error.recipients[0]
            case aiosmtplib.SMTPNotSupported():
                return RecipientRejected(f"the mail server {self._where} cannot deliver there: {error.message}")
            case ValueError() if not isinstance(error, OSError):
                return RecipientRejected(f"the address cannot be sent to: {error}")
        reason = _words(error)
        if isinstance(error, (aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError)) and error.code >= 500:
            return RecipientRejected(f"the mail server {self._where} rejects the email: {reason}")
        return BackendUnavailable("smtp", f"the mail server {self._where} does not accept emails: {reason}")

    @property
    def _where(self) -> str:
        return f"{self._settings.smtp_host}:{self._port}"


def _words(error: Exception) -> str:
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {' '.join(error.message.split())}"
    return str(error) or type(error).__name__
