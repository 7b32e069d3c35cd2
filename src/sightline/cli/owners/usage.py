"""Usage: what every owner stores and used in a month, or one owner by day."""

import json
from typing import Annotated

import typer

from sightline.api.usage import OwnerAnswer, UsageAnswer, all_owners, owner_lines, usage_of_owner_in
from sightline.bootstrap import Platform
from sightline.byte_sizes import bytes_text
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.tables import new_table, print_table
from sightline.errors import InvalidInput
from sightline.observability import escape_controls
from sightline.personal_data import find_person
from sightline.timing import utc_now
from sightline.usage import OWNER_SORTS, Month


def register(app: typer.Typer) -> None:
    app.command()(usage)


def usage(
    owner: Annotated[
        str | None, typer.Argument(help="Subject, id or email address of one owner; default: all of them.")
    ] = None,
    month: Annotated[str | None, typer.Option(help="As 2026-01, in UTC; default: this month.")] = None,
    sort: Annotated[str, typer.Option(help=f"The most first: {', '.join(OWNER_SORTS)}.")] = "stored_bytes",
    as_csv: Annotated[bool, typer.Option("--csv", help="Output CSV, with every figure of every owner.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Show what every owner stores and used in a month; with OWNER, what one used by day and how much of each quota."""
    period = Month.of(utc_now()) if month is None else Month.parse(month)
    by = next((one for one in OWNER_SORTS if one == sort), None)
    if by is None:
        raise InvalidInput(f"--sort is one of {', '.join(OWNER_SORTS)}")
    if owner is not None:
        if as_csv:
            raise InvalidInput("--csv is for all owners; leave out the owner")
        _show_one(with_platform(state_dir, lambda platform: _one(platform, owner, period)), as_json=as_json)
        return

    async def lines(platform: Platform) -> list[str]:
        return [line async for line in owner_lines(platform, period, by)]

    async def figures(platform: Platform) -> list[OwnerAnswer]:
        return [one async for one in all_owners(platform, period, by)]

    if as_csv:
        typer.echo("".join(with_platform(state_dir, lines)), nl=False)
        return
    found = with_platform(state_dir, figures)
    if as_json:
        typer.echo(json.dumps({"month": str(period), "owners": [one.model_dump(mode="json") for one in found]}))
        return
    right = ("videos", "stored", "uploads", "minutes", "job hours", "requests")
    table = new_table("owner", *right, right=right)
    for one in found:
        table.add_row(
            escape_controls(one.name or str(one.owner_id)),
            str(one.videos),
            bytes_text(one.stored_bytes),
            str(one.uploads),
            f"{one.processed_seconds / 60:.1f}",
            f"{one.job_seconds / 3600:.1f}",
            str(one.api_requests),
        )
    print_table(table)


async def _one(platform: Platform, owner: str, month: Month) -> UsageAnswer:
    async with platform.database.transaction() as tx:
        person = await find_person(tx, owner)
        return await usage_of_owner_in(platform, tx, person.id, month)


def _show_one(found: UsageAnswer, *, as_json: bool) -> None:
    if as_json:
        typer.echo(found.model_dump_json())
        return
    table = new_table("quota", "used", "limit", right=("used", "limit"))
    for one in found.quotas:
        used, limit = f"{one.used:g}", "–" if one.limit is None else str(one.limit)
        if one.quota == "storage_bytes":
            used, limit = bytes_text(int(one.used)), "–" if one.limit is None else bytes_text(one.limit)
        table.add_row(one.quota.replace("_", " "), used, limit)
    print_table(table)
    right = ("uploads", "minutes", "transcribed", "frames read", "requests")
    days = new_table("day", *right, right=right)
    for day in found.days:
        minutes = (f"{seconds / 60:.1f}" for seconds in (day.processed_seconds, day.transcribed_seconds))
        days.add_row(day.day, str(day.uploads), *minutes, str(day.frames_read), str(day.api_requests))
    print_table(days)
