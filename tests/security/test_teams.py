"""Who may do what with what belongs to a team: owner, editor, viewer, outsider, removed member, nobody, and the platform itself."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
import pytest
import websockets

from sightline.access import CallerRights
from sightline.api import create_app
from sightline.contracts import Caller
from sightline.teams import Actor, remove_member
from sightline.text import SpeechSegment, replace_speech
from support.asking import is_error
from support.waiting import until

OLGA, EDDA, VERA, OTTO, RENA, OPA = (UUID(int=number) for number in range(201, 207))
ROLES = {EDDA: "editor", VERA: "viewer", RENA: "editor"}


@pytest.fixture
async def platform(platform_with, auth_on):
    return await platform_with(auth=auth_on)


@pytest.fixture
def ask(client, signed_in) -> Callable[..., Awaitable[httpx.Response]]:
    """A request of a person; None: of nobody."""

    async def send(
        person: UUID | None, method: str, path: str, body: Any = None, *, headers: Any = None
    ) -> httpx.Response:
        own = {} if person is None else signed_in(person, email=f"{person.int}@example.com")
        return await client.request(method, path, json=body, headers=own | (headers or {}))

    return send


@pytest.fixture
def make_operator(signed_in, client) -> Callable[[], Awaitable[dict[str, str]]]:
    async def header() -> dict[str, str]:
        found = signed_in(OPA, sightline_role="operator")
        await client.get("/api/me", headers=found)
        return found

    return header


async def join(ask, team: str, person: UUID, role: str) -> None:
    made = await ask(OLGA, "POST", f"/api/teams/{team}/invitations", {"role": role})
    token = made.json()["url"].partition("#")[2]
    assert (await ask(person, "POST", "/api/team-invitations/accept", {"token": token})).status_code == 200


@pytest.fixture
async def team(ask) -> str:
    """Olga's team: Edda and Rena edit, Vera looks, and Rena is out again."""
    team_id: str = (await ask(OLGA, "POST", "/api/teams", {"name": "Night shift"})).json()["team_id"]
    for person, role in ROLES.items():
        await join(ask, team_id, person, role)
    return team_id


async def upload_to(ask, team: str | None, person: UUID = EDDA) -> str:
    body = {"totalSize": 1000, "filename": "night.mp4", "teamId": team}
    answer = await ask(person, "POST", "/videos", body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["videoId"])


async def fill(platform, video_id: str) -> None:
    """Rows of what is computed from the video, as the pipeline writes them."""
    async with platform.database.transaction() as tx:
        for statement in (
            """INSERT INTO segments (id, video_id, owner_id, team_id, text, normalized_text, text_hash, t_start, t_end, confidence,
                                     bounding_box, language, frame_ms, is_merged)
               SELECT gen_random_uuid(), id, owner_id, team_id, 'gate open', 'gate open', 'h', 0, 1000, 0.9,
                      '{"x":0,"y":0,"width":1,"height":1}', 'eng', 0, true FROM videos WHERE id = $1""",
            """INSERT INTO search_rows (segment_id, video_id, owner_id, team_id, weight, t_start, t_end, language, folded, common)
               SELECT id, video_id, owner_id, team_id, 1, 0, 1000, 'eng', 'gate open', '' FROM segments WHERE video_id = $1""",
            """INSERT INTO search_common_words (word, video_id, owner_id, team_id, hits)
               SELECT 'gate', id, owner_id, team_id, 1 FROM videos WHERE id = $1""",
            """INSERT INTO search_passages (video_id, owner_id, team_id, scope, scene, weight, t_start, t_end, folded, unit_starts,
                                            segment_ids)
               SELECT v.id, v.owner_id, v.team_id, 'moment', 0, 1, 0, 1000, 'gate open', '{0}', ARRAY[s.id]
               FROM videos AS v JOIN segments AS s ON s.video_id = v.id WHERE v.id = $1""",
            """INSERT INTO shares (token_hash, sealed_token, video_id, owner_id, created_by, title, with_text, expires_at)
               SELECT sha256(id::text::bytea), '\\x00', id, owner_id, owner_id, 't', true, now() + interval '1 day'
               FROM videos WHERE id = $1""",
        ):
            await tx.execute(statement, UUID(video_id))


SEEN = ("videos", "segments", "shares", "video_moves", "uploads", "jobs")
OWNED = ("segments", "search_rows", "search_common_words", "search_passages")


async def rows_seen(platform, claims: dict[str, Any] | None, video_id: str) -> dict[str, int]:
    """What the claims see of the video, table by table; None: as the platform."""
    found = {}
    for table in SEEN:
        database = platform.database
        column = "id" if table == "videos" else "video_id"
        async with database.transaction() if claims is None else database.as_caller(claims) as tx:
            found[table] = await tx.fetchval(f"SELECT count(*) FROM {table} WHERE {column} = $1", UUID(video_id))
    return found


async def claims_of(platform, person: UUID) -> dict[str, Any]:
    return (await CallerRights(platform.database).added_to(Caller(person))).claims()


