"""Resources in an AWS account that Sightline creates itself."""

import asyncio
import json
from typing import Annotated

import typer

from sightline.cli.options import AsJson, read_settings
from sightline.notifications import NotificationsSettings
from sightline.notifications.mail import TemplateChange, open_ses, put_templates, ses_templates
from sightline.observability import configure_logging

commands = typer.Typer(help="Create resources in an AWS account.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="aws")


@commands.command("mail-templates")
def mail_templates_command(
    is_printed: Annotated[
        bool, typer.Option("--print", help="Print them as JSON, in the form of CreateEmailTemplate; change nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the mail templates in SES up to date (SIGHTLINE_NOTIFICATIONS_SES_*). Safe to repeat."""
    if is_printed:
        templates = [{"TemplateName": one.name, "TemplateContent": one.content} for one in ses_templates()]
        typer.echo(json.dumps(templates, indent=2, ensure_ascii=False))
        return
    settings = read_settings().settings
    configure_logging(settings.observability.model_copy(update={"log_level": "warning"}))
    done = asyncio.run(_put(settings.notifications))
    if as_json:
        typer.echo(json.dumps(dict(done)))
    else:
        for name, change in done:
            typer.echo(f"{name}: {change}")


async def _put(settings: NotificationsSettings) -> list[tuple[str, TemplateChange]]:
    async with open_ses(settings) as client:
        return await put_templates(client)
