"""The record of an email about a video: its template, its statuses, its content. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID, uuid5

Language = Literal["pt", "en", "es", "de"]
MailStatus = Literal["queued", "sending", "sent", "kept", "failed", "skipped"]
"""`kept`: no mail server is set, so the email stays here and was not sent."""

_NAMESPACE = UUID("6f0e3c52-58a4-5d0f-9b0e-2f1d8c7a4b10")


class TemplateName(StrEnum):
    """The names of document 004."""

    ALMOST_DONE = "VideoQuaseFinalizado"
    DONE = "VideoConcluido"
    FAILED = "VideoFalhou"


@dataclass(frozen=True, slots=True)
class NewMail:
    """An email to send for one status change of one video."""

    video_id: UUID
    template: TemplateName
    move: int
    owner_id: UUID | None
    language: Language
    recipient: str | None
    """As the event gave it; None if there is no address."""
    subject: str
    text: str
    html: str
    variables: Mapping[str, str]

    @property
    def id(self) -> UUID:
        """The same for every delivery of the event, and so is the Message-ID made from it."""
        return uuid5(_NAMESPACE, f"{self.video_id}/{self.template}/{self.move}")


@dataclass(frozen=True, slots=True)
class Mail:
    """An email as it is stored."""

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