@pytest.mark.req(1059, 1062)
async def test_row_level_security_shows_a_teams_video_to_its_members_alone(platform, ask, team):
    video_id = await upload_to(ask, team)
    await fill(platform, video_id)
    await ask(OLGA, "DELETE", f"/api/teams/{team}/members/{RENA}")
    whole = await rows_seen(platform, None, video_id)
    assert {table for table, count in whole.items() if count} >= {"videos", "segments", "shares", "uploads"}
    for person in (OLGA, EDDA, VERA):
        assert await rows_seen(platform, await claims_of(platform, person), video_id) == whole
    for claims in (await claims_of(platform, OTTO), await claims_of(platform, RENA), {}):
        assert not any((await rows_seen(platform, claims, video_id)).values())
    # Tables of teams: members see each other, and no invitation.
    for claims, count in ((await claims_of(platform, VERA), 3), (await claims_of(platform, RENA), 0), ({}, 0)):
        async with platform.database.as_caller(claims) as tx:
            assert await tx.fetchval("SELECT count(*) FROM team_members") == count
            assert await tx.fetchval("SELECT count(*) FROM teams") == (1 if count else 0)
            assert not await tx.fetchval("SELECT has_table_privilege('team_invitations', 'SELECT')")
            assert not await tx.fetchval("SELECT has_table_privilege('operator_grants', 'SELECT')")
            assert not await tx.fetchval("SELECT has_table_privilege('team_members', 'INSERT,UPDATE,DELETE')")


@pytest.mark.req(1062, 1063)
async def test_endpoints_follow_the_role(platform, ask, team):
    video_id = await upload_to(ask, team)
    await fill(platform, video_id)
    await ask(OLGA, "DELETE", f"/api/teams/{team}/members/{RENA}")
    reading = (f"/videos/{video_id}", f"/videos/{video_id}/progress", f"/videos/{video_id}/segments")
    for person, status in ((OLGA, 200), (EDDA, 200), (VERA, 200), (OTTO, 404), (RENA, 404), (None, 401)):
        for path in reading:
            assert (await ask(person, "GET", path)).status_code == status, (person, path)
    for person, count in ((OLGA, 1), (EDDA, 1), (VERA, 1), (OTTO, 0), (RENA, 0)):
        assert len((await ask(person, "GET", "/videos")).json()["videos"]) == count
        hits = (await ask(person, "GET", "/search?q=gate")).json()
        assert hits["total"] in (count, 0)
    shares = {person: (await ask(person, "GET", "/api/shares")).json()["shares"] for person in (OLGA, VERA, OTTO)}
    assert {person: len(found) for person, found in shares.items()} == {OLGA: 1, VERA: 0, OTTO: 0}
    changing = (
        ("PATCH", f"/videos/{video_id}", {"name": "other.mp4"}),
        ("POST", "/clips", {"video_id": video_id, "t_start": 0, "t_end": 500}),
        ("POST", f"/videos/{video_id}/reels", {"parts": [{"t_start": 0, "t_end": 500}]}),
        (
            "POST",
            f"/videos/{video_id}/marks",
            {"t_start": 0, "t_end": 500, "category": "GUARD_PLAY", "name": "n", "role": "r"},
        ),
        ("PUT", f"/videos/{video_id}/annotations", {"annotations": []}),
        ("POST", f"/api/videos/{video_id}/detect", {}),
        ("POST", "/api/shares", {"video_id": video_id}),
        ("DELETE", f"/api/shares/{shares[OLGA][0]['share_id']}", None),
        ("POST", f"/videos/{video_id}/revoke-links", None),
        ("POST", "/api/trash", {"video_ids": [video_id]}),
        ("DELETE", f"/videos/{video_id}/upload", None),
        ("DELETE", f"/videos/{video_id}", None),
    )
    for person, refused in ((VERA, {403, 404}), (OTTO, {404, 422}), (RENA, {404, 422}), (None, {401, 422})):
        for method, path, body in changing:
            answer = await ask(person, method, path, body)
            assert answer.status_code in refused, (person, method, path, answer.text)
    assert (await ask(VERA, "GET", f"/videos/{video_id}")).json()["canChange"] is False
    assert (await ask(EDDA, "PATCH", f"/videos/{video_id}", {"name": "other.mp4"})).json()["canChange"] is True
    assert (await ask(EDDA, "DELETE", f"/videos/{video_id}")).status_code == 204


@pytest.mark.req(1062)
async def test_viewers_and_outsiders_upload_nothing_to_a_team(ask, team):
    body = {"totalSize": 1000, "filename": "a.mp4", "teamId": team}
    is_error(await ask(VERA, "POST", "/videos", body), 403, "FORBIDDEN")
    is_error(await ask(OTTO, "POST", "/videos", body), 403, "FORBIDDEN")
    video = (await ask(EDDA, "GET", f"/videos/{await upload_to(ask, team)}")).json()
    assert (video["teamId"], video["isOfTeam"]) == (team, True)
    own = (await ask(EDDA, "GET", f"/videos/{await upload_to(ask, None)}")).json()
    assert (own["teamId"], own["isOfTeam"]) == (None, False)
    assert [one["videoId"] for one in (await ask(EDDA, "GET", f"/videos?team={team}")).json()["videos"]] == [
        video["videoId"]
    ]
    assert [one["videoId"] for one in (await ask(EDDA, "GET", f"/videos?team={EDDA}")).json()["videos"]] == [
        own["videoId"]
    ]


