"""An AWS account: CloudFormation for it, its comparison with the topology, and mail templates."""

import asyncio
import json
from dataclasses import asdict
from typing import Annotated

import typer

from sightline.cli.options import AsJson, read_settings
from sightline.config import Settings
from sightline.contracts.message_events import Stage
from sightline.fleet import (
    Difference,
    account_differences,
    fleet_plan,
    fleet_template,
    messaging_template,
    open_account,
)
from sightline.notifications import NotificationsSettings
from sightline.notifications.mail import TemplateChange, open_ses, put_templates, ses_templates
from sightline.observability import configure_logging

commands = typer.Typer(
    help="Print CloudFormation for an AWS account, check the account, and update its mail templates.",
    no_args_is_help=True,
)


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


@commands.command("template")
def template_command(
    stage: Annotated[Stage | None, typer.Option(help="Stage in the names; SIGHTLINE_BUS_STAGE if not given.")] = None,
    is_messaging: Annotated[
        bool,
        typer.Option("--messaging", help="Only bucket, topics, queues, rules, table, schedules and mail templates."),
    ] = False,
) -> None:
    """Print the CloudFormation template of a fleet, made of the topology that the platform runs on. Changes nothing."""
    plan = fleet_plan(_settings(stage))
    template = messaging_template(plan) if is_messaging else fleet_template(plan)
    typer.echo(json.dumps(template, indent=2, ensure_ascii=False))


@commands.command("check")
def check_command(
    stage: Annotated[Stage | None, typer.Option(help="Stage in the names; SIGHTLINE_BUS_STAGE if not given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the account with the topology and name every difference. Exit code 1 if there is one. Changes nothing."""
    settings = _settings(stage)
    configure_logging(settings.observability.model_copy(update={"log_level": "warning"}))
    found = asyncio.run(_differences(settings))
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False))
    else:
        for one in found:
            typer.echo(str(one))
        typer.echo(f"{len(found)} differences" if found else f"Account {settings.bus.account_id} is as it should be.")
    raise typer.Exit(1 if found else 0)


def _settings(stage: Stage | None) -> Settings:
    settings = read_settings().settings
    return (
        settings
        if stage is None
        else settings.model_copy(update={"bus": settings.bus.model_copy(update={"stage": stage})})
    )


async def _differences(settings: Settings) -> list[Difference]:
    async with open_account(settings) as account:
        return await account_differences(fleet_plan(settings), account)
