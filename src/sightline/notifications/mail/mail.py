"""What a mail is: its name, its states, the record that is kept of it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID, uuid5

Language = Literal["pt", "en"]
MailStatus = Literal["queued", "sending", "sent", "failed", "skipped"]

_NAMESPACE = UUID("6f0e3c52-58a4-5d0f-9b0e-2f1d8c7a4b10")


class TemplateName(StrEnum):
    """The names of document 004."""

    ALMOST_DONE = "VideoQuaseFinalizado"
    DONE = "VideoConcluido"
    FAILED = "VideoFalhou"


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail that is due for one move of one video, written out."""

    video_id: UUID
    template: TemplateName
    move: int
    owner_id: UUID | None
    language: Language
    recipient: str | None
    """As the event gave it; None if nobody is to be told."""
    subject: str
    text: str
    html: str
    variables: Mapping[str, str]

    @property
    def id(self) -> UUID:
        """The same for every repetition of the event, and so is the Message-ID that is made from it."""
        return uuid5(_NAMESPACE, f"{self.video_id}/{self.template}/{self.move}")


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as it is kept."""

    id: UUID
    video_id: UUID
    template: TemplateName
    move: int
    owner_id: UUID | None
    language: Language
    recipient: str | None
    subject: str
    text: str
    html: str
    variables: Mapping[str, str]
    status: MailStatus
    channel: str | None
    provider_id: str | None
    attempts: int
    last_error: str | None
    created_at: datetime
    updated_at: datetime
    sent_at: datetime | None
