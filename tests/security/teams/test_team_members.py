"""Members of teams: how they come, change and go, and what happens when two do so at once."""

import asyncio
from typing import Any
from uuid import UUID

import httpx
import pytest
import websockets

from sightline.access import end_operator
from sightline.api import create_app
from support.asking import is_error
from support.team_rig import (
    EDDA,
    OLGA,
    OPA,
    OTTO,
    VERA,
    upload_to,
    wait_for_lock,
)


@pytest.mark.req(1061)
async def test_a_team_always_has_an_owner(platform, ask, team):
    path = f"/api/teams/{team}/members"
    is_error(await ask(OLGA, "PATCH", f"{path}/{OLGA}", {"role": "viewer"}), 409, "LAST_OWNER")
    is_error(await ask(OLGA, "DELETE", f"{path}/{OLGA}"), 409, "LAST_OWNER")
    is_error(await ask(EDDA, "PATCH", f"{path}/{VERA}", {"role": "editor"}), 403, "FORBIDDEN")
    is_error(await ask(OTTO, "PATCH", f"{path}/{VERA}", {"role": "editor"}), 404, "TEAM_NOT_FOUND")
    is_error(await ask(OLGA, "PATCH", f"{path}/{OTTO}", {"role": "editor"}), 404, "MEMBER_NOT_FOUND")
    # Two owners who demote each other at once: one of them stays.
    assert (await ask(OLGA, "PATCH", f"{path}/{EDDA}", {"role": "owner"})).status_code == 200
    answers = await asyncio.gather(
        ask(OLGA, "PATCH", f"{path}/{EDDA}", {"role": "editor"}),
        ask(EDDA, "PATCH", f"{path}/{OLGA}", {"role": "editor"}),
    )
    assert sorted(answer.status_code for answer in answers) in ([200, 403], [200, 409])
    async with platform.database.transaction() as tx:
        count = "SELECT count(*) FROM team_members WHERE team_id = $1 AND role = 'owner'"
        assert await tx.fetchval(count, UUID(team)) == 1
    # The database itself refuses what the code would let through.
    with pytest.raises(Exception, match="a team needs an owner"):
        async with platform.database.transaction() as tx:
            await tx.execute("DELETE FROM team_members WHERE team_id = $1", UUID(team))
    assert (await ask(VERA, "DELETE", f"{path}/{VERA}")).status_code == 204
    assert (await ask(VERA, "GET", f"/api/teams/{team}")).status_code == 404


@pytest.mark.req(1060)
async def test_an_invitation_ends_by_use_by_time_and_by_hand(platform, ask, team):
    path = f"/api/teams/{team}/invitations"
    for body in ({"role": "owner"}, {"expires_in_hours": 0}, {"max_uses": 0}, {"max_uses": 101}, {"team_id": team}):
        assert (await ask(OLGA, "POST", path, body)).status_code == 400
    is_error(await ask(EDDA, "POST", path, {}), 403, "FORBIDDEN")
    is_error(await ask(OTTO, "GET", path), 404, "TEAM_NOT_FOUND")

    async def token(**body: Any) -> tuple[str, str]:
        made = (await ask(OLGA, "POST", path, body)).json()
        return made["invitation_id"], made["url"].partition("#")[2]

    _, once = await token(role="viewer")
    shown = (await ask(OTTO, "POST", "/api/team-invitations/show", {"token": once})).json()
    assert (shown["team_name"], shown["role"]) == ("Night shift", "viewer")
    # A member who opens it keeps their role and uses nothing up.
    kept = (await ask(EDDA, "POST", "/api/team-invitations/accept", {"token": once})).json()
    assert (kept["role"], kept["is_new"]) == ("editor", False)
    # Two accept the one use at once: one is in.
    answers = await asyncio.gather(
        *(ask(person, "POST", "/api/team-invitations/accept", {"token": once}) for person in (OTTO, OPA))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 404]
    revoked_id, revoked = await token()
    assert (await ask(OLGA, "DELETE", f"{path}/{revoked_id}")).status_code == 204
    _, late = await token()
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE team_invitations SET expires_at = now() WHERE NOT (uses = max_uses)")
    for ended in (once, revoked, late, "", "x" * 43, "ä" * 43, "x" * 200, "q\x00"):
        for action in ("show", "accept"):
            answer = await ask(UUID(int=300), "POST", f"/api/team-invitations/{action}", {"token": ended})
            assert answer.status_code in (400, 404), ended
    async with platform.database.transaction() as tx:
        assert not await tx.fetchval("SELECT count(*) FROM team_invitations WHERE token_hash = $1::text::bytea", once)


