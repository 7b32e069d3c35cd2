"""The audit log: exporting entries as JSON lines, and verifying the chain of hashes."""

import json
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from sightline.access import AuditEntry, ChainCheck, entries_after
from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.errors import InvalidInput, NotFound

PAGE = 1000

commands = typer.Typer(help="Export the audit log, or verify that nobody changed it.", no_args_is_help=True)

Time = Annotated[str | None, typer.Option(help="ISO 8601 with a zone, such as 2026-01-17T10:00:00Z.")]


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="audit")


@commands.command("export")
def export_command(
    since: Time = None,
    until: Time = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write; default: print.")] = None,
    state_dir: StateDir = None,
) -> None:
    """Print entries as JSON, one per line, oldest first. `sightline audit verify FILE` checks such a file."""
    first, end = as_time(since), as_time(until)
    target = sys.stdout if output is None else output.open("w", encoding="utf-8")

    async def work(platform: Platform) -> int:
        count = after = 0
        async with platform.database.transaction() as tx:
            while found := await entries_after(tx, after, since=first, until=end, limit=PAGE):
                target.writelines(json.dumps(entry.to_json(), ensure_ascii=False) + "\n" for entry in found)
                count, after = count + len(found), found[-1].number
        return count

    try:
        count = with_platform(state_dir, work)
    finally:
        if output is not None:
            target.close()
    typer.echo(f"{count} entries exported", err=True)


@commands.command("verify")
def verify_command(
    file: Annotated[Path | None, typer.Argument(help="An exported file; default: the database.")] = None,
    head: Annotated[
        str | None,
        typer.Option(help="NUMBER:HASH of an entry that was noted earlier, to notice when the end was cut off."),
    ] = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Compute every hash again. Exit code 1 names the first entry that was changed, replaced or removed."""
    noted = None if head is None else as_head(head)
    if file is None:

        async def work(platform: Platform) -> ChainCheck:
            return await platform.audit.verify(head=noted)

        check = with_platform(state_dir, work)
    else:
        check = ChainCheck(noted)
        check.add(read_file(file))
        check.finish(is_whole=False)  # an export may begin anywhere
    if as_json:
        typer.echo(json.dumps(as_report(check)))
    elif check.problem is not None:
        typer.secho(f"sightline: the audit log is not intact: {check.problem}", err=True)
    elif check.last is None:
        typer.echo("The audit log is empty")
    else:
        typer.echo(f"{check.count} entries are intact, up to {check.last.number}:{check.last.hash.hex()}")
    if check.problem is not None:
        raise typer.Exit(1)


def as_report(check: ChainCheck) -> dict[str, object]:
    head = None if check.last is None else f"{check.last.number}:{check.last.hash.hex()}"
    return {"is_intact": check.problem is None, "problem": check.problem, "entries": check.count, "head": head}


def read_file(path: Path) -> Iterator[AuditEntry]:
    if not path.is_file():
        raise NotFound(f"no file {path}")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield AuditEntry.from_json(json.loads(line))
            except (KeyError, TypeError, ValueError) as error:
                raise InvalidInput(f"{path}: line {number} is not an entry of the audit log") from error


def as_head(text: str) -> tuple[int, str]:
    number, _, found = text.partition(":")
    if not number.isdecimal() or len(found) != 64:
        raise InvalidInput("--head is NUMBER:HASH, as `sightline audit verify` prints it")
    return int(number), found.lower()


def as_time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{text!r} is not a time such as 2026-01-17T10:00:00Z") from None
    if moment.tzinfo is None:
        raise InvalidInput(f"{text!r} has no zone; write 2026-01-17T10:00:00Z")
    return moment
