"""PATCH /videos/{id}: names, descriptions and tags, and the videos that have them."""

from uuid import UUID

import pytest

from sightline.contracts.identity import LOCAL_OWNER_ID
from support.asking import is_error

ANN, BEN, TEAM = (UUID(int=number) for number in (11, 12, 77))


@pytest.fixture
async def closed(client_with, auth_on):
    return await client_with(auth=auth_on)


async def _names(client, **params):
    answer = await client.get("/videos", params=params)
    assert answer.status_code == 200, answer.text
    return [video["name"] for video in answer.json()["videos"]]


@pytest.mark.req(747)
async def test_an_owner_changes_what_is_given_and_nothing_else(closed, video_of, signed_in):
    video = await video_of(ANN)
    ann = signed_in(ANN)
    first = await closed.patch(
        f"/videos/{video}",
        headers=ann,
        json={"name": " Talk ", "description": "Two\nlines", "tags": ["Lectures", "lectures"]},
    )
    assert first.status_code == 200
    shown = first.json()
    assert (shown["name"], shown["description"], shown["tags"]) == ("Talk", "Two\nlines", ["Lectures"])
    await closed.patch(f"/videos/{video}", headers=ann, json={"tags": []})
    shown = (await closed.get(f"/videos/{video}", headers=ann)).json()
    assert (shown["name"], shown["description"], shown["tags"]) == ("Talk", "Two\nlines", [])
    await closed.patch(f"/videos/{video}", headers=ann, json={"description": None})
    assert (await closed.get(f"/videos/{video}", headers=ann)).json()["description"] is None


@pytest.mark.req(747)
async def test_members_of_a_team_read_and_do_not_change(closed, video_of, signed_in):
    video = await video_of(ANN, TEAM)
    mate = signed_in(BEN, team_ids=[str(TEAM)])
    assert (await closed.patch(f"/videos/{video}", headers=mate, json={"name": "mine"})).status_code == 403
    stranger = await closed.patch(f"/videos/{video}", headers=signed_in(BEN), json={"name": "mine"})
    assert is_error(stranger, 404, "VIDEO_NOT_FOUND")


@pytest.mark.req(747)
@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"name": "  "}, 422),
        ({"name": ""}, 422),
        ({"tags": ["x" * 60]}, 422),
        ({"tags": ["t"] * 400}, 422),
        ({"owner": "me"}, 422),
        ({"description": 5}, 422),
    ],
)
async def test_a_change_that_cannot_be_stored_is_refused(closed, video_of, signed_in, change, status):
    video = await video_of(ANN)
    answer = await closed.patch(f"/videos/{video}", headers=signed_in(ANN), json=change)
    assert answer.status_code == status, answer.text


@pytest.mark.req(747)
async def test_videos_are_listed_by_words_of_their_names_and_by_tag(client, video_of):
    talk, film = await video_of(LOCAL_OWNER_ID), await video_of(LOCAL_OWNER_ID)
    await client.patch(f"/videos/{talk}", json={"name": "Lecture_3 Übung.mp4", "tags": ["Physik", "two words"]})
    await client.patch(f"/videos/{film}", json={"name": "film.mov", "description": "about the übungen of physics"})
    assert await _names(client, q="lect ubung") == ["Lecture_3 Übung.mp4"]
    assert set(await _names(client, q="ubungen")) == {"film.mov"}
    assert set(await _names(client, q="phys")) == {
        "Lecture_3 Übung.mp4"
    }  # beginnings of a tag, whole words of a description
    assert await _names(client, tag="physik") == ["Lecture_3 Übung.mp4"]
    assert await _names(client, tag=["PHYSIK", "two words"]) == ["Lecture_3 Übung.mp4"]
    assert await _names(client, tag="phys") == []
    assert await _names(client, q="lecture", status="COMPLETED") == []
    assert await _names(client, q="lecture", limit=1) == ["Lecture_3 Übung.mp4"]
    for hostile in ("' | 'x", "\\", "!!", "*", f"o{LOCAL_OWNER_ID}"):
        assert await _names(client, q=hostile, tag=hostile) == []
