"""Mails as JSON, as the API and the command line return them."""

from datetime import datetime
from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.api.answers.paged import PagedAnswerWithNext
from sightline.notifications import Mail
from sightline.timing import iso_utc

EXAMPLE_ID = UUID("5f0f0e4e-9d3c-5b52-8d0c-6c1e2d7a9b41")
EXAMPLE_VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")


class MailSummaryAnswer(BaseModel):
    mail_id: UUID = Field(examples=[EXAMPLE_ID])
    video_id: UUID = Field(examples=[EXAMPLE_VIDEO])
    template: str = Field(examples=["VideoConcluido"])
    language: str = Field(examples=["pt"])
    recipient: str | None = Field(examples=["ana@example.com"], description="Null if the video has no address.")
    subject: str = Field(examples=["Concluído: lecture.mp4"])
    status: str = Field(
        examples=["sent"], description="queued, sending, sent, kept (here: no mail server is set), failed or skipped."
    )
    channel: str | None = Field(examples=["smtp"], description="Channel it was sent over, or last tried.")
    attempts: int = Field(examples=[1])
    last_error: str | None = Field(examples=[None], description="Why it was not sent, or not yet.")
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    sent_at: str | None = Field(examples=["2026-01-17T10:00:01.000Z"])

    @classmethod
    def of(cls, mail: Mail) -> Self:
        return cls.model_validate(_summary(mail))


class MailAnswer(MailSummaryAnswer):
    """The whole mail. Its HTML contains untrusted text, escaped; show it in a sandboxed frame."""

    provider_id: str | None = Field(
        examples=[f"<{EXAMPLE_ID}@example.com>"], description="Id given by the mail server or SES, once sent."
    )
    can_resend: bool = Field(
        False,
        examples=[False],
        description="Whether the caller can send it now: an operator, if it failed, waits or was kept.",
    )
    text: str = Field(examples=["Concluído\n\nO vídeo lecture.mp4 está pronto para assistir e pesquisar.\n"])
    html: str = Field(examples=["<!DOCTYPE html>…"])

    @classmethod
    def of(cls, mail: Mail, *, can_resend: bool = False) -> Self:
        whole = {"can_resend": can_resend, "provider_id": mail.provider_id, "text": mail.text, "html": mail.html}
        return cls.model_validate(_summary(mail) | whole)


class MailsAnswer(PagedAnswerWithNext):
    mails: list[MailSummaryAnswer]


def _summary(mail: Mail) -> dict[str, Any]:
    return {
        "mail_id": mail.id,
        "video_id": mail.video_id,
        "template": mail.template,
        "language": mail.language,
        "recipient": mail.recipient,
        "subject": mail.subject,
        "status": mail.status,
        "channel": mail.channel,
        "attempts": mail.attempts,
        "last_error": mail.last_error,
        "created_at": iso_utc(mail.created_at),
        "sent_at": _time(mail.sent_at),
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else iso_utc(moment)
