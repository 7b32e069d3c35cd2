"""Teams on the machine of the platform: who belongs to them, and what they have."""

import json
from typing import Annotated, Any, Literal
from uuid import UUID

import typer
from rich.markup import escape

from sightline.api.answers.teams import MemberAnswer, TeamItemAnswer
from sightline.api.teams import counting_for_next_owner
from sightline.bootstrap import Platform
from sightline.cli.actor import record_command
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir, as_id
from sightline.cli.output.tables import new_table, print_table
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.errors import InvalidInput
from sightline.observability import escape_controls
from sightline.personal_data import find_person
from sightline.teams import (
    ActingPerson,
    add_member,
    create_team,
    delete_team,
    list_members,
    list_teams,
    move_video,
    need_owner,
    need_team,
    remove_member,
    set_role,
)

OPERATOR = ActingPerson()

commands = typer.Typer(help="Create, list or delete teams, their members and their videos.", no_args_is_help=True)

TeamId = Annotated[str, typer.Argument(help="The team's id.")]
Person = Annotated[str, typer.Argument(help="Subject at the identity provider, id, or email address.")]
RoleName = Annotated[
    Literal["owner", "editor", "viewer"],
    typer.Option("--role", help="Owners manage members, editors change videos, viewers look."),
]


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="teams")


@commands.command("list")
def list_command(as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """List all teams by name."""

    async def work(platform: Platform) -> list[TeamItemAnswer]:
        async with platform.database.transaction() as tx:
            return [TeamItemAnswer.of(team) for team in await list_teams(tx, None, of_everyone=True)]

    found = with_platform(state_dir, work)
    if as_json:
        typer.echo(json.dumps({"teams": [team.model_dump(mode="json", exclude={"role"}) for team in found]}))
    elif not found:
        typer.echo("No teams; create one in the page, or with `sightline teams create NAME --owner PERSON`")
    else:
        table = new_table("id", "name", "members", right=("members",))
        for team in found:
            table.add_row(str(team.team_id), escape(escape_controls(team.name)), str(team.members))
        print_table(table)


@commands.command("show")
def show_command(team: TeamId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Show the members of a team with their roles, owners first."""
    team_id = as_id(team, "team")

    async def work(platform: Platform) -> list[MemberAnswer]:
        async with platform.database.transaction() as tx:
            await need_team(tx, team_id, OPERATOR)
            return [MemberAnswer.of(member) for member in await list_members(tx, team_id)]

    found = with_platform(state_dir, work)
    if as_json:
        typer.echo(json.dumps({"people": [member.model_dump(mode="json") for member in found]}))
        return
    table = new_table("id", "name", "role", "joined")
    for member in found:
        name = escape(escape_controls(member.name or ""))
        table.add_row(str(member.user_id), name, member.role, member.joined_at[:10])
    print_table(table)


@commands.command("create")
def create_command(
    name: Annotated[str, typer.Argument(help="Name of the team.")],
    owner: Annotated[str, typer.Option("--owner", help="Subject, id or email address of its owner.")],
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Create a team for a person who has signed in."""
    if not name.strip() or not name.isprintable() or len(name) > 100:
        raise InvalidInput("a name has 1 to 100 printable characters")

    async def work(platform: Platform) -> UUID:
        async with platform.database.transaction() as tx:
            made = await create_team(tx, name, owner_id=await _person(tx, owner))
        await record_command(platform, "team.created", f"team {made}")
        return made

    team_id = with_platform(state_dir, work)
    typer.echo(json.dumps({"team_id": str(team_id)}) if as_json else f"Team {team_id} created")


@commands.command("add")
def add_command(
    team: TeamId, person: Person, role: RoleName = "viewer", as_json: AsJson = False, state_dir: StateDir = None
) -> None:
    """Add a person to a team, or give a member another role."""
    team_id = as_id(team, "team")

    async def work(platform: Platform) -> UUID:
        async with platform.database.transaction() as tx:
            user_id = await _person(tx, person)
            await need_owner(tx, team_id, OPERATOR)
            is_new = await add_member(tx, team_id, user_id, role)
            if not is_new:
                await set_role(tx, team_id, user_id, role, by=OPERATOR)
        action = "team.joined" if is_new else "team.role_changed"
        await record_command(platform, action, f"team {team_id}", member=str(user_id), role=role)
        return user_id

    user_id = with_platform(state_dir, work)
    said: dict[str, Any] = {"team_id": str(team_id), "user_id": str(user_id), "role": role}
    typer.echo(json.dumps(said) if as_json else f"{user_id} is {role} of team {team_id}")


@commands.command("remove")
def remove_command(team: TeamId, person: Person, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Remove a member. What they uploaded stays with the team."""
    team_id = as_id(team, "team")

    async def work(platform: Platform) -> UUID:
        async with platform.database.transaction() as tx:
            user_id = await _person(tx, person)
            await remove_member(tx, team_id, user_id, by=OPERATOR)
        await record_command(platform, "team.member_removed", f"team {team_id}", member=str(user_id))
        return user_id

    user_id = with_platform(state_dir, work)
    said = {"team_id": str(team_id), "user_id": str(user_id)}
    typer.echo(json.dumps(said) if as_json else f"{user_id} is no longer a member of team {team_id}")


@commands.command("delete")
def delete_command(team: TeamId, as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Delete a team that has no videos."""
    team_id = as_id(team, "team")

    async def work(platform: Platform) -> None:
        async with platform.database.transaction() as tx:
            await delete_team(tx, team_id, by=OPERATOR)
        await record_command(platform, "team.deleted", f"team {team_id}")

    with_platform(state_dir, work)
    typer.echo(json.dumps({"team_id": str(team_id)}) if as_json else f"Team {team_id} deleted")


@commands.command("move")
def move_command(
    videos: Annotated[list[str], typer.Argument(help="Ids of videos.")],
    to_team: Annotated[str | None, typer.Option("--to-team", help="Id of the team that gets them.")] = None,
    to_person: Annotated[
        str | None, typer.Option("--to-person", help="Subject, id or email address of the person who gets them.")
    ] = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Move videos to a team or to a person, with everything that was computed from them."""
    if (to_team is None) == (to_person is None):
        raise InvalidInput("name either --to-team or --to-person")
    ids = [as_id(video, "video") for video in dict.fromkeys(videos)]
    team_id = None if to_team is None else as_id(to_team, "team")

    async def work(platform: Platform) -> None:
        for video_id in ids:
            on_change = await counting_for_next_owner(platform, video_id)
            async with platform.database.transaction() as tx:
                user_id = UUID(int=0) if to_person is None else await _person(tx, to_person)
                by = Caller(user_id, roles=frozenset({"operator"}))
                await move_video(tx, platform.live, video_id, team_id, by=by, on_change=on_change)
            await platform.objects.revoke_urls(video_id)
            await record_command(platform, "video.moved", f"video {video_id}", to=to_team or str(user_id))

    with_platform(state_dir, work)
    typer.echo(json.dumps({"moved": [str(video_id) for video_id in ids]}) if as_json else f"{len(ids)} videos moved")


async def _person(tx: Transaction, text: str) -> UUID:
    return (await find_person(tx, text)).id
