"""API keys: creating, listing and revoking them on the machine of the platform."""

import json
from datetime import timedelta
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from sightline.access import SCOPES, ApiKey, list_keys, owner_caller, revoke_key
from sightline.api.answers.keys import ApiKeyAnswer, NewApiKeyAnswer
from sightline.bootstrap import Platform
from sightline.cli.actor import record_command
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir, as_id
from sightline.cli.output.tables import is_narrow, new_table, print_table, time_text
from sightline.contracts import LOCAL_OWNER
from sightline.errors import InvalidInput
from sightline.observability import escape_controls

MAX_LISTED = 1000
AWS_SCOPE = "bus:use"

commands = typer.Typer(help="Create, list or revoke API keys for detectors and scripts.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="keys")


@commands.command("create")
def create_command(
    name: Annotated[str, typer.Argument(help="What uses the key, such as 'front door detector'.")] = "AWS SDK",
    scopes: Annotated[
        list[str] | None, typer.Option("--scope", help=f"Repeatable: {', '.join(SCOPES)}. Default: {AWS_SCOPE}.")
    ] = None,
    owner: Annotated[
        str | None, typer.Option(help="Id of the user whom the key acts as; default: the local owner.")
    ] = None,
    expires_days: Annotated[int | None, typer.Option(min=1, max=3650, help="Days until the key expires.")] = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Create a key and print it. It is not stored and cannot be shown again.

    With --json also as the `access_key_id` and `secret_access_key` of an AWS SDK.
    """
    if not name.strip() or not name.isprintable() or len(name) > 100:
        raise InvalidInput("a name has 1 to 100 printable characters")
    caller = LOCAL_OWNER if owner is None else owner_caller(as_id(owner, "user"))
    lifetime = None if expires_days is None else timedelta(days=expires_days)

    chosen = scopes or [AWS_SCOPE]

    async def work(platform: Platform) -> NewApiKeyAnswer:
        async with platform.database.transaction() as tx:
            key, text = await platform.api_keys.create(tx, caller, name=name, scopes=chosen, lifetime=lifetime)
        await record_command(platform, "api_key.created", f"key {key.key_id}", owner=str(caller.user_id))
        return NewApiKeyAnswer.with_secrets(key, text, platform.access_keys.secret_of(text))

    created = with_platform(state_dir, work)
    if as_json:
        typer.echo(created.model_dump_json())
        return
    if AWS_SCOPE in created.scopes:
        typer.echo(f"AWS_ACCESS_KEY_ID={created.access_key_id}")
        typer.echo(f"AWS_SECRET_ACCESS_KEY={created.secret_access_key}")
    else:
        typer.echo(created.key)
    typer.echo("Store it now: it cannot be shown again. Send a key as `Authorization: Bearer …`.", err=True)


@commands.command("list")
def list_command(
    with_revoked: Annotated[bool, typer.Option("--revoked", help="Revoked keys as well.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """List the keys of all users, newest first, with their scopes and last use."""

    async def work(platform: Platform) -> list[ApiKey]:
        async with platform.database.transaction() as tx:
            return await list_keys(tx, owner_id=None, with_revoked=with_revoked, limit=MAX_LISTED)

    found = with_platform(state_dir, work)
    if as_json:
        typer.echo(json.dumps({"keys": [ApiKeyAnswer.of(key).model_dump(mode="json") for key in found]}))
    elif not found:
        typer.echo("No keys; create one with `sightline keys create NAME --scope SCOPE`")
    else:
        print_table(keys_table([ApiKeyAnswer.of(key) for key in found], narrow=is_narrow()))


@commands.command("revoke")
def revoke_command(
    key_id: Annotated[str, typer.Argument(help="The key's id.")], as_json: AsJson = False, state_dir: StateDir = None
) -> None:
    """End a key: from now on it is refused everywhere."""

    async def work(platform: Platform) -> ApiKey:
        async with platform.database.transaction() as tx:
            revoked = await revoke_key(tx, key_id, owner_id=None, by=None)
        await record_command(platform, "api_key.revoked", f"key {key_id}")
        return revoked

    answer = ApiKeyAnswer.of(with_platform(state_dir, work))
    typer.echo(answer.model_dump_json() if as_json else f"Key {answer.key_id} revoked")


def keys_table(keys: list[ApiKeyAnswer], *, narrow: bool) -> Table:
    owner = () if narrow else ("owner",)
    table = new_table("id", "name", "scopes", *owner, "last used", "status")
    for key in keys:
        status = "active" if key.is_active else "revoked" if key.revoked_at else "expired"
        table.add_row(
            key.key_id,
            escape(escape_controls(key.name)),
            " ".join(key.scopes),
            *(() if narrow else (str(key.owner_id),)),
            "never" if key.last_used_at is None else time_text(key.last_used_at, narrow=narrow),
            status,
        )
    return table