@pytest.mark.req(1064)
async def test_what_is_computed_from_a_video_moves_with_it(platform, ask, team):
    video_id = await upload_to(ask, None)
    await fill(platform, video_id)
    before = await rows_seen(platform, await claims_of(platform, VERA), video_id)
    assert not any(before.values())
    moved = (await ask(EDDA, "POST", "/api/videos/move", {"video_ids": [video_id], "team_id": team})).json()
    assert moved["results"] == [{"video_id": video_id, "is_done": True, "code": None, "message": None}]
    assert (await rows_seen(platform, await claims_of(platform, VERA), video_id))["segments"] == 1
    async with platform.database.transaction() as tx:
        for table in OWNED:
            owners = await tx.fetch(
                f"SELECT DISTINCT owner_id, team_id FROM {table} WHERE video_id = $1", UUID(video_id)
            )
            assert [tuple(row) for row in owners] == [(UUID(team), UUID(team))], table
        assert await tx.fetchval("SELECT owner_id FROM shares WHERE video_id = $1", UUID(video_id)) == UUID(team)
        messages = await tx.fetch(
            "SELECT owner_id FROM live_messages WHERE type = 'video.owner_changed' ORDER BY sequence"
        )
        assert {row["owner_id"] for row in messages} == {EDDA, UUID(team)}
    assert (await ask(EDDA, "POST", "/api/videos/move", {"video_ids": [video_id], "team_id": None})).json()["results"][
        0
    ]["is_done"]
    assert not any((await rows_seen(platform, await claims_of(platform, VERA), video_id)).values())


@pytest.mark.req(1064)
async def test_only_those_who_may_move_a_video(ask, team):
    of_olga = await upload_to(ask, team, OLGA)
    other = (await ask(OTTO, "POST", "/api/teams", {"name": "Others"})).json()["team_id"]

    async def code(person: UUID, video_id: str, target: str | None) -> str | None:
        answer = await ask(person, "POST", "/api/videos/move", {"video_ids": [video_id], "team_id": target})
        found: str | None = answer.json()["results"][0]["code"]
        return found

    assert await code(EDDA, of_olga, None) == "FORBIDDEN"  # an editor, and not the uploader
    assert await code(VERA, of_olga, None) == "FORBIDDEN"
    assert await code(OTTO, of_olga, other) == "VIDEO_NOT_FOUND"
    assert await code(OLGA, of_olga, other) == "TEAM_NOT_FOUND"
    assert await code(VERA, await upload_to(ask, None, VERA), team) == "FORBIDDEN"
    assert await code(OLGA, of_olga, None) is None
    assert await code(OLGA, of_olga, str(UUID(int=999))) == "TEAM_NOT_FOUND"


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


@pytest.mark.req(1064)
async def test_who_is_removed_while_moving_takes_nothing_along(platform, ask, team):
    """The move waits for the removal that began before, and then finds no member."""
    video_id = await upload_to(ask, team, EDDA)
    async with platform.database.transaction() as tx:
        await remove_member(tx, UUID(team), EDDA, by=Actor())
        moving = asyncio.create_task(ask(EDDA, "POST", "/api/videos/move", {"video_ids": [video_id], "team_id": None}))
        await wait_for_lock(platform)
    assert (await moving).json()["results"][0]["code"] == "FORBIDDEN"
    async with platform.database.transaction() as tx:
        row = await tx.fetchrow("SELECT owner_id, uploaded_by, owner_email FROM videos WHERE id = $1", UUID(video_id))
    assert tuple(row) == (UUID(team), None, None)


async def wait_for_lock(platform) -> None:
    async def is_waiting() -> bool:
        async with platform.database.transaction() as tx:
            return bool(await tx.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"))

    await until(is_waiting)


@pytest.mark.req(1064)
async def test_what_is_stored_while_a_video_moves_belongs_to_the_new_owner(platform, ask, team):
    """Text that is being stored for the old owner is waited for; what comes later is owned by the new one."""
    video_id = UUID(await upload_to(ask, None))
    await fill(platform, str(video_id))
    async with platform.database.transaction() as tx:
        spoken = [SpeechSegment("open the gate", 0, 900, 0.9, "eng", ())]
        await replace_speech(tx, video_id, spoken, from_ms=0, until_ms=60_000)
        body = {"video_ids": [str(video_id)], "team_id": team}
        moving = asyncio.create_task(ask(EDDA, "POST", "/api/videos/move", body))
        await wait_for_lock(platform)
    assert (await moving).json()["results"][0]["is_done"]
    async with platform.database.transaction() as tx:
        owners = await tx.fetch("SELECT DISTINCT owner_id FROM segments WHERE video_id = $1", video_id)
    assert [row["owner_id"] for row in owners] == [UUID(team)]


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
