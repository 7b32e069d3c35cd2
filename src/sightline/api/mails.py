"""Emails: users see their own, operators all; operators resend failed ones."""

from typing import Annotated
from uuid import UUID

import structlog
from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field

from sightline.api.answers.mails import EXAMPLE_ID, MailAnswer, MailsAnswer, MailSummaryAnswer
from sightline.api.dependencies import (
    CurrentCaller,
    CurrentPlatform,
    Operator,
    ReadingTransaction,
    VideoListQuery,
    parse_id,
)
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.notifications import (
    Mail,
    MailStatus,
    TemplateName,
    existing_mail,
    is_resendable,
    list_mails,
    resend,
    unknown_mail,
)
from sightline.paging import Cursor, page_of

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/mails", tags=["mails"])


def _mail_id(mail_id: Annotated[str, Path(description="The mail's id.", examples=[EXAMPLE_ID])]) -> UUID:
    return parse_id(mail_id, unknown_mail)


MailId = Annotated[UUID, Depends(_mail_id)]


class MailListQuery(VideoListQuery):
    status: MailStatus | None = Field(None, examples=["failed"], description="Only with this status.")
    template: TemplateName | None = Field(None, examples=["VideoFalhou"], description="Only of this template.")


@router.get("")
async def mails(tx: ReadingTransaction, query: Annotated[MailListQuery, Query()]) -> MailsAnswer:
    """The mails that the caller may see, newest first."""
    found = await list_mails(
        tx,
        status=query.status,
        template=query.template,
        video_id=query.video_id,
        limit=query.limit + 1,
        before=query.before,
    )
    page = page_of(found, query.limit, lambda mail: Cursor(mail.created_at, mail.id))
    return MailsAnswer(mails=[MailSummaryAnswer.of(mail) for mail in page.items], next_cursor=page.next_cursor)


@router.get("/{mail_id}")
async def mail(platform: CurrentPlatform, tx: ReadingTransaction, caller: CurrentCaller, mail_id: MailId) -> MailAnswer:
    """One mail with its text and its HTML. 404 if it does not exist or the caller may not see it."""
    found = await existing_mail(tx, mail_id)
    return MailAnswer.of(found, can_resend=_can_resend(platform, caller, found))


@router.post("/{mail_id}/resend")
async def resend_mail(platform: CurrentPlatform, caller: Operator, mail_id: MailId) -> MailAnswer:
    """Resend a failed email, send a queued one now, or one that was kept while no mail server was set. For operators.

    A sent email is never sent twice.
    """
    async with platform.database.transaction() as tx:
        found = await resend(tx, platform.bus, mail_id, has_mail_server=platform.settings.notifications.has_mail_server)
    log.info("mails.resent", mail_id=str(mail_id), by=f"operator {caller.user_id}")
    return MailAnswer.of(found, can_resend=_can_resend(platform, caller, found))


def _can_resend(platform: Platform, caller: Caller, mail: Mail) -> bool:
    return caller.is_operator and is_resendable(mail, has_mail_server=platform.settings.notifications.has_mail_server)
