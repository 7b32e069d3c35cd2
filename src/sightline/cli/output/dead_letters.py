"""Dead letters as people read them. Pure."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.queues import DeadLetterAnswer, WholeDeadLetterAnswer
from sightline.bus import Received
from sightline.bus.dead_letter_filter import dead_since
from sightline.bus.dead_letters import MOST_REDRIVES, Report
from sightline.cli.queues import age_text

# Messages come from strangers, and a terminal obeys what it is sent.
_CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def table_of(letters: Iterable[Received], *, now: datetime) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("id", no_wrap=True)
    for column in ("died in", "dead for", "received", "redriven", "type", "reason"):
        table.add_column(column, overflow="fold")
    for letter in letters:
        answer = DeadLetterAnswer.of(letter)
        table.add_row(
            letter.message_id,
            letter.source_queue or "–",
            age_text((now - dead_since(letter)).total_seconds()),
            str(letter.receive_count),
            str(letter.redrives),
            escape(_harmless(answer.type or "")),
            escape(_harmless(answer.reason or "")),
        )
    return table


def whole_text(answer: WholeDeadLetterAnswer) -> str:
    facts: dict[str, Any] = answer.model_dump(exclude={"body", "attributes", "context"}) | answer.context
    width = max(map(len, facts))
    lines = [f"{name.replace('_', ' '):<{width}}  {'–' if value is None else value}" for name, value in facts.items()]
    lines += ["", "attributes"]
    lines += [f"  {name}: {one['Value']} ({one['Type']})" for name, one in answer.attributes.items()] or ["  none"]
    try:
        body = json.dumps(json.loads(answer.body), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        body = answer.body
    return _harmless("\n".join([*lines, "", "body", *(f"  {line}" for line in body.splitlines())]))


def report_lines(report: Report, done: str) -> list[str]:
    verb = f"would be {done}" if report.is_dry_run else done
    count = len(report.ids) if report.is_dry_run else report.moved
    lines = [f"{count} of {report.matched} dead letters {verb}"]
    lines += [f"  {source}: {number}" for source, number in report.by_source.items()]
    if report.skipped:
        lines.append(f"{report.skipped} left: redriven {MOST_REDRIVES} times already (--force takes them too)")
    if report.without_source:
        lines.append(f"{report.without_source} left: put there by hand, with no queue to return to")
    if report.has_more:
        lines.append("more are meant than --limit allows")
    return lines + [f"not found: {one}" for one in report.not_found]


def _harmless(text: str) -> str:
    return text.translate(_CONTROLS)
