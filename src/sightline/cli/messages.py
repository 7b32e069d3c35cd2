"""Messages of document 002 and their schedules: listing, showing, sending and retrying them."""

import json
from typing import Annotated

import typer

from sightline.api.answers.messages import MessageAnswer, MessageSummaryAnswer
from sightline.api.answers.schedules import ScheduleAnswer
from sightline.bootstrap import Platform
from sightline.cli.actor import record_command
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.messages import message_text, messages_table
from sightline.cli.output.tables import is_narrow, new_table, print_table
from sightline.errors import Conflict, InvalidInput
from sightline.messages import (
    CHANNELS,
    STATUSES,
    Channel,
    Message,
    MessageFilter,
    Status,
    notification_request,
    unknown_message,
)
from sightline.messages.schedules import store as schedules

DEFAULT_LIMIT = 20

MessageId = Annotated[str, typer.Argument(help="The message's id.")]

commands = typer.Typer(
    help="List, show, send or retry messages. Dead letters: `sightline dead-letters`.",
    no_args_is_help=True,
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="messages")


@commands.command("list")
def list_command(
    status: Annotated[str | None, typer.Option(help=f"Only with this status: {', '.join(STATUSES)}.")] = None,
    message_type: Annotated[str | None, typer.Option("--type", help="Only of this type.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of messages.")] = DEFAULT_LIMIT,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """List the newest messages."""
    criteria = MessageFilter(status=None if status is None else as_status(status), message_type=message_type)

    async def work(platform: Platform) -> list[Message]:
        return await platform.open_messages.store.find(criteria, limit=limit)

    found = with_platform(state_dir, work)
    if as_json:
        typer.echo(json.dumps({"messages": [MessageSummaryAnswer.of(one).model_dump(mode="json") for one in found]}))
    elif not found:
        typer.echo("No messages")
    else:
        print_table(messages_table(found, narrow=is_narrow()))


@commands.command("show")
def show_command(message_id: MessageId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Print one message with its payload and history."""

    async def work(platform: Platform) -> Message:
        found = await platform.open_messages.store.get(message_id)
        if found is None:
            raise unknown_message(message_id)
        return found

    answer = MessageAnswer.of(with_platform(state_dir, work))
    typer.echo(answer.model_dump_json() if as_json else message_text(answer))


@commands.command("send")
def send_command(
    text: Annotated[str, typer.Argument(help="Text of the message.")],
    title: Annotated[str, typer.Option(help="Title.")] = "Sightline",
    channel: Annotated[
        str | None, typer.Option(help=f"One of {', '.join(CHANNELS)}; default: SIGHTLINE_MESSAGES_CHANNEL.")
    ] = None,
    target: Annotated[str | None, typer.Option(help="Topic, address or webhook; default: the channel's own.")] = None,
    message_type: Annotated[str, typer.Option("--type", help="Message type.")] = "manual_notification",
    state_dir: StateDir = None,
) -> None:
    """Create a message and print its id."""

    async def work(platform: Platform) -> str:
        chosen = platform.settings.messages.channel if channel is None else as_channel(channel)
        messages = platform.open_messages.messages
        payload = {"title": title, "message": text}
        async with platform.database.transaction() as tx:
            new, _ = await messages.create(
                tx,
                message_type=message_type,
                payload=payload,
                notification=notification_request(
                    message_type, payload, channel=chosen, target=target, priority=None, by_operator=True
                ),
                source="web-api",
                created_by="user:command-line",
            )
        await messages.store.ensure_stored(new.message_id)
        await record_command(platform, "message.sent", f"message {new.message_id}")
        return new.message_id

    typer.echo(with_platform(state_dir, work))


@commands.command("retry")
def retry_command(message_id: MessageId, state_dir: StateDir = None) -> None:
    """Retry a message that failed or waits. A delivered message is never sent twice."""

    async def work(platform: Platform) -> None:
        store = platform.open_messages.store
        async with platform.database.transaction() as tx:
            is_queued = await store.requeue(tx, message_id, by="command line")
        found = await store.get(message_id)
        if found is None:
            raise unknown_message(message_id)
        if not is_queued:
            raise Conflict(f"message {message_id} is {found.status}; only failed and waiting messages can be retried")
        await record_command(platform, "message.retried", f"message {message_id}")

    with_platform(state_dir, work)
    typer.echo(f"Message {message_id} queued again")


@commands.command("schedules")
def schedules_command(as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """List all schedules."""

    async def work(platform: Platform) -> list[schedules.Schedule]:
        async with platform.database.transaction() as tx:
            return await schedules.find(tx, owner_id=None)

    found = [ScheduleAnswer.of(one) for one in with_platform(state_dir, work)]
    if as_json:
        typer.echo(json.dumps({"schedules": [one.model_dump(mode="json") for one in found]}))
        return
    table = new_table("name", "expression", "zone", "type", "state", "next")
    for one in found:
        table.add_row(one.name, one.expression, one.zone, one.message_type, one.state, one.next_tick or "–")
    print_table(table)


def as_status(text: str) -> Status:
    for status in STATUSES:
        if status == text:
            return status
    raise InvalidInput(f"unknown status {text!r}; use one of {', '.join(STATUSES)}")


def as_channel(text: str) -> Channel:
    for channel in CHANNELS:
        if channel == text:
            return channel
    raise InvalidInput(f"unknown channel {text!r}; use one of {', '.join(CHANNELS)}")
