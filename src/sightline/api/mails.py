"""Emails: users see their own, operators all; operators resend failed ones."""

from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

import structlog
from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.mails import EXAMPLE_ID, EXAMPLE_VIDEO, MailAnswer, MailsAnswer, MailSummaryAnswer
from sightline.api.dependencies import CurrentCaller, CurrentPlatform, Operator
from sightline.db import Transaction
from sightline.notifications import MailStatus, TemplateName, existing_mail, list_mails, resend, unknown_mail
from sightline.paging import Cursor, page_of

MOST_LISTED = 500

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/mails", tags=["mails"])


def _mail_id(mail_id: Annotated[str, Path(description="The mail's id.", examples=[EXAMPLE_ID])]) -> UUID:
    """An id that is not a UUID is answered like an unknown one: 404."""
    try:
        return UUID(mail_id)
    except ValueError:
        raise unknown_mail(mail_id) from None


async def _reading(platform: CurrentPlatform, caller: CurrentCaller) -> AsyncIterator[Transaction]:
    """Operators see every mail; other callers see what row level security allows."""
    database = platform.database
    async with database.transaction() if caller.is_operator else database.as_caller(caller.claims()) as tx:
        yield tx


MailId = Annotated[UUID, Depends(_mail_id)]
Reading = Annotated[Transaction, Depends(_reading, scope="function")]


class MailListQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    status: MailStatus | None = Field(None, examples=["failed"], description="Only with this status.")
    template: TemplateName | None = Field(None, examples=["VideoFalhou"], description="Only of this template.")
    video_id: UUID | None = Field(None, examples=[EXAMPLE_VIDEO], description="Only of this video.")
    limit: int = Field(50, ge=1, le=MOST_LISTED, examples=[50], description="Maximum number of results.")
    cursor: str | None = Field(
        None,
        max_length=100,
        examples=[f"2026-01-17T10:00:00.000000Z_{EXAMPLE_ID}"],
        description="`next_cursor` of the previous page.",
    )


@router.get("")
async def mails(tx: Reading, query: Annotated[MailListQuery, Query()]) -> MailsAnswer:
    """The mails that the caller may see, newest first."""
    found = await list_mails(
        tx,
        status=query.status,
        template=query.template,
        video_id=query.video_id,
        limit=query.limit + 1,
        before=None if query.cursor is None else Cursor.parse(query.cursor, UUID),
    )
    page = page_of(found, query.limit, lambda mail: Cursor(mail.created_at, mail.id))
    return MailsAnswer(mails=[MailSummaryAnswer.of(mail) for mail in page.items], next_cursor=page.next_cursor)


@router.get("/{mail_id}")
async def mail(tx: Reading, mail_id: MailId) -> MailAnswer:
    """One mail with its text and its HTML. 404 if it does not exist or the caller may not see it."""
    return MailAnswer.of(await existing_mail(tx, mail_id))


@router.post("/{mail_id}/resend")
async def resend_mail(platform: CurrentPlatform, caller: Operator, mail_id: MailId) -> MailAnswer:
    """Resend a failed email, or send a queued one now. A sent email is never sent twice. For operators."""
    async with platform.database.transaction() as tx:
        found = await resend(tx, platform.bus, mail_id)
    log.info("mails.resent", mail_id=str(mail_id), by=f"operator {caller.user_id}")
    return MailAnswer.of(found)