@pytest.mark.req(1065)
async def test_a_removed_member_is_out_at_once_everywhere(platform, ask, team, client, signed_in, serving, app):
    video_id = await upload_to(ask, team)
    keys = await ask(VERA, "POST", "/api/keys", {"name": "k", "scopes": ["videos:read", "videos:write", "live:read"]})
    key = {"x-api-key": keys.json()["key"]}
    assert (await client.get(f"/videos/{video_id}", headers=key)).status_code == 200
    assert (await client.patch(f"/videos/{video_id}", json={"name": "x.mp4"}, headers=key)).status_code == 403
    token = signed_in(VERA)["authorization"].partition(" ")[2]
    own_page = {"origin": "http://localhost:8400"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8400") as page:
        assert (await page.post("/api/session", json={"token": token}, headers=own_page)).status_code == 201
        assert (await page.get(f"/videos/{video_id}")).status_code == 200
        stop, ready = asyncio.Event(), asyncio.Event()
        running = [
            asyncio.create_task(platform.live_hub.run(stop, ready.set)),
            asyncio.create_task(platform.open_connections.service().run(stop, lambda: None)),
        ]
        await ready.wait()
        try:
            async with serving(app) as port:
                address = f"ws://127.0.0.1:{port}/ws/videos"
                async with websockets.connect(address, additional_headers=signed_in(VERA)) as socket:
                    assert '"hello"' in str(await socket.recv())
                    await ask(OLGA, "DELETE", f"/api/teams/{team}/members/{VERA}")
                    with pytest.raises(websockets.ConnectionClosed) as closed:
                        while True:
                            await socket.recv()
                    assert closed.value.rcvd is not None
                    assert (closed.value.rcvd.code, "teams" in closed.value.rcvd.reason) == (1012, True)
        finally:
            stop.set()
            await asyncio.gather(*running)
        assert (await page.get(f"/videos/{video_id}")).status_code == 404
    assert (await client.get(f"/videos/{video_id}", headers=key)).status_code == 404
    assert (await client.get(f"/videos/{video_id}", headers=signed_in(VERA))).status_code == 404


@pytest.mark.req(1066)
async def test_operators_are_made_and_unmade_but_never_the_last_nor_the_issuers(ask, client, signed_in, make_operator):
    opa = await make_operator()
    await ask(OLGA, "GET", "/api/me")
    path = f"/api/people/{OLGA}/operator"
    is_error(await ask(OLGA, "PUT", path), 403, "FORBIDDEN")
    is_error(await client.put(f"/api/people/{OTTO}/operator", headers=opa), 404, "PERSON_NOT_FOUND")
    assert (await client.put(path, headers=opa)).status_code == 204
    assert (await ask(OLGA, "GET", "/api/me")).json()["is_operator"] is True
    shown = {one["user_id"]: one for one in (await ask(OLGA, "GET", "/api/people")).json()["people"]}
    assert (shown[str(OLGA)]["is_operator"], shown[str(OLGA)]["is_pinned"]) == (True, False)
    assert shown[str(OPA)]["is_pinned"] is True
    is_error(await ask(OLGA, "DELETE", f"/api/people/{OPA}/operator"), 409, "PINNED_BY_ISSUER")
    body = {"name": "k", "scopes": ["operator", "jobs:read"]}
    key = (await ask(OLGA, "POST", "/api/keys", body)).json()["key"]
    assert (await client.get("/jobs", headers={"x-api-key": key})).status_code == 200
    assert (await client.delete(path, headers=opa)).status_code == 204
    assert (await ask(OLGA, "GET", "/api/me")).json()["is_operator"] is False
    assert (await client.get("/jobs", headers={"x-api-key": key})).status_code == 401
    # Olga is the last one once the token that made Opa one no longer counts.
    await client.put(path, headers=opa)
    await client.get("/api/me", headers=signed_in(OPA))
    is_error(await ask(OLGA, "DELETE", path), 409, "LAST_OPERATOR")


@pytest.mark.req(1066)
async def test_who_stops_being_an_operator_keeps_no_key_that_is_made_at_that_moment(
    platform, ask, client, make_operator
):
    opa = await make_operator()
    await ask(OLGA, "GET", "/api/me")
    assert (await client.put(f"/api/people/{OLGA}/operator", headers=opa)).status_code == 204
    async with platform.database.transaction() as tx:
        await end_operator(tx, OLGA, by=OPA)
        body = {"name": "k", "scopes": ["operator", "jobs:read"]}
        making = asyncio.create_task(ask(OLGA, "POST", "/api/keys", body))
        await wait_for_lock(platform)
    is_error(await making, 403, "FORBIDDEN")


@pytest.mark.req(1067)
async def test_changes_of_members_are_in_the_audit_log(client, ask, team, make_operator):
    opa = await make_operator()
    video_id = await upload_to(ask, team)
    await ask(OLGA, "PATCH", f"/api/teams/{team}/members/{EDDA}", {"role": "owner"})
    await ask(OLGA, "DELETE", f"/api/teams/{team}/members/{VERA}")
    await ask(OLGA, "POST", "/api/videos/move", {"video_ids": [video_id], "team_id": None})
    entries = (await client.get("/api/audit?limit=100", headers=opa)).json()["entries"]
    actions = {(one["action"], one["target"]) for one in entries}
    wanted = {"team.created", "team.invited", "team.joined", "team.role_changed", "team.member_removed"}
    assert actions >= {("team.role_changed", f"person {EDDA}"), ("team.member_removed", f"person {VERA}")}
    assert actions >= {(action, f"team {team}") for action in wanted} | {("video.moved", f"video {video_id}")}


@pytest.mark.req(1061)
async def test_a_team_with_videos_is_not_deleted(ask, team):
    video_id = await upload_to(ask, team)
    is_error(await ask(EDDA, "DELETE", f"/api/teams/{team}"), 403, "FORBIDDEN")
    is_error(await ask(OLGA, "DELETE", f"/api/teams/{team}"), 409, "TEAM_HAS_VIDEOS")
    await ask(OLGA, "DELETE", f"/videos/{video_id}")
    assert (await ask(OLGA, "DELETE", f"/api/teams/{team}")).status_code == 204
    is_error(await ask(OLGA, "GET", f"/api/teams/{team}"), 404, "TEAM_NOT_FOUND")


@pytest.mark.req(1059)
@pytest.mark.parametrize("name", ["", "a" * 101, "a\x00b", "a\nb", 7, None])
async def test_odd_names_are_refused(ask, name):
    assert (await ask(OLGA, "POST", "/api/teams", {"name": name})).status_code == 400


@pytest.mark.req(1059)
async def test_without_sign_in_there_are_no_teams(platform_with, client_for):
    client = client_for(create_app(await platform_with()))
    is_error(await client.post("/api/teams", json={"name": "A"}), 409, "NEEDS_SIGN_IN")
    assert (await client.get("/api/teams")).json() == {"needs_sign_in": False, "teams": []}
