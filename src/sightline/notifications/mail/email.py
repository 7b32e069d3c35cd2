"""Emails that are ready to be sent: what every mail channel is given."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from sightline.notifications.mail.mail import Language


class EmailContent(Protocol):
    """The fields of an email that a mail channel reads."""

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
class Email:
    """An email that no template was filled for, such as a notification's."""

    id: UUID
    language: Language
    subject: str
    text: str
    html: str
    created_at: datetime
