"""Dead letters: listing, showing, redriving and discarding them."""

import json
import re
import sys
from dataclasses import replace
from datetime import timedelta
from typing import Annotated

import typer

from sightline.api.answers.queues import DeadLetterAnswer, ReportAnswer, WholeDeadLetterAnswer
from sightline.bootstrap import Platform
from sightline.bus import (
    MAX_MOVES_PER_SECOND,
    MAX_REDRIVES,
    DeadLetterFilter,
    DeadLetterReport,
    Received,
    discard_letters,
    find_letter,
    list_letters,
    parse_attributes,
    parse_message_ids,
    redrive_letters,
    require_queue,
)
from sightline.cli.actor import record_command
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.dead_letters import dead_letter_text, dead_letters_table, report_lines
from sightline.cli.output.tables import is_narrow, print_table
from sightline.errors import InvalidInput
from sightline.timing import utc_now

DEFAULT_LIMIT = 50
_AGE = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")

QueueName = Annotated[str, typer.Argument(help="The queue, or its dead-letter queue.")]
Ids = Annotated[list[str] | None, typer.Argument(help="Ids of letters.")]
Reason = Annotated[str | None, typer.Option(help="Part of the reason.")]
Type = Annotated[str | None, typer.Option("--type", help="Their type: event_type, message_type or detail-type.")]
Attributes = Annotated[list[str] | None, typer.Option("--attribute", help="A message attribute, as name=value.")]
OlderThan = Annotated[str | None, typer.Option(help="Dead for at least this long: 90s, 2h, 1d12h.")]
Contains = Annotated[str | None, typer.Option(help="Part of their body.")]
All = Annotated[bool, typer.Option("--all", help="All dead letters of the queue.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Change nothing; print what would be done.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Maximum number.")]
Rate = Annotated[float, typer.Option(min=0.01, max=MAX_MOVES_PER_SECOND, help="Maximum dead letters per second.")]

