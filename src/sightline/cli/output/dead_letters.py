"""Dead letters as text and tables. Pure."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.queues import DeadLetterAnswer, WholeDeadLetterAnswer
from sightline.bus import MAX_REDRIVES, DeadLetterReport, Received, dead_since
from sightline.cli.output.durations import duration_text
from sightline.cli.output.tables import fact_lines, new_table
from sightline.observability import escape_controls

UNKNOWN = "unknown"
_MAY_BE_UNKNOWN = ("receive_count", "sent_at", "first_received_at", "dead_since")


def dead_letters_table(letters: Iterable[Received], *, now: datetime, narrow: bool = False) -> Table:
    counts = () if narrow else ("received", "redriven")
    table = new_table("id", "died in", "dead for", *counts, "type", "reason")
    for letter in letters:
        answer = DeadLetterAnswer.of(letter)
        table.add_row(
            letter.message_id,
            letter.source_queue or "–",
            UNKNOWN if (since := dead_since(letter)) is None else duration_text((now - since).total_seconds()),
            *(() if narrow else (_count(letter.receive_count), str(letter.redrives))),
            escape(escape_controls(answer.type or "")),
            escape(escape_controls(answer.reason or "")),
        )
    return table


def _count(number: int | None) -> str:
    return UNKNOWN if number is None else str(number)


def dead_letter_text(answer: WholeDeadLetterAnswer) -> str:
    facts: dict[str, Any] = answer.model_dump(exclude={"body", "attributes", "context"}) | answer.context
    # Where the backend does not say, a dash could be read as "never".
    facts |= {name: UNKNOWN for name in _MAY_BE_UNKNOWN if facts[name] is None}
    lines = fact_lines(facts)
    lines += ["", "attributes"]
    lines += [f"  {name}: {one['Value']} ({one['Type']})" for name, one in answer.attributes.items()] or ["  none"]
    try:
        body = json.dumps(json.loads(answer.body), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        body = answer.body
    return escape_controls("\n".join([*lines, "", "body", *(f"  {line}" for line in body.splitlines())]))


def report_lines(report: DeadLetterReport, done: str) -> list[str]:
    verb = f"would be {done}" if report.is_dry_run else done
    count = len(report.ids) if report.is_dry_run else report.moved
    lines = [f"{count} of {report.matched} dead letters {verb}"]
    lines += [f"  {source}: {number}" for source, number in report.by_source.items()]
    if report.skipped:
        lines.append(f"{report.skipped} left: redriven {MAX_REDRIVES} times already (--force includes them)")
    if report.without_source:
        lines.append(f"{report.without_source} left: added by hand, with no queue to return to")
    if report.has_more:
        lines.append("More match than --limit allows")
    return lines + [f"Not found: {one}" for one in report.not_found]
