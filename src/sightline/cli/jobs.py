"""Jobs: how many there are, which, what became of one, and giving failed ones another chance."""

import asyncio
import getpass
import json
import os
import socket
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from sightline.api.answers.jobs import CountsAnswer, JobSummaryAnswer, RetryAnswer, WholeJobAnswer
from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir, as_id
from sightline.cli.output.jobs import counts_table, jobs_table, retry_lines, whole_text
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

LIST_AT_MOST = 50
RETRY_AT_MOST = 10_000

JobType = Annotated[str | None, typer.Option("--type", help="Only of this type.")]
JobId = Annotated[str, typer.Argument(help="The job's id.")]

commands = typer.Typer(
    help="Show how many jobs wait, run, are done and failed; look at them, retry or cancel them.",
    invoke_without_command=True,
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="jobs")


@commands.callback()
def counts_command(
    context: typer.Context,
    state_dir: StateDir = None,
    as_json: AsJson = False,
    is_watching: Annotated[bool, typer.Option("--watch", help="Look again until Ctrl-C.")] = False,
) -> None:
    """Show how many jobs wait, run, are done and failed; look at them, retry or cancel them."""
    if (inner := context.invoked_subcommand) is not None:
        # Unheard, it would work on another platform than the one that was named.
        if state_dir is not None or as_json or is_watching:
            raise InvalidInput(f"options stand behind the command: sightline jobs {inner} …")
    elif is_watching:
        _watch(state_dir, as_json=as_json)
    else:
        found = with_platform(state_dir, look)
        if as_json:
            typer.echo(found.model_dump_json())
        else:
            Console().print(counts_table(found))


async def look(platform: Platform) -> CountsAnswer:
    async with platform.database.transaction() as tx:
        return CountsAnswer.of(await count_jobs(tx))


def _watch(state_dir: Path | None, *, as_json: bool) -> None:
    """For machines a line of JSON each time, for people one table that changes."""

    async def print_lines(platform: Platform) -> None:
        while True:
            typer.echo((await look(platform)).model_dump_json())
            await asyncio.sleep(WATCH_EVERY_S)

    async def redraw(platform: Platform) -> None:
        with Live(counts_table(await look(platform)), auto_refresh=False) as live:
            while True:
                await asyncio.sleep(WATCH_EVERY_S)
                live.update(counts_table(await look(platform)), refresh=True)

    try:
        with_platform(state_dir, print_lines if as_json else redraw)
    except KeyboardInterrupt:
        return  # the way it is meant to end


@commands.command("list")
def list_command(
    job_type: JobType = None,
    status: Annotated[str | None, typer.Option(help=f"Only in this state: {', '.join(JOB_STATUSES)}.")] = None,
    video: Annotated[str | None, typer.Option(help="Only of this video.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at the most.")] = LIST_AT_MOST,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """List jobs, newest first."""
    wanted_type = None if job_type is None else check_job_type(job_type)
    wanted_status = None if status is None else as_status(status)
    video_id = None if video is None else as_id(video, "video")

    async def work(platform: Platform) -> list[JobRecord]:
        async with platform.database.transaction() as tx:
            # One more than is shown tells whether there are more.
            return await list_jobs(tx, job_type=wanted_type, status=wanted_status, video_id=video_id, limit=limit + 1)

    found = with_platform(state_dir, work)
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        answers = [JobSummaryAnswer.of(job).model_dump(mode="json") for job in found]
        typer.echo(json.dumps({"jobs": answers, "has_more": has_more}))
    elif not found:
        typer.echo("no jobs" if job_type is None and status is None and video is None else "no jobs are meant by this")
    else:
        Console().print(jobs_table(found, now=utc_now()))
        if has_more:
            typer.echo(f"… and more; these are the newest {len(found)} (--limit)")


@commands.command("show")
def show_command(job_id: JobId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Print one job whole: its state, history, error, result and payload."""
    wanted = as_id(job_id, "job")

    async def work(platform: Platform) -> JobRecord:
        async with platform.database.transaction() as tx:
            return await need_job(tx, wanted)

    answer = WholeJobAnswer.of(with_platform(state_dir, work))
    typer.echo(answer.model_dump_json() if as_json else whole_text(answer))


@commands.command("retry")
def retry_command(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of failed jobs.")] = None,
    is_all: Annotated[bool, typer.Option("--all", help="All failed jobs.")] = False,
    job_type: Annotated[str | None, typer.Option("--type", help="With --all: only of this type.")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=RETRY_AT_MOST, help="With --all: how many at the most.")
    ] = RETRY_AT_MOST,
    is_dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Queue failed jobs again, with a fresh counter and their original payload; their history stays."""
    if bool(ids) == is_all:
        raise InvalidInput("say which jobs by one of: their ids, --all (with --type to narrow it)")
    if job_type is not None and not is_all:
        raise InvalidInput("--type narrows --all; with ids it has no meaning")
    wanted = [as_id(one, "job") for one in ids or ()]
    wanted_type = None if job_type is None else check_job_type(job_type)

    async def work(platform: Platform) -> RetryReport:
        async with platform.database.transaction() as tx:
            await set_actor(tx, operator_name())
            if wanted:
                return await retry_jobs_by_id(tx, wanted, is_dry_run=is_dry_run)
            return await retry_failed_jobs(tx, job_type=wanted_type, limit=limit, is_dry_run=is_dry_run)

    report = with_platform(state_dir, work)
    if as_json:
        typer.echo(RetryAnswer.of(report).model_dump_json())
    else:
        for line in retry_lines(report):
            typer.echo(line)
    # A job whose work another one is about to do anyway is no failure of the command.
    if report.not_found or any(one.status != "failed" for one in report.skipped):
        raise typer.Exit(1)


@commands.command("cancel")
def cancel_command(job_id: JobId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Take a queued job out of the queue: it is failed, and can be retried."""
    wanted = as_id(job_id, "job")

    async def work(platform: Platform) -> JobRecord:
        from sightline.roles import failed_job_handler  # imports what all jobs work with

        async with platform.database.transaction() as tx:
            return await cancel_queued_job(tx, wanted, by=operator_name(), on_failed=failed_job_handler(platform))

    found = with_platform(state_dir, work)
    typer.echo(WholeJobAnswer.of(found).model_dump_json() if as_json else f"{found.job_type} job {found.id} cancelled")


def as_status(text: str) -> JobStatus:
    for status in JOB_STATUSES:
        if status == text:
            return status
    raise InvalidInput(f"there is no state {text!r}; there are {', '.join(JOB_STATUSES)}")


def operator_name() -> str:
    """Who sits at the terminal, as the history will say."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        name = f"uid {os.getuid()}"
    return f"operator {name}@{socket.gethostname()}"