commands = typer.Typer(help="List, show, redrive or discard dead letters.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="dead-letters")


@commands.command("list")
def list_command(
    queue: Annotated[str | None, typer.Argument(help="A queue or dead-letter queue; all of them if not given.")] = None,
    reason: Reason = None,
    event_type: Type = None,
    attribute: Attributes = None,
    older_than: OlderThan = None,
    contains: Contains = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number.")] = DEFAULT_LIMIT,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """List dead letters, oldest first, without touching them."""
    criteria = filter_of(reason, event_type, attribute, older_than, contains)

    async def load(platform: Platform) -> tuple[list[Received], bool]:
        topology = platform.bus.topology
        every = [one.name for one in topology.all_queues if one.is_dead_letter]
        found: list[Received] = []
        for name in every if queue is None else [require_queue(topology, queue)]:
            # One more than is shown, to know whether there are more.
            found += (await list_letters(platform.bus, name, criteria, limit=limit + 1 - len(found)))[0]
            if len(found) > limit:
                break
        return found[:limit], len(found) > limit

    found, has_more = with_platform(state_dir, load)
    if as_json:
        answers = [DeadLetterAnswer.of(letter).model_dump() for letter in found]
        typer.echo(json.dumps({"dead_letters": answers, "has_more": has_more}))
    elif not found:
        typer.echo("No dead letters" if criteria == DeadLetterFilter() else "No dead letters match")
    else:
        print_table(dead_letters_table(found, now=utc_now(), narrow=is_narrow()))
        if has_more:
            typer.echo(f"… and more; the first {len(found)} are shown (--limit)")


@commands.command("show")
def show_command(
    queue: QueueName,
    message_id: Annotated[str, typer.Argument(help="The letter's id.")],
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Print one dead letter with its attributes and body."""
    parse_message_ids([message_id])

    async def load(platform: Platform) -> Received:
        return await find_letter(platform.bus, require_queue(platform.bus.topology, queue), message_id)

    answer = WholeDeadLetterAnswer.of(with_platform(state_dir, load))
    typer.echo(answer.model_dump_json() if as_json else dead_letter_text(answer))


@commands.command("redrive")
def redrive_command(
    queue: QueueName,
    ids: Ids = None,
    is_all: All = False,
    reason: Reason = None,
    event_type: Type = None,
    attribute: Attributes = None,
    older_than: OlderThan = None,
    contains: Contains = None,
    limit: Limit = None,
    rate: Rate = MAX_MOVES_PER_SECOND,
    is_forced: Annotated[
        bool, typer.Option("--force", help=f"Include those that were redriven {MAX_REDRIVES} times already.")
    ] = False,
    is_dry_run: DryRun = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Move dead letters back to the queue they came from."""
    criteria = choice_of(ids, filter_of(reason, event_type, attribute, older_than, contains), is_all=is_all)

    async def work(platform: Platform) -> DeadLetterReport:
        name = require_queue(platform.bus.topology, queue)
        report = await redrive_letters(
            platform.bus,
            name,
            criteria,
            limit=limit,
            per_second=rate,
            is_forced=is_forced,
            is_dry_run=is_dry_run,
        )
        if not is_dry_run:
            await record_command(platform, "dead_letters.redriven", f"queue {name}", count=report.moved)
        return report

    _print_report(with_platform(state_dir, work), "redriven", as_json=as_json)


@commands.command("discard")
def discard_command(
    queue: QueueName,
    ids: Ids = None,
    is_all: All = False,
    reason: Reason = None,
    event_type: Type = None,
    attribute: Attributes = None,
    older_than: OlderThan = None,
    contains: Contains = None,
    limit: Limit = None,
    rate: Rate = MAX_MOVES_PER_SECOND,
    is_dry_run: DryRun = False,
    is_agreed: Annotated[bool, typer.Option("--yes", help="Skip the confirmation.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Remove dead letters for good."""
    criteria = choice_of(ids, filter_of(reason, event_type, attribute, older_than, contains), is_all=is_all)

    async def work(platform: Platform) -> DeadLetterReport:
        name = require_queue(platform.bus.topology, queue)
        planned = await discard_letters(platform.bus, name, criteria, limit=limit, per_second=rate, is_dry_run=True)
        if is_dry_run or not planned.ids:
            return planned
        if not is_agreed:
            _confirm(f"Discard {len(planned.ids)} of the dead letters of {name} for good?")
        # Only the confirmed ones: others may have been added since.
        agreed = DeadLetterFilter(ids=frozenset(planned.ids))
        done = await discard_letters(platform.bus, name, agreed, per_second=rate)
        await record_command(platform, "dead_letters.discarded", f"queue {name}", count=done.moved)
        return replace(done, not_found=planned.not_found, has_more=planned.has_more)

    _print_report(with_platform(state_dir, work), "discarded", as_json=as_json)


def _confirm(question: str) -> None:
    """Prompts on standard error, because standard output may be JSON."""
    typer.echo(f"{question} [y/N] ", err=True, nl=False)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        typer.echo("Nothing was discarded.", err=True)
        raise typer.Exit(1)


def filter_of(
    reason: str | None,
    event_type: str | None,
    attributes: list[str] | None,
    older_than: str | None,
    contains: str | None,
) -> DeadLetterFilter:
    return DeadLetterFilter(
        reason=reason,
        event_type=event_type,
        attributes=parse_attributes(attributes or ()),
        older_than=None if older_than is None else age_of(older_than),
        contains=contains,
    )


def choice_of(ids: list[str] | None, given: DeadLetterFilter, *, is_all: bool) -> DeadLetterFilter:
    """Exactly one way to choose is required, so that nothing is moved by accident."""
    if [bool(ids), given != DeadLetterFilter(), is_all].count(True) != 1:
        raise InvalidInput("choose dead letters by their ids, by a filter such as --reason or --type, or with --all")
    return DeadLetterFilter(ids=parse_message_ids(ids)) if ids else given


def age_of(text: str) -> timedelta:
    found = _AGE.fullmatch(text.strip())
    if not found or not any(found.groups()):
        raise InvalidInput(f"{text!r} is not an age; write it as 90s, 30m, 2h or 1d12h")
    try:
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    except (OverflowError, ValueError):
        raise InvalidInput(f"{text!r} is too long for an age") from None


def _print_report(report: DeadLetterReport, done: str, *, as_json: bool) -> None:
    if as_json:
        typer.echo(ReportAnswer.of(report).model_dump_json())
    else:
        for line in report_lines(report, done):
            typer.echo(line)
    if report.not_found:
        raise typer.Exit(1)
