"""Video events and mails for tests, and a mail server that answers what a test says."""

import asyncio
import email
import email.policy
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any
from uuid import UUID

from aiosmtpd.smtp import SMTP, AuthResult

from sightline.contracts.video_events import VideoStatusChanged
from sightline.notifications.mail.mail import Language, Mail
from sightline.notifications.mail.rules import mail_for

VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")
OWNER = UUID(int=11)
NOW = datetime(2026, 1, 17, 10, tzinfo=UTC)
LINK = f"https://sightline.example/ui/videos/{VIDEO}"


def event(status: str = "COMPLETED", **changes: Any) -> VideoStatusChanged:
    usual: dict[str, Any] = {
        "video_id": VIDEO,
        "status": status,
        "user_id": OWNER,
        "user_email": "ana@example.com",
        "video_name": "aula.mp4",
        "download_url": LINK if status == "COMPLETED" else None,
        "error_reason": "o áudio não pôde ser lido" if status == "FAILED" else None,
        "changed_at": NOW,
        "move": 6,
    }
    return VideoStatusChanged(**(usual | changes))


def mail(status: str = "COMPLETED", *, language: Language = "pt", **changes: Any) -> Mail:
    """As it stands in the hands of a sender."""
    new = mail_for(event(status, **changes), language)
    assert new is not None
    return Mail(
        id=new.id,
        video_id=new.video_id,
        template=new.template,
        move=new.move,
        owner_id=new.owner_id,
        language=new.language,
        recipient=new.recipient,
        subject=new.subject,
        text=new.text,
        html=new.html,
        variables=new.variables,
        status="sending",
        channel="smtp",
        provider_id=None,
        attempts=1,
        last_error=None,
        created_at=NOW,
        updated_at=NOW,
        sent_at=None,
    )


class MailServer:
    """Takes mails, or does what the test says instead. The names of its methods are aiosmtpd's."""

    def __init__(self, **options: Any) -> None:
        self.received: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.connections = 0
        self.answers: dict[str, str] = {}
        """By command: what is answered instead of yes."""
        self.drops_before_taking = False
        self.drops_after_taking = False
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.logins: list[tuple[bytes, bytes]] = []
        self._options = options
        self._server: asyncio.Server | None = None
        self.port = 0

    async def open(self, *, tls: ssl.SSLContext | None = None) -> None:
        """On the same port each time."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._protocol, "127.0.0.1", self.port, ssl=tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self.may_answer.set()
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    def _protocol(self) -> SMTP:
        self.connections += 1
        return SMTP(self, hostname="mail.test", loop=asyncio.get_running_loop(), **self._options)

    async def handle_MAIL(self, _server, _session, envelope, address, _options) -> str:  # noqa: N802
        if (answer := self.answers.get("MAIL")) is not None:
            return answer
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, _server, _session, envelope, address, _options) -> str:  # noqa: N802
        if (answer := self.answers.get("RCPT")) is not None:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, _session, envelope) -> str:  # noqa: N802
        if self.drops_before_taking:
            server.transport.abort()
            return "451 gone"
        if (answer := self.answers.get("DATA")) is not None:
            return answer
        content = envelope.content if isinstance(envelope.content, bytes) else envelope.content.encode()
        message = email.message_from_bytes(content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.received.append(message)
        self.recipients += envelope.rcpt_tos
        await self.may_answer.wait()
        if self.drops_after_taking:
            server.transport.abort()
        return "250 taken"

    def authenticate(self, _server, _session, _envelope, mechanism, data) -> AuthResult:
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"right", handled=False)


@asynccontextmanager
async def mail_server(*, tls: ssl.SSLContext | None = None, **options: Any) -> AsyncIterator[MailServer]:
    server = MailServer(**options)
    await server.open(tls=tls)
    try:
        yield server
    finally:
        await server.close()


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    text: str = part.get_content()
    return text.replace("\r\n", "\n")
