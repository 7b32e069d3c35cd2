"""Messages as text and tables. Pure."""

from collections.abc import Iterable
from typing import Any

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.messages import MessageAnswer
from sightline.cli.output.mails import KEPT, safe_text
from sightline.cli.output.tables import fact_lines, new_table, time_text
from sightline.messages import Message


def messages_table(messages: Iterable[Message], *, narrow: bool = False) -> Table:
    table = new_table("id", "created", "type", *(() if narrow else ("by",)), "channel", "status")
    for message in messages:
        status = KEPT if message.is_kept else message.status
        if message.error_message:
            status = f"{status}: {message.error_message}"
        table.add_row(
            message.message_id,
            time_text(message.created_date, narrow=narrow),
            escape(safe_text(message.message_type)),
            *(() if narrow else (escape(safe_text(message.created_by)),)),
            message.notification.channel,
            f"[bold red]{escape(safe_text(status))}[/]" if message.status == "failed" else escape(safe_text(status)),
        )
    return table


def message_text(answer: MessageAnswer) -> str:
    """Every field, then its history."""
    facts: dict[str, Any] = answer.model_dump(exclude={"history"})
    lines = fact_lines(facts)
    steps = [
        f"{step.at}  {step.status:<10}  {step.by or '–'}{f'  {step.note}' if step.note else ''}"
        for step in answer.history
    ]
    return "\n".join(map(safe_text, [*lines, "", *steps]))
