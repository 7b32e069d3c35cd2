"""Mails as people read them on a terminal. Pure."""

from collections.abc import Iterable
from typing import Any

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.mails import MailAnswer
from sightline.cli.output.jobs import harmless
from sightline.notifications import Mail
from sightline.timing import iso_utc

# Besides control characters: what turns the direction of text around, on a terminal that obeys it.
_DIRECTIONS = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def mails_table(mails: Iterable[Mail]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("id", "time"):
        table.add_column(column, no_wrap=True)
    for column in ("to", "subject", "status", "channel"):
        table.add_column(column, overflow="fold")
    for mail in mails:
        status = f"{mail.status}: {mail.last_error}" if mail.last_error else mail.status
        table.add_row(
            str(mail.id),
            iso_utc(mail.sent_at or mail.created_at),
            escape(shown(mail.recipient or "–")),
            escape(shown(mail.subject)),
            f"[bold red]{escape(shown(status))}[/]" if mail.status == "failed" else escape(shown(status)),
            mail.channel or "–",
        )
    return table


def whole_text(answer: MailAnswer, *, is_html: bool) -> str:
    """Head and body; the body is the text, or the HTML's source."""
    facts: dict[str, Any] = answer.model_dump(exclude={"text", "html"})
    width = max(map(len, facts))
    lines = [f"{name.replace('_', ' '):<{width}}  {'–' if value is None else value}" for name, value in facts.items()]
    return "\n".join([*map(shown, lines), "", shown(answer.html if is_html else answer.text)])


def shown(text: str) -> str:
    return harmless(text).translate(_DIRECTIONS)
