"""Messages as people read them on a terminal. Pure."""

from collections.abc import Iterable
from typing import Any

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.messages import MessageAnswer
from sightline.cli.output.mails import shown
from sightline.messages import Message
from sightline.timing import iso_utc


def messages_table(messages: Iterable[Message]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("id", "created"):
        table.add_column(column, no_wrap=True)
    for column in ("type", "by", "channel", "status"):
        table.add_column(column, overflow="fold")
    for message in messages:
        status = f"{message.status}: {message.error_message}" if message.error_message else message.status
        table.add_row(
            message.message_id,
            iso_utc(message.created_date),
            escape(shown(message.message_type)),
            escape(shown(message.created_by)),
            message.telling.channel,
            f"[bold red]{escape(shown(status))}[/]" if message.status == "failed" else escape(shown(status)),
        )
    return table


def whole_text(answer: MessageAnswer) -> str:
    """Every field, then the way it took."""
    facts: dict[str, Any] = answer.model_dump(exclude={"history"})
    width = max(map(len, facts))
    lines = [f"{name.replace('_', ' '):<{width}}  {'–' if value is None else value}" for name, value in facts.items()]
    steps = [
        f"{step.at}  {step.status:<10}  {step.by or '–'}{f'  {step.note}' if step.note else ''}"
        for step in answer.history
    ]
    return "\n".join(map(shown, [*lines, "", *steps]))
