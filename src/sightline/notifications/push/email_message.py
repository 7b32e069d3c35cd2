"""A mail that is no mail of a video: the words of a notification, in the form that mail channels carry."""

import html
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID, uuid5

from sightline.notifications.mail.mail import Language
from sightline.notifications.mail.plain_text import one_line
from sightline.notifications.push.channel import Push

LONGEST_SUBJECT = 200

_NAMESPACE = UUID("b2a7d1f0-6c5e-5b0a-9a53-0d5b1f1e7c44")


class Written(Protocol):
    """What a channel needs to know of a mail that is written out."""

    @property
    def id(self) -> UUID: ...
    @property
    def language(self) -> Language: ...
    @property
    def subject(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class Letter:
    id: UUID
    language: Language
    subject: str
    text: str
    html: str
    created_at: datetime


def letter_of(push: Push, language: Language) -> Letter:
    """The same bytes every time, and so is the Message-ID."""
    lines = [push.body or push.title, *([push.click] if push.click else [])]
    paragraphs = "".join(
        f"<p>{html.escape(line)}</p>" for line in (push.body or push.title).splitlines() if line.strip()
    )
    link = f'<p><a href="{html.escape(push.click)}">{html.escape(push.click)}</a></p>' if push.click else ""
    return Letter(
        id=uuid5(_NAMESPACE, push.id),
        language=language,
        subject=one_line(push.title or push.body, most=LONGEST_SUBJECT),
        text="\n\n".join(lines) + "\n",
        html=f"<!DOCTYPE html><html><body><h1>{html.escape(push.title)}</h1>{paragraphs}{link}</body></html>\n",
        created_at=push.created_at,
    )
