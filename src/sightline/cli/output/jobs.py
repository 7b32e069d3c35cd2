"""Jobs as text and tables. Pure."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.jobs import CountsAnswer, WholeJobAnswer
from sightline.cli.output.durations import duration_text
from sightline.cli.output.tables import fact_lines, new_table
from sightline.jobs import JobRecord, RetryReport
from sightline.observability import escape_controls


def counts_table(counts: CountsAnswer) -> Table:
    numbers = ("queued", "processing", "done", "failed", "oldest")
    table = new_table("job type", *numbers, right=numbers)
    for row in counts.job_types:
        table.add_row(
            row.job_type,
            str(row.queued),
            str(row.processing),
            str(row.done),
            f"[bold red]{row.failed}[/]" if row.failed else "0",
            "" if row.oldest_age_s is None else duration_text(row.oldest_age_s),
        )
    return table


def jobs_table(jobs: Iterable[JobRecord], *, now: datetime, narrow: bool = False) -> Table:
    video = () if narrow else ("video",)
    table = new_table("id", "type", "status", *video, "age", "retries", "details")
    for job in jobs:
        table.add_row(
            str(job.id),
            job.job_type,
            f"[bold red]{job.status}[/]" if job.status == "failed" else job.status,
            *(() if narrow else ("–" if job.video_id is None else str(job.video_id),)),
            duration_text((now - job.created_at).total_seconds()),
            str(job.retry_count),
            escape(escape_controls(job_details(job, now=now))),
        )
    return table


def job_details(job: JobRecord, *, now: datetime) -> str:
    """What matters most about a job in its state, in one line."""
    parts: list[str] = []
    if job.status == "processing":
        parts.append(f"{job.progress:.0%}")
        if job.progress_message:
            parts.append(job.progress_message)
    if job.status == "queued" and job.run_after is not None and job.run_after > now:
        parts.append(f"in {duration_text((job.run_after - now).total_seconds())}")
    if job.status in ("queued", "failed") and job.error is not None:
        parts.append(": ".join(str(job.error[name]) for name in ("type", "message") if job.error.get(name)))
    return ", ".join(parts).replace("\n", " ")


def job_text(answer: WholeJobAnswer) -> str:
    facts: dict[str, Any] = answer.model_dump(exclude={"history", "payload", "result", "error_details"})
    lines = fact_lines(facts)
    lines += ["", "history"]
    for move in answer.history:
        by = f"  {move.by}" if move.by else ""
        note = f"  {move.note}" if move.note else ""
        lines.append(f"  {move.at}  {move.status:<10}{by}{note}".rstrip())
    for name, value in (("error", answer.error_details), ("result", answer.result), ("payload", answer.payload)):
        if value is not None:
            text = json.dumps(value, indent=2, ensure_ascii=False)
            lines += ["", name, *(f"  {line}" for line in text.splitlines())]
    return escape_controls("\n".join(lines))


def retry_lines(report: RetryReport) -> list[str]:
    count = len(report.retried)
    verb = "would be queued again" if report.is_dry_run else "queued again"
    lines = [f"{count} {'job' if count == 1 else 'jobs'} {verb}"]
    types = [job.job_type for job in report.retried]
    lines += [f"  {name}: {types.count(name)}" for name in sorted(set(types))]
    lines += [f"Skipped: {one.id}: {one.reason}" for one in report.skipped]
    if report.has_more:
        lines.append("More jobs failed than --limit allows")
    return lines + [f"Not found: {one}" for one in report.not_found]
