"""Jobs: counting, listing, showing, retrying and cancelling them."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live

from sightline.api.answers.jobs import CountsAnswer, JobSummaryAnswer, RetryAnswer, WholeJobAnswer
from sightline.bootstrap import Platform
from sightline.cli.actor import operator_name, record_command
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir, as_id
from sightline.cli.output.jobs import counts_table, job_text, jobs_table, retry_lines
from sightline.cli.output.tables import is_narrow, print_table
from sightline.cli.queues import WATCH_EVERY_S
from sightline.errors import InvalidInput
from sightline.jobs import (
    JOB_STATUSES,
    JobRecord,
    JobStatus,
    RetryReport,
    cancel_queued_job,
    check_job_type,
    count_jobs,
    list_jobs,
    need_job,
    retry_failed_jobs,
    retry_jobs_by_id,
    set_actor,
)
from sightline.timing import utc_now

DEFAULT_LIMIT = 50
MAX_RETRIES_AT_ONCE = 10_000

JobType = Annotated[str | None, typer.Option("--type", help="Only of this type.")]
JobId = Annotated[str, typer.Argument(help="The job's id.")]

commands = typer.Typer(
    help="Count jobs by type and status; list, show, retry or cancel them.",
    invoke_without_command=True,
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="jobs")


@commands.callback()
def counts_command(
    context: typer.Context,
    state_dir: StateDir = None,
    as_json: AsJson = False,
    is_watching: Annotated[bool, typer.Option("--watch", help="Refresh until Ctrl-C.")] = False,
) -> None:
    """Count jobs by type and status; list, show, retry or cancel them."""
    if (inner := context.invoked_subcommand) is not None:
        # Ignored, it would work on another platform than the one that was named.
        if state_dir is not None or as_json or is_watching:
            raise InvalidInput(f"put options after the command: sightline jobs {inner} …")
    elif is_watching:
        _watch(state_dir, as_json=as_json)
    else:
        found = with_platform(state_dir, count_all)
        if as_json:
            typer.echo(found.model_dump_json())
        else:
            print_table(counts_table(found))


async def count_all(platform: Platform) -> CountsAnswer:
    async with platform.database.transaction() as tx:
        return CountsAnswer.of(await count_jobs(tx))


def _watch(state_dir: Path | None, *, as_json: bool) -> None:
    """Prints a line of JSON each time, or redraws one table."""

    async def print_lines(platform: Platform) -> None:
        while True:
            typer.echo((await count_all(platform)).model_dump_json())
            await asyncio.sleep(WATCH_EVERY_S)

    async def redraw(platform: Platform) -> None:
        with Live(counts_table(await count_all(platform)), auto_refresh=False) as live:
            while True:
                await asyncio.sleep(WATCH_EVERY_S)
                live.update(counts_table(await count_all(platform)), refresh=True)

    try:
        with_platform(state_dir, print_lines if as_json else redraw)
    except KeyboardInterrupt:
        return  # Ctrl-C is how watching ends


@commands.command("list")
def list_command(
    job_type: JobType = None,
    status: Annotated[str | None, typer.Option(help=f"Only with this status: {', '.join(JOB_STATUSES)}.")] = None,
    video: Annotated[str | None, typer.Option(help="Only of this video.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of jobs.")] = DEFAULT_LIMIT,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """List jobs, newest first."""
    checked_type = None if job_type is None else check_job_type(job_type)
    checked_status = None if status is None else as_status(status)
    video_id = None if video is None else as_id(video, "video")

    async def work(platform: Platform) -> list[JobRecord]:
        async with platform.database.transaction() as tx:
            # One more than is shown, to know whether there are more.
            return await list_jobs(tx, job_type=checked_type, status=checked_status, video_id=video_id, limit=limit + 1)

    found = with_platform(state_dir, work)
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        answers = [JobSummaryAnswer.of(job).model_dump(mode="json") for job in found]
        typer.echo(json.dumps({"jobs": answers, "has_more": has_more}))
    elif not found:
        typer.echo("No jobs" if job_type is None and status is None and video is None else "No jobs match")
    else:
        print_table(jobs_table(found, now=utc_now(), narrow=is_narrow()))
        if has_more:
            typer.echo(f"… and more; the newest {len(found)} are shown (--limit)")


@commands.command("show")
def show_command(job_id: JobId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Print one job: status, history, error, result and payload."""
    checked_id = as_id(job_id, "job")

    async def work(platform: Platform) -> JobRecord:
        async with platform.database.transaction() as tx:
            return await need_job(tx, checked_id)

    answer = WholeJobAnswer.of(with_platform(state_dir, work))
    typer.echo(answer.model_dump_json() if as_json else job_text(answer))


@commands.command("retry")
def retry_command(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of failed jobs.")] = None,
    is_all: Annotated[bool, typer.Option("--all", help="All failed jobs.")] = False,
    job_type: Annotated[str | None, typer.Option("--type", help="With --all: only of this type.")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=MAX_RETRIES_AT_ONCE, help="With --all: maximum number of jobs.")
    ] = MAX_RETRIES_AT_ONCE,
    is_dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing; print what would be done.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Queue failed jobs again, with a fresh counter and their original payload; their history stays."""
    if bool(ids) == is_all:
        raise InvalidInput("name the jobs by their ids, or use --all (with --type to narrow it)")
    if job_type is not None and not is_all:
        raise InvalidInput("--type can only be used with --all")
    checked_ids = [as_id(one, "job") for one in ids or ()]
    checked_type = None if job_type is None else check_job_type(job_type)

    async def work(platform: Platform) -> RetryReport:
        async with platform.database.transaction() as tx:
            await set_actor(tx, operator_name())
            if checked_ids:
                report = await retry_jobs_by_id(tx, checked_ids, is_dry_run=is_dry_run)
            else:
                report = await retry_failed_jobs(tx, job_type=checked_type, limit=limit, is_dry_run=is_dry_run)
        if not is_dry_run:
            await record_command(platform, "jobs.retried", ids=" ".join(map(str, checked_ids))[:500], is_all=is_all)
        return report

    report = with_platform(state_dir, work)
    if as_json:
        typer.echo(RetryAnswer.of(report).model_dump_json())
    else:
        for line in retry_lines(report):
            typer.echo(line)
    # A job that another active job replaces is not a failure of the command.
    if report.not_found or any(one.status != "failed" for one in report.skipped):
        raise typer.Exit(1)


@commands.command("cancel")
def cancel_command(job_id: JobId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Cancel a queued job: it becomes failed, and can be retried."""
    checked_id = as_id(job_id, "job")

    async def work(platform: Platform) -> JobRecord:
        from sightline.job_types import failed_job_handler  # imports what all jobs work with

        async with platform.database.transaction() as tx:
            job = await cancel_queued_job(tx, checked_id, by=operator_name(), on_failed=failed_job_handler(platform))
        await record_command(platform, "job.cancelled", f"job {job.id}")
        return job

    found = with_platform(state_dir, work)
    typer.echo(WholeJobAnswer.of(found).model_dump_json() if as_json else f"{found.job_type} job {found.id} cancelled")


def as_status(text: str) -> JobStatus:
    for status in JOB_STATUSES:
        if status == text:
            return status
    raise InvalidInput(f"unknown status {text!r}; use one of {', '.join(JOB_STATUSES)}")
