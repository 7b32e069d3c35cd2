"""Mails: listing, showing and resending them."""

import json
from typing import Annotated

import typer

from sightline.api.answers.mails import MailAnswer, MailSummaryAnswer
from sightline.bootstrap import Platform
from sightline.cli.actor import record_command
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir, as_id
from sightline.cli.output.mails import mail_text, mails_table
from sightline.cli.output.tables import is_narrow, print_table
from sightline.errors import InvalidInput
from sightline.notifications import MAIL_STATUSES, Mail, MailStatus, TemplateName, existing_mail, list_mails, resend

DEFAULT_LIMIT = 20

MailId = Annotated[str, typer.Argument(help="The mail's id.")]

commands = typer.Typer(
    help="List the newest mails with recipient, subject and status; show one, or resend a failed one.",
    invoke_without_command=True,
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="outbox")


@commands.callback()
def list_command(
    context: typer.Context,
    status: Annotated[str | None, typer.Option(help=f"Only with this status: {', '.join(MAIL_STATUSES)}.")] = None,
    template: Annotated[str | None, typer.Option(help=f"Only of this kind: {', '.join(TemplateName)}.")] = None,
    video: Annotated[str | None, typer.Option(help="Only of this video.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of mails.")] = DEFAULT_LIMIT,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """List the newest mails with recipient, subject and status; show one, or resend a failed one."""
    if (inner := context.invoked_subcommand) is not None:
        # Ignored, it would work on another platform than the one that was named.
        if (
            any(value is not None for value in (status, template, video, state_dir))
            or as_json
            or limit != DEFAULT_LIMIT
        ):
            raise InvalidInput(f"put options after the command: sightline outbox {inner} …")
        return
    checked_status = None if status is None else as_status(status)
    checked_template = None if template is None else as_template(template)
    video_id = None if video is None else as_id(video, "video")

    async def work(platform: Platform) -> list[Mail]:
        async with platform.database.transaction() as tx:
            # One more than is shown, to know whether there are more.
            return await list_mails(
                tx, status=checked_status, template=checked_template, video_id=video_id, limit=limit + 1
            )

    found = with_platform(state_dir, work)
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        answers = [MailSummaryAnswer.of(mail).model_dump(mode="json") for mail in found]
        typer.echo(json.dumps({"mails": answers, "has_more": has_more}))
    elif not found:
        typer.echo("No mails" if status is None and template is None and video is None else "No mails match")
    else:
        print_table(mails_table(found, narrow=is_narrow()))
        if has_more:
            typer.echo(f"… and more; the newest {len(found)} are shown (--limit)")


@commands.command("show")
def show_command(
    mail_id: MailId,
    is_html: Annotated[bool, typer.Option("--html", help="Print the HTML source instead of the text.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Print one mail with its text."""
    checked_id = as_id(mail_id, "mail")

    async def work(platform: Platform) -> Mail:
        async with platform.database.transaction() as tx:
            return await existing_mail(tx, checked_id)

    answer = MailAnswer.of(with_platform(state_dir, work))
    typer.echo(answer.model_dump_json() if as_json else mail_text(answer, is_html=is_html))


@commands.command("resend")
def resend_command(mail_id: MailId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Resend a mail that failed, send one that waits now, or one that was kept. A sent mail is never sent twice."""
    checked_id = as_id(mail_id, "mail")

    async def work(platform: Platform) -> Mail:
        async with platform.database.transaction() as tx:
            mail = await resend(
                tx, platform.bus, checked_id, has_mail_server=platform.settings.notifications.has_mail_server
            )
        await record_command(platform, "mail.resent", f"mail {checked_id}")
        return mail

    answer = MailAnswer.of(with_platform(state_dir, work))
    typer.echo(answer.model_dump_json() if as_json else f"Mail {answer.mail_id} queued again")


def as_status(text: str) -> MailStatus:
    for status in MAIL_STATUSES:
        if status == text:
            return status
    raise InvalidInput(f"unknown status {text!r}; use one of {', '.join(MAIL_STATUSES)}")


def as_template(text: str) -> TemplateName:
    try:
        return TemplateName(text)
    except ValueError:
        raise InvalidInput(f"unknown mail template {text!r}; use one of {', '.join(TemplateName)}") from None
