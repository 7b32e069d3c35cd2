"""`sightline teams` as an operator runs it."""

import json
from uuid import UUID

import asyncpg
import pytest

from support.platform_process import ask

ANN, BEN = UUID(int=11), UUID(int=12)


@pytest.mark.req(1069)
async def test_teams_are_managed_on_the_machine(fresh_database, tmp_path, video_of):
    video_id = await video_of(ANN)
    state = ("--state-dir", str(tmp_path / "state"))

    async def run(*arguments: str) -> tuple[int, str, str]:
        return await ask("teams", *arguments, *state, SIGHTLINE_DATABASE_URL=fresh_database.url, COLUMNS="200")

    code, out, err = await run("create", "Night shift", "--owner", str(ANN), "--json")
    assert (code, err) == (0, "")
    team = json.loads(out)["team_id"]
    assert (await run("add", team, str(BEN), "--role", "editor"))[0] == 0
    assert (await run("move", str(video_id), "--to-team", team))[0] == 0
    admin = await asyncpg.connect(fresh_database.admin_url)
    row = await admin.fetchrow("SELECT owner_id, team_id, uploaded_by FROM videos")
    assert row is not None
    assert tuple(row) == (UUID(team), UUID(team), ANN)
    people = json.loads((await run("show", team, "--json"))[1])["people"]
    assert [(one["user_id"], one["role"]) for one in people] == [(str(ANN), "owner"), (str(BEN), "editor")]
    code, _, err = await run("remove", team, str(ANN))
    assert (code, "only owner" in err) == (1, True)
    code, _, err = await run("delete", team)
    assert (code, "Move them out of the team" in err) == (1, True)
    assert (await run("move", str(video_id), "--to-person", str(BEN)))[0] == 0
    assert await admin.fetchval("SELECT owner_id FROM videos") == BEN
    assert (await run("add", team, str(BEN), "--role", "owner"))[0] == 0
    assert (await run("remove", team, str(ANN)))[0] == 0
    assert json.loads((await run("list", "--json"))[1])["teams"][0]["members"] == 1
    assert (await run("delete", team))[0] == 0
    actions = [row["action"] for row in await admin.fetch("SELECT action FROM audit_log ORDER BY number")]
    joins = ["team.created", "team.joined", "video.moved", "video.moved", "team.role_changed"]
    assert actions == [*joins, "team.member_removed", "team.deleted"]
    await admin.close()
