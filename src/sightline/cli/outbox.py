"""The mails that left, wait or failed; what they say; and sending failed ones after all."""

import json
from typing import Annotated

import typer
from rich.console import Console

from sightline.api.answers.mails import MailAnswer, MailSummaryAnswer
from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir, as_id
from sightline.cli.output.mails import mails_table, whole_text
from sightline.errors import InvalidInput
from sightline.notifications import Mail, MailStatus, TemplateName, existing_mail, list_mails, resend
from sightline.notifications.mail.store import STATUSES

LIST_AT_MOST = 20

MailId = Annotated[str, typer.Argument(help="The mail's id.")]

commands = typer.Typer(
    help="Show the newest mails: to whom, about what, and whether they left; read them, or send failed ones again.",
    invoke_without_command=True,
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="outbox")


@commands.callback()
def list_command(
    context: typer.Context,
    status: Annotated[str | None, typer.Option(help=f"Only in this state: {', '.join(STATUSES)}.")] = None,
    template: Annotated[str | None, typer.Option(help=f"Only of this kind: {', '.join(TemplateName)}.")] = None,
    video: Annotated[str | None, typer.Option(help="Only of this video.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at the most.")] = LIST_AT_MOST,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Show the newest mails: to whom, about what, and whether they left; read them, or send failed ones again."""
    if (inner := context.invoked_subcommand) is not None:
        # Unheard, it would work on another platform than the one that was named.
        if any(value is not None for value in (status, template, video, state_dir)) or as_json or limit != LIST_AT_MOST:
            raise InvalidInput(f"options stand behind the command: sightline outbox {inner} …")
        return
    wanted_status = None if status is None else as_status(status)
    wanted_template = None if template is None else as_template(template)
    video_id = None if video is None else as_id(video, "video")

    async def work(platform: Platform) -> list[Mail]:
        async with platform.database.transaction() as tx:
            # One more than is shown tells whether there are more.
            return await list_mails(
                tx, status=wanted_status, template=wanted_template, video_id=video_id, most=limit + 1
            )

    found = with_platform(state_dir, work)
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        answers = [MailSummaryAnswer.of(mail).model_dump(mode="json") for mail in found]
        typer.echo(json.dumps({"mails": answers, "has_more": has_more}))
    elif not found:
        typer.echo(
            "no mails" if status is None and template is None and video is None else "no mails are meant by this"
        )
    else:
        Console().print(mails_table(found))
        if has_more:
            typer.echo(f"… and more; these are the newest {len(found)} (--limit)")


@commands.command("show")
def show_command(
    mail_id: MailId,
    is_html: Annotated[bool, typer.Option("--html", help="The source of the HTML instead of the text.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Print one mail whole."""
    wanted = as_id(mail_id, "mail")

    async def work(platform: Platform) -> Mail:
        async with platform.database.transaction() as tx:
            return await existing_mail(tx, wanted)

    answer = MailAnswer.of(with_platform(state_dir, work))
    typer.echo(answer.model_dump_json() if as_json else whole_text(answer, is_html=is_html))


@commands.command("resend")
def resend_command(mail_id: MailId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Send a mail that failed after all, or one that waits now. One that was sent is not sent twice."""
    wanted = as_id(mail_id, "mail")

    async def work(platform: Platform) -> Mail:
        async with platform.database.transaction() as tx:
            return await resend(tx, platform.bus, wanted)

    answer = MailAnswer.of(with_platform(state_dir, work))
    typer.echo(answer.model_dump_json() if as_json else f"mail {answer.mail_id} is queued again")


def as_status(text: str) -> MailStatus:
    for status in STATUSES:
        if status == text:
            return status
    raise InvalidInput(f"there is no state {text!r}; there are {', '.join(STATUSES)}")


def as_template(text: str) -> TemplateName:
    try:
        return TemplateName(text)
    except ValueError:
        raise InvalidInput(f"there is no mail {text!r}; there are {', '.join(TemplateName)}") from None
