"""Jobs as people read them. Pure."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.jobs import CountsAnswer, WholeJobAnswer
from sightline.cli.queues import age_text
from sightline.jobs import JobRecord, RetryReport

# Errors quote what strangers sent, and a terminal obeys what it is sent.
_CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def counts_table(counts: CountsAnswer) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("job type")
    for column in ("queued", "processing", "done", "failed", "oldest"):
        table.add_column(column, justify="right")
    for row in counts.job_types:
        table.add_row(
            row.job_type,
            str(row.queued),
            str(row.processing),
            str(row.done),
            f"[bold red]{row.failed}[/]" if row.failed else "0",
            "" if row.oldest_age_s is None else age_text(row.oldest_age_s),
        )
    return table


def jobs_table(jobs: Iterable[JobRecord], *, now: datetime) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("id", no_wrap=True)
    for column in ("type", "status", "video", "age", "retries", "state of it"):
        table.add_column(column, overflow="fold")
    for job in jobs:
        table.add_row(
            str(job.id),
            job.job_type,
            f"[bold red]{job.status}[/]" if job.status == "failed" else job.status,
            "–" if job.video_id is None else str(job.video_id),
            age_text((now - job.created_at).total_seconds()),
            str(job.retry_count),
            escape(harmless(state_of(job, now=now))),
        )
    return table


def state_of(job: JobRecord, *, now: datetime) -> str:
    """What matters most about a job in its state, in one line."""
    parts: list[str] = []
    if job.status == "processing":
        parts.append(f"{job.progress:.0%}")
        if job.progress_message:
            parts.append(job.progress_message)
    if job.status == "queued" and job.run_after is not None and job.run_after > now:
        parts.append(f"in {age_text((job.run_after - now).total_seconds())}")
    if job.status in ("queued", "failed") and job.error is not None:
        parts.append(": ".join(str(job.error[name]) for name in ("type", "message") if job.error.get(name)))
    return ", ".join(parts).replace("\n", " ")


def whole_text(answer: WholeJobAnswer) -> str:
    facts: dict[str, Any] = answer.model_dump(exclude={"history", "payload", "result", "error_details"})
    width = max(map(len, facts))
    lines = [f"{name.replace('_', ' '):<{width}}  {'–' if value is None else value}" for name, value in facts.items()]
    lines += ["", "history"]
    for move in answer.history:
        by = f"  {move.by}" if move.by else ""
        note = f"  {move.note}" if move.note else ""
        lines.append(f"  {move.at}  {move.status:<10}{by}{note}".rstrip())
    for name, value in (("error", answer.error_details), ("result", answer.result), ("payload", answer.payload)):
        if value is not None:
            text = json.dumps(value, indent=2, ensure_ascii=False)
            lines += ["", name, *(f"  {line}" for line in text.splitlines())]
    return harmless("\n".join(lines))


def retry_lines(report: RetryReport) -> list[str]:
    count = len(report.retried)
    verb = "would be queued again" if report.is_dry_run else "queued again"
    lines = [f"{count} {'job' if count == 1 else 'jobs'} {verb}"]
    types = [job.job_type for job in report.retried]
    lines += [f"  {name}: {types.count(name)}" for name in sorted(set(types))]
    lines += [f"left: {one.id}: {one.reason}" for one in report.skipped]
    if report.has_more:
        lines.append("more are failed than --limit allows")
    return lines + [f"not found: {one}" for one in report.not_found]


def harmless(text: str) -> str:
    return text.translate(_CONTROLS)
