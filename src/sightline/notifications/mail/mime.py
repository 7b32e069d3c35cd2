"""Emails as MIME messages with plain text and HTML. Pure."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from sightline.notifications.mail.email import EmailContent


def message_of(mail: EmailContent, *, sender: Address, address: str) -> EmailMessage:
    """The same bytes every time, so that an email that arrives twice has one Message-ID.

    Headers are set through the library's own policy, which rejects line breaks and encodes what is not ASCII.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    local_part, _, domain = address.rpartition("@")
    message["To"] = Address(username=local_part, domain=domain)
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(mail.created_at)
    message["Message-ID"] = message_id(mail, sender)
    message["Auto-Submitted"] = "auto-generated"  # asks out-of-office robots to keep quiet (RFC 3834)
    message.set_content(mail.text, cte="quoted-printable")
    message.add_alternative(mail.html, subtype="html", cte="quoted-printable")
    message["Content-Language"] = mail.language
    message.set_boundary(f"=_{mail.id}")  # no line of quoted-printable can begin like that
    return message


def message_id(mail: EmailContent, sender: Address) -> str:
    return f"<{mail.id}@{sender.domain}>"
