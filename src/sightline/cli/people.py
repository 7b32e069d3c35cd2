"""People: export and erasure of everything that is stored about one of them."""

import asyncio
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated

import typer

from sightline.bootstrap import Platform
from sightline.cli.actor import record_command
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.tables import new_table, print_table
from sightline.errors import InvalidInput
from sightline.job_types import person_parts
from sightline.personal_data import Erasure, KnownPerson, PersonExport, count_rows, find_person

NOTICES = (
    "Backups that were made before still hold the data: make a new one with `sightline backup` and remove the old ones.",
    "A token of this person that is still valid can store new data: have the identity provider end it.",
    "Messages in transit, and feed messages and records of others that name the person, end with their retention.",
)
DYNAMODB_NOTICE = "Messages in DynamoDB are not removed here; each ends with its TTL."

commands = typer.Typer(help="Export or erase everything that is stored about a person.", no_args_is_help=True)

Subject = Annotated[
    str, typer.Argument(help="Subject at the identity provider, id, or email address of the newest token.")
]
Issuer = Annotated[str | None, typer.Option(help="The issuer, where several have the same subject.")]


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="people")


@dataclass(frozen=True, slots=True)
class _Result:
    person: KnownPerson
    counts: dict[str, int]
    has_dynamodb: bool = False


@commands.command("export")
def export_command(
    subject: Subject,
    to: Annotated[Path, typer.Option("--to", help="The ZIP file to write; it must not exist.")],
    with_files: Annotated[
        bool, typer.Option("--with-files", help="Also videos, clips, recordings and pictures.")
    ] = False,
    issuer: Issuer = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Write everything that is stored about a person into a ZIP of JSON files, without secrets."""
    if to.exists():
        raise InvalidInput(f"{to} exists; name a file that does not")

    async def work(platform: Platform) -> _Result:
        async with platform.database.transaction() as tx:
            person = await find_person(tx, subject, issuer=issuer)
        export = PersonExport(platform.database, platform.objects, platform.open_messages.store)
        unfinished = to.with_name(f".{to.name}.unfinished")
        try:
            with _private_file(unfinished) as file:
                async for chunk in export.stream(person, with_files=with_files):
                    await asyncio.to_thread(file.write, chunk)
            unfinished.rename(to)
        finally:
            unfinished.unlink(missing_ok=True)
        await record_command(platform, "person.exported", f"person {person.id}", with_files=with_files)
        return _Result(person, export.counts)

    result = with_platform(state_dir, work)
    if as_json:
        typer.echo(json.dumps({"person": str(result.person.id), "file": str(to), "rows": result.counts}))
    else:
        typer.echo(f"{to}: {sum(result.counts.values())} rows of {_used(result.counts)} tables")


@commands.command("erase")
def erase_command(
    subject: Subject,
    yes: Annotated[bool, typer.Option("--yes", help="Erase. Without it nothing is changed.")] = False,
    issuer: Issuer = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Remove everything that is stored about a person, and the person's name from what others keep.

    Without --yes, print what is there. Repeat it if it was interrupted: it goes on where it ended.
    """

    async def work(platform: Platform) -> _Result:
        has_dynamodb = platform.settings.messages.backend == "dynamodb"
        async with platform.database.transaction() as tx:
            person = await find_person(tx, subject, issuer=issuer)
            if not yes:
                return _Result(person, await count_rows(tx, person), has_dynamodb)
        erasure = Erasure(person_parts(platform), person)
        report = await erasure.run()
        await record_command(platform, "person.erased", f"person {erasure.pseudonym}")
        return _Result(person, report.counts, has_dynamodb)

    result = with_platform(state_dir, work)
    if as_json:
        typer.echo(json.dumps({"person": str(result.person.id), "dry_run": not yes, "rows": result.counts}))
        return
    table = new_table("what", "erased" if yes else "rows", right=("erased", "rows"))
    for name, count in result.counts.items():
        if count:
            table.add_row(name.replace("_", " "), str(count))
    print_table(table)
    if not yes:
        typer.echo(
            "Nothing was changed. Videos, cameras and events that the person shares with a team are among these."
        )
        typer.echo("Erase all of it with --yes; it cannot be undone.")
    for notice in (*NOTICES, DYNAMODB_NOTICE) if result.has_dynamodb else NOTICES:
        typer.echo(notice, err=True)


def _private_file(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _used(counts: dict[str, int]) -> int:
    return sum(count > 0 for count in counts.values())
