"""Who sees and changes what belongs to a team: owner, editor, viewer, outsider, removed member, nobody, and the platform itself."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from sightline.teams import ActingPerson, remove_member
from sightline.text import SpeechSegment, replace_speech
from support.asking import is_error
from support.team_rig import (
    EDDA,
    OLGA,
    OTTO,
    OWNED,
    RENA,
    VERA,
    claims_of,
    fill,
    rows_seen,
    upload_to,
    wait_for_lock,
)


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
    changing: tuple[tuple[str, str, Any], ...] = (
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


@pytest.mark.req(1064)
async def test_who_is_removed_while_moving_takes_nothing_along(platform, ask, team):
    """The move waits for the removal that began before, and then finds no member."""
    video_id = await upload_to(ask, team, EDDA)
    async with platform.database.transaction() as tx:
        await remove_member(tx, UUID(team), EDDA, by=ActingPerson())
        moving = asyncio.create_task(ask(EDDA, "POST", "/api/videos/move", {"video_ids": [video_id], "team_id": None}))
        await wait_for_lock(platform)
    assert (await moving).json()["results"][0]["code"] == "FORBIDDEN"
    async with platform.database.transaction() as tx:
        row = await tx.fetchrow("SELECT owner_id, uploaded_by, owner_email FROM videos WHERE id = $1", UUID(video_id))
    assert tuple(row) == (UUID(team), None, None)


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


@pytest.mark.req(1062)
async def test_nobody_becomes_a_team_by_what_an_issuer_calls_them(client, ask, signed_in, team):
    """Where people choose the names of their groups, or their own."""
    video_id = await upload_to(ask, team)
    issuer = "https://login.example.com"
    of_issuer = (signed_in(OTTO, iss=issuer, team_ids=[team]), signed_in(team, iss=issuer))
    # Where tokens name no issuer, a UUID in them is the id itself, but for those of teams that were made here.
    of_nobody = (signed_in(OTTO, team_ids=[team]), signed_in(team), signed_in(OTTO, team_ids=[team.upper()]))
    for header in (*of_issuer, *of_nobody):
        assert (await client.get("/videos", headers=header)).json()["videos"] == []
        assert (await client.get(f"/videos/{video_id}", headers=header)).status_code == 404
        assert (await client.get(f"/api/teams/{team}", headers=header)).status_code == 404
