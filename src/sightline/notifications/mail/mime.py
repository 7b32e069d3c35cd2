"""A mail in the form that SMTP carries: plain text and HTML side by side. Pure."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from sightline.notifications.mail.email import EmailContent


def message_of(mail: EmailContent, *, sender: Address, address: str) -> EmailMessage:
    """The same bytes every time, so that one that arrives twice has one Message-ID and is recognisable.

    Headers are set through the library's own policy, which refuses line breaks and encodes whatever is not ASCII.
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
