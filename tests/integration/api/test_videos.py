"""Who sees which videos over HTTP."""

import asyncio
import re
import uuid
from datetime import UTC, datetime

import asyncpg
import pytest

from sightline.api.auth.callers import caller_from_claims
from sightline.config import AuthSettings

ANN, BEN, CID, TEAM, OTHER_TEAM = (uuid.UUID(int=number) for number in (11, 12, 13, 77, 78))


@pytest.fixture
async def add_video(fresh_database):
    admin = await asyncpg.connect(fresh_database.admin_url)

    async def add(owner, *, team=None, name="v", **fields):
        columns = {"owner_id": owner, "team_id": team, "name": name} | fields
        marks = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
        return await admin.fetchval(
            f"INSERT INTO videos ({', '.join(columns)}) VALUES ({marks}) RETURNING id", *columns.values()
        )

    yield add
    await admin.close()


@pytest.fixture
async def closed(client_with, auth_on):
    return await client_with(auth=auth_on)


async def _names(client, headers, **params):
    answer = await client.get("/videos", headers=headers, params=params)
    assert answer.status_code == 200
    return [video["name"] for video in answer.json()["videos"]]


@pytest.mark.req(136, 266)
async def test_a_user_sees_own_and_team_videos_and_no_others(closed, add_video, signed_in):
    await add_video(ANN, name="own")
    await add_video(BEN, team=TEAM, name="team's")
    await add_video(BEN, name="ben's")
    await add_video(BEN, team=OTHER_TEAM, name="other team's")
    assert set(await _names(closed, signed_in(ANN, team_ids=[str(TEAM)]))) == {"own", "team's"}


@pytest.mark.req(266)
async def test_whoever_has_none_sees_none(closed, add_video, signed_in):
    await add_video(ANN)
    assert await _names(closed, signed_in(CID)) == []


@pytest.mark.req(136)
async def test_leaving_the_team_takes_its_videos_away(closed, add_video, signed_in):
    video = await add_video(BEN, team=TEAM)
    inside = await closed.get(f"/videos/{video}", headers=signed_in(ANN, team_ids=[str(TEAM)]))
    outside = await closed.get(f"/videos/{video}", headers=signed_in(ANN))
    assert (inside.status_code, outside.status_code) == (200, 404)


@pytest.mark.req(136, 266)
async def test_somebody_elses_video_is_as_unknown_as_one_that_never_was(closed, add_video, signed_in):
    bens, nobodys = await add_video(BEN), uuid.uuid4()
    first, second = [await closed.get(f"/videos/{video}", headers=signed_in(ANN)) for video in (bens, nobodys)]
    assert (first.status_code, first.json()["error"]["code"]) == (404, "VIDEO_NOT_FOUND")
    assert first.text.replace(str(bens), "?") == second.text.replace(str(nobodys), "?")


@pytest.mark.req(136)
async def test_an_operator_is_no_exception(closed, add_video, signed_in):
    await add_video(BEN)
    assert await _names(closed, signed_in(ANN, sightline_role="operator")) == []


@pytest.mark.req(136)
async def test_users_at_the_same_time_do_not_see_each_others(closed, add_video, signed_in):
    people = [uuid.UUID(int=number) for number in range(1000, 1010)]
    for person in people:
        await add_video(person, name=str(person))
    seen = await asyncio.gather(*(_names(closed, signed_in(person)) for person in people * 3))
    assert seen == [[str(person)] for person in people * 3]


@pytest.mark.req(136)
async def test_hostile_claims_open_nothing(closed, add_video, signed_in):
    await add_video(ANN, name="own")
    await add_video(BEN, name="ben's", team=TEAM)
    for claims in (
        {"email": "o'brien@example.org'; DROP TABLE videos; --"},
        {"email": "\\'; RESET ROLE; --"},
        {"email": "ann\u0000@example.org"},
        {"email": "\ud83c\udfa5@example.org"},
        {"team_ids": ["'; DROP TABLE videos; --", "{}"]},
        {"role": "service_role"},
        {"app_metadata": {"team_ids": [str(TEAM)]}},
        {"team_ids": {"a": str(TEAM)}},
        {"team_ids": [[str(TEAM)]]},
    ):
        assert await _names(closed, signed_in(ANN, **claims)) == ["own"], claims


@pytest.mark.req(266)
async def test_the_newest_come_first(closed, add_video, signed_in):
    for day in (2, 3, 1):
        await add_video(ANN, name=f"day {day}", created_at=datetime(2026, 1, day, tzinfo=UTC))
    assert await _names(closed, signed_in(ANN)) == ["day 3", "day 2", "day 1"]


@pytest.mark.req(266)
async def test_no_more_are_listed_than_asked_for(closed, add_video, signed_in):
    for number in range(4):
        await add_video(ANN, name=str(number))
    assert len(await _names(closed, signed_in(ANN), limit=3)) == 3


@pytest.mark.req(266)
async def test_a_video_is_shown_with_its_status(closed, add_video, signed_in):
    video = await add_video(ANN, name="lecture.mp4", status="FAILED", error_reason="no audio", duration_ms=61_000)
    answer = (await closed.get(f"/videos/{video}", headers=signed_in(ANN))).json()
    shown = {name: answer[name] for name in answer if not name.endswith("At") and answer[name] is not None}
    assert [(move["status"], move["reason"]) for move in shown.pop("history")] == [("FAILED", "no audio")]
    assert shown == {
        "videoId": str(video),
        "name": "lecture.mp4",
        "status": "FAILED",
        "indexStatus": "failed",
        "errorReason": "no audio",
        "durationMs": 61_000,
        "canChange": True,
        "isOfTeam": False,
        "removals": [],
        "tags": [],
        "hasPoster": False,
    }


@pytest.mark.req(305)
async def test_times_are_utc_with_z(closed, add_video, signed_in):
    video = await add_video(ANN, created_at=datetime.fromisoformat("2026-01-17T11:00:00.123456+01:00"))
    answer = (await closed.get(f"/videos/{video}", headers=signed_in(ANN))).json()
    assert answer["createdAt"] == "2026-01-17T10:00:00.123Z"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", answer["updatedAt"])


async def test_a_name_of_any_language_is_shown_as_it_is(closed, add_video, signed_in):
    name = 'Übung 東京 🎥 "quoted" <b>\u2028'
    await add_video(ANN, name=name)
    assert await _names(closed, signed_in(ANN)) == [name]


async def test_an_id_may_be_written_in_any_form_that_a_uuid_has(closed, add_video, signed_in):
    video = await add_video(ANN)
    for form in ("{}", "{{{}}}", "urn:uuid:{}"):
        answer = await closed.get(f"/videos/{form.format(str(video).upper())}", headers=signed_in(ANN))
        assert answer.status_code == 200, form


@pytest.mark.req(266)
async def test_without_authentication_the_owner_sees_the_owners(client, add_video):
    await add_video(uuid.UUID("00000000-0000-0000-0000-000000000001"), name="mine")
    await add_video(BEN, name="left over from before")
    assert await _names(client, {}) == ["mine"]


@pytest.mark.req(136)
async def test_a_user_whose_id_is_no_uuid_has_videos_too(closed, add_video, signed_in):
    await add_video(caller_from_claims({"sub": "auth0|7"}, AuthSettings()).user_id, name="own")
    assert await _names(closed, signed_in("auth0|7")) == ["own"]
    assert await _names(closed, signed_in("auth0|8")) == []
