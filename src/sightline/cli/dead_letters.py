"""Dead letters: looking at them, giving them another chance, discarding them."""

import json
import re
import sys
from dataclasses import replace
from datetime import timedelta
from typing import Annotated

import typer
from rich.console import Console

from sightline.api.answers.queues import DeadLetterAnswer, ReportAnswer, WholeDeadLetterAnswer
from sightline.bootstrap import Platform
from sightline.bus import Received
from sightline.bus.dead_letter_filter import DeadLetterFilter, as_attributes, as_ids
from sightline.bus.dead_letters import (
    MOST_PER_SECOND,
    MOST_REDRIVES,
    Report,
    discard,
    find,
    known_queue,
    redrive,
    select_some,
)
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.dead_letters import report_lines, table_of, whole_text
from sightline.errors import InvalidInput
from sightline.timing import utc_now

LIST_AT_MOST = 50
_AGE = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")

QueueName = Annotated[str, typer.Argument(help="The queue, or its dead-letter queue.")]
Ids = Annotated[list[str] | None, typer.Argument(help="Ids of letters.")]
Reason = Annotated[str | None, typer.Option(help="Part of the reason they died of.")]
Type = Annotated[str | None, typer.Option("--type", help="Their type: event_type, message_type or detail-type.")]
Attributes = Annotated[list[str] | None, typer.Option("--attribute", help="A message attribute, as name=value.")]
OlderThan = Annotated[str | None, typer.Option(help="Dead for at least so long, as 90s, 2h, 1d12h.")]
Contains = Annotated[str | None, typer.Option(help="Part of their body.")]
All = Annotated[bool, typer.Option("--all", help="All dead letters of the queue.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
Limit = Annotated[int | None, typer.Option(min=1, help="How many at the most.")]
Rate = Annotated[float, typer.Option(min=0.01, max=MOST_PER_SECOND, help="Letters a second at the most.")]

commands = typer.Typer(help="Look at dead letters, redrive or discard them.", no_args_is_help=True)


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
    limit: Annotated[int, typer.Option(min=1, help="How many at the most.")] = LIST_AT_MOST,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """List dead letters, oldest first, without touching them."""
    wanted = filter_of(reason, event_type, attribute, older_than, contains)

    async def look(platform: Platform) -> tuple[list[Received], bool]:
        topology = platform.bus.topology
        every = [one.name for one in topology.all_queues if one.is_dead_letter]
        found: list[Received] = []
        for name in every if queue is None else [known_queue(topology, queue)]:
            # One more than is shown tells whether there are more.
            found += (await select_some(platform.bus, name, wanted, most=limit + 1 - len(found)))[0]
            if len(found) > limit:
                break
        return found[:limit], len(found) > limit

    found, has_more = with_platform(state_dir, look)
    if as_json:
        answers = [DeadLetterAnswer.of(letter).model_dump() for letter in found]
        typer.echo(json.dumps({"dead_letters": answers, "has_more": has_more}))
    elif not found:
        typer.echo("no dead letters" if wanted == DeadLetterFilter() else "no dead letters are meant by this")
    else:
        Console().print(table_of(found, now=utc_now()))
        if has_more:
            typer.echo(f"… and more; these are the first {len(found)} (--limit)")


@commands.command("show")
def show_command(
    queue: QueueName,
    message_id: Annotated[str, typer.Argument(help="The letter's id.")],
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Print one dead letter whole."""
    as_ids([message_id])

    async def look(platform: Platform) -> Received:
        return await find(platform.bus, known_queue(platform.bus.topology, queue), message_id)

    answer = WholeDeadLetterAnswer.of(with_platform(state_dir, look))
    typer.echo(answer.model_dump_json() if as_json else whole_text(answer))


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
    rate: Rate = MOST_PER_SECOND,
    is_forced: Annotated[
        bool, typer.Option("--force", help=f"Also those that were redriven {MOST_REDRIVES} times already.")
    ] = False,
    is_dry_run: DryRun = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Give dead letters another chance: back to the queue they died in, received anew."""
    wanted = choice_of(ids, filter_of(reason, event_type, attribute, older_than, contains), is_all=is_all)

    async def work(platform: Platform) -> Report:
        name = known_queue(platform.bus.topology, queue)
        return await redrive(
            platform.bus,
            name,
            wanted,
            limit=limit,
            per_second=rate,
            is_forced=is_forced,
            is_dry_run=is_dry_run,
        )

    _tell(with_platform(state_dir, work), "redriven", as_json=as_json)


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
    rate: Rate = MOST_PER_SECOND,
    is_dry_run: DryRun = False,
    is_agreed: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Remove dead letters for good."""
    wanted = choice_of(ids, filter_of(reason, event_type, attribute, older_than, contains), is_all=is_all)

    async def work(platform: Platform) -> Report:
        name = known_queue(platform.bus.topology, queue)
        planned = await discard(platform.bus, name, wanted, limit=limit, per_second=rate, is_dry_run=True)
        if is_dry_run or not planned.ids:
            return planned
        if not is_agreed:
            _ask(f"Discard {len(planned.ids)} of the dead letters of {name} for good?")
        # Only what was agreed to: others may have died since.
        agreed = DeadLetterFilter(ids=frozenset(planned.ids))
        done = await discard(platform.bus, name, agreed, per_second=rate)
        return replace(done, not_found=planned.not_found, has_more=planned.has_more)

    _tell(with_platform(state_dir, work), "discarded", as_json=as_json)


def _ask(question: str) -> None:
    """On standard error, all of it: the answer of the command may be for a machine."""
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
        attributes=as_attributes(attributes or ()),
        older_than=None if older_than is None else age_of(older_than),
        contains=contains,
    )


def choice_of(ids: list[str] | None, given: DeadLetterFilter, *, is_all: bool) -> DeadLetterFilter:
    """Nothing is moved because nothing was said."""
    if [bool(ids), given != DeadLetterFilter(), is_all].count(True) != 1:
        raise InvalidInput("say which letters by one of: their ids, a filter such as --reason or --type, --all")
    return DeadLetterFilter(ids=as_ids(ids)) if ids else given


def age_of(text: str) -> timedelta:
    found = _AGE.fullmatch(text.strip())
    if not found or not any(found.groups()):
        raise InvalidInput(f"{text!r} is not an age; write it as 90s, 30m, 2h or 1d12h")
    try:
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    except (OverflowError, ValueError):
        raise InvalidInput(f"{text!r} is longer than anything can be dead") from None


def _tell(report: Report, done: str, *, as_json: bool) -> None:
    if as_json:
        typer.echo(ReportAnswer.of(report).model_dump_json())
    else:
        for line in report_lines(report, done):
            typer.echo(line)
    if report.not_found:
        raise typer.Exit(1)
