"""Mails as text and tables. Pure."""

from collections.abc import Iterable
from typing import Any

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.mails import MailAnswer
from sightline.cli.output.tables import fact_lines, new_table, time_text
from sightline.notifications import Mail
from sightline.observability import escape_controls

KEPT = "kept here: no mail server set"

# Characters that reverse the direction of text; like control characters, they could disguise what is shown.
_DIRECTIONS = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def mails_table(mails: Iterable[Mail], *, narrow: bool = False) -> Table:
    table = new_table("id", "time", "to", "subject", "status", *(() if narrow else ("channel",)))
    for mail in mails:
        status = (
            f"{mail.status}: {mail.last_error}" if mail.last_error else KEPT if mail.status == "kept" else mail.status
        )
        table.add_row(
            str(mail.id),
            time_text(mail.sent_at or mail.created_at, narrow=narrow),
            escape(safe_text(mail.recipient or "–")),
            escape(safe_text(mail.subject)),
            f"[bold red]{escape(safe_text(status))}[/]" if mail.status == "failed" else escape(safe_text(status)),
            *(() if narrow else (mail.channel or "–",)),
        )
    return table


def mail_text(answer: MailAnswer, *, is_html: bool) -> str:
    """Head and body; the body is the text, or the HTML's source."""
    facts: dict[str, Any] = answer.model_dump(exclude={"text", "html"})
    if answer.status == "kept":
        facts["status"] = KEPT
    lines = fact_lines(facts)
    return "\n".join([*map(safe_text, lines), "", safe_text(answer.html if is_html else answer.text)])


def safe_text(text: str) -> str:
    """The text without anything that a terminal would execute."""
    return escape_controls(text).translate(_DIRECTIONS)
