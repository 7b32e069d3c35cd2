"""The SMTP channel against a real mail server: encryption, login, refusals, and servers that misbehave."""

import asyncio
import ssl
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sightline.errors import BackendUnavailable
from sightline.notifications.mail.address import RecipientRejected
from sightline.notifications.mail.smtp_channel import SmtpChannel
from sightline.notifications.settings import NotificationsSettings
from sightline.timing import utc_now
from support.mailing import MailServer, body, mail, mail_server
from support.waiting import soon, until

ADDRESS = "ana@example.com"


def channel_to(server: MailServer, **settings: Any) -> SmtpChannel:
    usual = {"smtp_host": "localhost", "smtp_port": server.port, "smtp_tls": "none", "send_timeout_s": 600}
    return SmtpChannel(
        NotificationsSettings(channel="smtp", from_address="Vídeos <v@example.com>", **(usual | settings))
    )


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    """Key and certificate of `localhost`, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = utc_now()
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path: Path = tmp_path_factory.mktemp("tls") / "both.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


def _tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    return context


async def test_a_mail_arrives_in_text_and_html(server):
    one = mail("COMPLETED", video_name="日本 👩\u200d🏫 الدرس.mp4")
    assert await channel_to(server).send(one, ADDRESS) == f"<{one.id}@example.com>"
    (arrived,) = server.received
    assert arrived["From"] == "Vídeos <v@example.com>"
    assert arrived["Subject"] == one.subject
    assert (body(arrived, "plain"), body(arrived, "html")) == (one.text, one.html)


async def test_a_dot_alone_on_a_line_ends_nothing(server):
    one = mail("FAILED", error_reason=".")
    await channel_to(server).send(one, ADDRESS)
    assert body(server.received[0], "plain") == one.text


async def test_starttls_is_insisted_on(certificate, server):
    async with mail_server(tls_context=_tls(certificate), require_starttls=True) as secure:
        await channel_to(secure, smtp_tls="starttls", smtp_ca_file=str(certificate)).send(mail(), ADDRESS)
        assert len(secure.received) == 1
    with pytest.raises(BackendUnavailable, match="STARTTLS"):
        await channel_to(server, smtp_tls="starttls").send(mail(), ADDRESS)
    assert server.received == []


async def test_tls_from_the_first_byte(certificate):
    async with mail_server(tls=_tls(certificate)) as secure:
        await channel_to(secure, smtp_tls="tls", smtp_ca_file=str(certificate)).send(mail(), ADDRESS)
        assert len(secure.received) == 1


@pytest.mark.parametrize("tls", ["tls", "starttls"])
async def test_a_certificate_that_nobody_vouches_for_is_not_believed(certificate, tls: str):
    context = _tls(certificate)
    options: dict[str, Any] = {"tls": context} if tls == "tls" else {"tls_context": context}
    async with mail_server(**options) as secure:
        with pytest.raises(BackendUnavailable, match="certificate"):
            await channel_to(secure, smtp_tls=tls).send(mail(), ADDRESS)
        assert secure.received == []


async def test_login(certificate):
    async with mail_server(tls_context=_tls(certificate), auth_required=True) as secure:
        secure._options["authenticator"] = secure.authenticate
        way = {"smtp_tls": "starttls", "smtp_ca_file": str(certificate), "smtp_user": "ana"}
        await channel_to(secure, **way, smtp_password="right").send(mail(), ADDRESS)
        assert (secure.logins[-1], len(secure.received)) == ((b"ana", b"right"), 1)
        with pytest.raises(BackendUnavailable, match="535") as caught:
            await channel_to(secure, **way, smtp_password="guessed").send(mail(), ADDRESS)
        assert "guessed" not in str(caught.value)


@pytest.mark.parametrize(
    ("command", "answer", "kind"),
    [
        ("RCPT", "550 5.1.1 no such user", RecipientRejected),
        ("RCPT", "450 4.2.1 greylisted", BackendUnavailable),
        ("DATA", "554 5.7.1 spam", RecipientRejected),
        ("DATA", "452 4.3.1 disk full", BackendUnavailable),
        ("MAIL", "451 4.3.0 later", BackendUnavailable),
        ("MAIL", "530 5.7.0 log in first", BackendUnavailable),
    ],
)
async def test_a_no_to_the_mail_is_final_and_a_no_to_us_is_not(server, command: str, answer: str, kind):
    server.answers[command] = answer
    with pytest.raises(kind, match=answer):
        await channel_to(server).send(mail(), ADDRESS)
    assert server.received == []


async def test_a_connection_that_breaks_in_the_mail_is_tried_again(server):
    server.drops_before_taking = True
    with pytest.raises(BackendUnavailable):
        await channel_to(server).send(mail(), ADDRESS)


async def test_nobody_there(server):
    await server.close()
    with pytest.raises(BackendUnavailable, match=f"localhost:{server.port}"):
        await channel_to(server).send(mail(), ADDRESS)


async def test_a_name_that_does_not_exist(server):
    with pytest.raises(BackendUnavailable, match="mail.invalid"):
        await channel_to(server, smtp_host="mail.invalid").send(mail(), ADDRESS)


async def test_a_server_that_refuses_everybody_is_tried_again():
    async def refuse(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"554 not for you\r\n")
        await writer.drain()
        writer.close()

    refusing = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with refusing:
        port = refusing.sockets[0].getsockname()[1]
        settings = {"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_tls": "none", "from_address": "v@example.com"}
        with pytest.raises(BackendUnavailable, match="554 not for you"):
            await SmtpChannel(NotificationsSettings(channel="smtp", **settings)).send(mail(), ADDRESS)


async def test_a_rude_goodbye_does_not_undo_a_mail_that_was_taken(server, monkeypatch):
    async def smtp_QUIT(self, _arg) -> None:  # noqa: N802
        self.transport.abort()

    monkeypatch.setattr(SMTP, "smtp_QUIT", smtp_QUIT)
    await channel_to(server).send(mail(), ADDRESS)
    assert len(server.received) == 1


async def test_an_address_beyond_ascii_needs_a_server_that_knows_such(server):
    with pytest.raises(RecipientRejected, match="SMTPUTF8"):
        await channel_to(server).send(mail(), "joão@example.com")
    async with mail_server(enable_SMTPUTF8=True) as modern:
        await channel_to(modern).send(mail(), "joão@example.com")
        assert modern.recipients == ["joão@example.com"] == [modern.received[0]["To"]]


async def test_cancelled_it_lets_go_of_the_connection(server):
    server.may_answer.clear()
    sending = asyncio.create_task(channel_to(server).send(mail(), ADDRESS))
    await until(lambda: bool(server.received))
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await soon(sending)
