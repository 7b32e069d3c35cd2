"""Quotas of one owner: showing them, setting some, and going back to the defaults."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import typer

from sightline.api.usage import OwnerQuotasAnswer, quotas_of_owner
from sightline.bootstrap import Platform
from sightline.byte_sizes import bytes_text, parse_bytes
from sightline.cli.actor import record_command
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.tables import new_table, print_table
from sightline.errors import InvalidInput
from sightline.personal_data import find_person
from sightline.usage import OwnQuotas, quotas_set_for, set_quotas

DEFAULT = "default"
_MAX_COUNT = 2**31 - 1

commands = typer.Typer(help="Show or change the quotas of one owner.", no_args_is_help=True)

Owner = Annotated[str, typer.Argument(help="Subject at the identity provider, id, or email address.")]
Size = Annotated[str | None, typer.Option("--storage", help="As 50GB; 0 is no limit, 'default' that of the settings.")]
Count = Annotated[str | None, typer.Option(help="A number; 0 is no limit, 'default' that of the settings.")]


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="quotas")


@commands.command("show")
def show_command(owner: Owner, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Show the quotas of an owner, and which of them are not the defaults."""
    _change(owner, lambda own: own, is_change=False, as_json=as_json, state_dir=state_dir)


@commands.command("set")
def set_command(
    owner: Owner,
    storage: Size = None,
    videos: Count = None,
    open_uploads: Count = None,
    minutes_per_month: Count = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Set quotas of an owner; those that are not named stay. They count from the next upload on."""
    given = {
        "storage_bytes": (storage, parse_bytes),
        "videos": (videos, _count),
        "open_uploads": (open_uploads, _count),
        "minutes_per_month": (minutes_per_month, _count),
    }
    changes = {
        name: None if text == DEFAULT else read(text) for name, (text, read) in given.items() if text is not None
    }
    if not changes:
        raise InvalidInput("name a quota to set: --storage, --videos, --open-uploads or --minutes-per-month")
    _change(owner, lambda own: replace(own, **changes), is_change=True, as_json=as_json, state_dir=state_dir)


@commands.command("reset")
def reset_command(owner: Owner, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """The defaults of the settings apply to the owner again."""
    _change(owner, lambda _: OwnQuotas(), is_change=True, as_json=as_json, state_dir=state_dir)


def _change(
    owner: str, change: Callable[[OwnQuotas], OwnQuotas], *, is_change: bool, as_json: bool, state_dir: StateDir
) -> None:
    async def work(platform: Platform) -> OwnerQuotasAnswer:
        async with platform.database.transaction() as tx:
            person = await find_person(tx, owner)
            if is_change:
                await set_quotas(tx, person.id, change(await quotas_set_for(tx, person.id)))
            found = await quotas_of_owner(platform, tx, person.id)
        if is_change:
            await record_command(platform, "quotas.changed", f"owner {person.id}", **found.set.model_dump())
        return found

    found = with_platform(state_dir, work)
    if as_json:
        typer.echo(found.model_dump_json())
        return
    table = new_table("quota", "in force", "from", right=("in force",))
    for name, limit in found.in_force.model_dump().items():
        text = bytes_text(limit) if name == "storage_bytes" else str(limit)
        is_default = getattr(found.set, name) is None
        table.add_row(name.replace("_", " "), text if limit else "no limit", "settings" if is_default else "this owner")
    print_table(table)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text[:12]) <= _MAX_COUNT and len(text) <= 10):
        raise InvalidInput(f"{text!r} is no number from 0 to {_MAX_COUNT}")
    return int(text)
