"""Notifications as emails: the words of a notification in the form that mail channels send."""

import html
from uuid import UUID, uuid5

from sightline.notifications.mail.email import Email
from sightline.notifications.mail.mail import Language
from sightline.notifications.mail.plain_text import one_line
from sightline.notifications.push.channel import Notification

MAX_SUBJECT_LENGTH = 200

_NAMESPACE = UUID("b2a7d1f0-6c5e-5b0a-9a53-0d5b1f1e7c44")


def email_of(notification: Notification, language: Language) -> Email:
    """The same bytes every time, and so is the Message-ID."""
    lines = [notification.body or notification.title, *([notification.click] if notification.click else [])]
    paragraphs = "".join(
        f"<p>{html.escape(line)}</p>" for line in (notification.body or notification.title).splitlines() if line.strip()
    )
    link = (
        f'<p><a href="{html.escape(notification.click)}">{html.escape(notification.click)}</a></p>'
        if notification.click
        else ""
    )
    return Email(
        id=uuid5(_NAMESPACE, notification.id),
        language=language,
        subject=one_line(notification.title or notification.body, max_length=MAX_SUBJECT_LENGTH),
        text="\n\n".join(lines) + "\n",
        html=f'<!DOCTYPE html><html lang="{language}"><body>'
        f"<h1>{html.escape(notification.title)}</h1>{paragraphs}{link}</body></html>\n",
        created_at=notification.created_at,
    )
