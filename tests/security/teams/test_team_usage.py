"""What a team used and may use: its owners see it and are warned, nobody else."""

from uuid import UUID, uuid4

import pytest

from sightline.usage import OwnQuotas, add_up, set_quotas
from support.asking import is_error
from support.quota_warning_process import quota_warnings
from support.team_rig import EDDA, OLGA, OTTO, VERA, upload_to


@pytest.mark.req(1174)
async def test_owners_see_what_their_team_used_and_members_and_others_do_not(platform, ask, team, make_operator):
    async with platform.database.transaction() as tx:
        await set_quotas(tx, UUID(team), OwnQuotas(videos=5))
    await upload_to(ask, team, EDDA)
    path = f"/api/usage?team={team}"
    found = (await ask(OLGA, "GET", path)).json()
    assert found["owner_id"] == team
    videos = next(one for one in found["quotas"] if one["quota"] == "videos")
    assert (videos["used"], videos["limit"]) == (1, 5)
    assert (await ask(OLGA, "GET", "/api/usage")).json()["owner_id"] == str(OLGA)
    for member in (EDDA, VERA):
        is_error(await ask(member, "GET", path), 403, "FORBIDDEN")
    for other in (f"/api/usage?team={uuid4()}", path):
        is_error(await ask(OTTO, "GET", other), 404, "TEAM_NOT_FOUND")
    listed = (await ask(None, "GET", "/api/usage/owners", headers=await make_operator())).json()["owners"]
    assert "Night shift" in [one["name"] for one in listed if one["owner_id"] == team]


@pytest.mark.req(1174)
async def test_every_owner_of_a_team_is_warned_of_its_quota_and_no_other_member(platform, ask, team):
    assert (await ask(OLGA, "PATCH", f"/api/teams/{team}/members/{EDDA}", {"role": "owner"})).status_code == 200
    async with platform.database.transaction() as tx:
        await set_quotas(tx, UUID(team), OwnQuotas(videos=1))
    await upload_to(ask, team, EDDA)
    async with platform.database.transaction() as tx:
        await add_up(tx)
    await quota_warnings(platform).check()
    async with platform.database.transaction() as tx:
        rows = await tx.fetch("SELECT owner_id, notification ->> 'title' AS title FROM messages ORDER BY owner_id")
    assert [tuple(row) for row in rows] == [(one, "100 % used: videos (Night shift)") for one in (OLGA, EDDA)]
