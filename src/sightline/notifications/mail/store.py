"""Store of emails. Row level security limits what the transaction's role sees."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import get_args
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.errors import NotFound
from sightline.notifications.mail.mail import Mail, MailStatus, NewMail, TemplateName
from sightline.paging import Cursor

MAIL_STATUSES: tuple[MailStatus, ...] = get_args(MailStatus)

_sql = load_queries(Path(__file__).with_name("queries.sql"))


@dataclass(frozen=True, slots=True)
class MailState:
    status: MailStatus
    lease_left: timedelta | None
    """How long the lease of the current sender lasts."""
    last_error: str | None


async def record(tx: Transaction, mail: NewMail, *, skip_reason: str | None = None) -> bool:
    """Adds it; returns whether it is new. One with a reason to skip it is never sent."""
    found = await _sql["record"].value(
        tx,
        id=mail.id,
        video_id=mail.video_id,
        template=mail.template,
        move=mail.move,
        owner_id=mail.owner_id,
        language=mail.language,
        recipient=mail.recipient,
        subject=mail.subject,
        body_text=mail.text,
        body_html=mail.html,
        variables=dict(mail.variables),
        skip_reason=skip_reason or (None if mail.recipient else "the video has no e-mail address"),
    )
    return found is not None


async def claim(tx: Transaction, mail_id: UUID, *, channel: str, lease: timedelta) -> Mail | None:
    """Claims the email for the caller until the lease ends; None if it cannot be claimed now."""
    row = await _sql["claim"].row(tx, id=mail_id, channel=channel, lease=lease)
    return None if row is None else _mail(row)


async def state_of(tx: Transaction, mail_id: UUID) -> MailState:
    row = await _sql["state_of"].row(tx, id=mail_id)
    if row is None:
        raise unknown_mail(mail_id)
    return MailState(row["status"], row["lease_left"], row["last_error"])


async def mark_sent(tx: Transaction, mail: Mail, provider_id: str) -> bool:
    """False if another sender has claimed it since."""
    return await _sql["mark_sent"].run(tx, id=mail.id, attempt=mail.attempts, provider_id=provider_id) == 1


async def mark_kept(tx: Transaction, mail: Mail) -> bool:
    """False if another sender has claimed it since."""
    return await _sql["mark_kept"].run(tx, id=mail.id, attempt=mail.attempts) == 1


async def release(tx: Transaction, mail: Mail, *, error: str, is_final: bool) -> bool:
    """After a failed attempt. False if another sender has claimed it since."""
    return await _sql["release"].run(tx, id=mail.id, attempt=mail.attempts, error=error, is_final=is_final) == 1


async def requeue(tx: Transaction, mail_id: UUID) -> bool:
    return await _sql["requeue"].run(tx, id=mail_id) == 1


async def list_mails(
    tx: Transaction,
    *,
    status: MailStatus | None = None,
    template: TemplateName | None = None,
    video_id: UUID | None = None,
    limit: int = 50,
    before: Cursor[UUID] | None = None,
) -> list[Mail]:
    """Newest first, after the cursor `before`."""
    rows = await _sql["list_mails"].rows(
        tx,
        status=status,
        template=template,
        video_id=video_id,
        before_at=None if before is None else before.at,
        before_id=None if before is None else before.id,
        limit=limit,
    )
    return [_mail(row) for row in rows]


async def existing_mail(tx: Transaction, mail_id: UUID) -> Mail:
    row = await _sql["get_mail"].row(tx, id=mail_id)
    if row is None:
        raise unknown_mail(mail_id)
    return _mail(row)


def unknown_mail(mail_id: object) -> NotFound:
    return NotFound(f"no mail {mail_id}", code="MAIL_NOT_FOUND")


async def sweep(tx: Transaction, *, keep: timedelta, limit: int) -> int:
    """Removes up to `limit` emails older than `keep`; returns how many."""
    return await _sql["sweep"].run(tx, keep=keep, limit=limit)


def _mail(row: asyncpg.Record) -> Mail:
    return Mail(**{**dict(row), "template": TemplateName(row["template"])})
