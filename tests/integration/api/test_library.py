"""The library of videos over HTTP: orders of the list, the trash, collections, sprite sheets."""

from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.access import find_entries
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.objects import sprite_sheet_key
from sightline.retention import RetentionSettings
from support.asking import is_error

ANN, BEN, TEAM = (UUID(int=number) for number in (11, 12, 77))
SHEET = {"interval_ms": 1000, "tiles": 3, "columns": 3, "tile_width": 160, "tile_height": 90, "version": "abc123"}


@pytest.fixture
async def closed(client_with, auth_on):
    return await client_with(auth=auth_on)


@pytest.fixture
async def closed_platform(client_with, platform_with, auth_on):
    return await client_with(auth=auth_on), await platform_with(auth=auth_on)


@pytest.fixture
async def finished(video_of, fresh_database):
    """Adds a video that was processed; further values are columns of its row."""
    admin = await asyncpg.connect(fresh_database.admin_url)

    async def add(owner=LOCAL_OWNER_ID, team=None, **columns):
        video_id = await video_of(owner, team)
        async with admin.transaction():
            await admin.execute("SET LOCAL sightline.writer = 'platform'")
            await admin.execute("SET LOCAL session_replication_role = replica")  # past the guard of status moves
            await admin.execute("UPDATE videos SET status = 'COMPLETED' WHERE id = $1", video_id)
            for name, value in columns.items():
                await admin.execute(f"UPDATE videos SET {name} = $2 WHERE id = $1", video_id, value)
        return video_id

    yield add
    await admin.close()


async def _names(client, headers=None, **params):
    answer = await client.get("/videos", params=params, headers=headers)
    assert answer.status_code == 200, answer.text
    return [video["name"] for video in answer.json()["videos"]]


@pytest.mark.req(960)
@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("newest", ["Über", "b", "Ächt"]),
        ("oldest", ["Ächt", "b", "Über"]),
        ("name", ["Ächt", "b", "Über"]),
        ("longest", ["b", "Ächt", "Über"]),
        ("largest", ["Über", "Ächt", "b"]),
    ],
)
async def test_videos_are_listed_in_the_order_that_was_chosen_page_by_page(client, finished, sort, names):
    await finished(name="Ächt", duration_ms=5, size_bytes=20)
    await finished(name="b", duration_ms=9)
    await finished(name="Über", size_bytes=300)
    found, cursor = [], None
    while True:
        params = {"sort": sort, "limit": 1, **({} if cursor is None else {"cursor": cursor})}
        page = (await client.get("/videos", params=params)).json()
        found += [video["name"] for video in page["videos"]]
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert found == names


@pytest.mark.req(960)
async def test_a_cursor_of_another_order_is_refused(client):
    assert is_error(await client.get("/videos", params={"sort": "name", "cursor": "x_y"}), 422, "VALIDATION_ERROR")
    assert is_error(await client.get("/videos", params={"sort": "wildest"}), 422, "VALIDATION_ERROR")


@pytest.mark.req(961)
async def test_a_video_in_the_trash_is_nowhere_else_and_comes_back_as_it_was(closed, finished, signed_in):
    video, ann = await finished(ANN, name="talk"), signed_in(ANN)
    moved = await closed.post("/api/trash", headers=ann, json={"video_ids": [str(video), str(video)]})
    assert moved.status_code == 200, moved.text
    (shown,) = moved.json()["videos"]
    assert (shown["name"], shown["trashed_at"] < shown["removed_at"]) == ("talk", True)
    assert await _names(closed, ann) == []
    for path in ("", "/stream/index.m3u8", "/poster", "/segments", "/download"):
        assert is_error(await closed.get(f"/videos/{video}{path}", headers=ann), 404, "VIDEO_NOT_FOUND")
    listed = (await closed.get("/api/trash", headers=ann)).json()
    assert [one["video_id"] for one in listed["videos"]] == [str(video)]
    assert (await closed.post("/api/trash/restore", headers=ann, json={"video_ids": [str(video)]})).status_code == 204
    assert await _names(closed, ann) == ["talk"]
    assert (await closed.get("/api/trash", headers=ann)).json()["videos"] == []
    (pipeline,) = (await closed.get("/api/pipelines", headers=ann, params={"video_ids": str(video)})).json()[
        "pipelines"
    ]
    queued = [step["name"] for step in pipeline["steps"] if step["status"] == "queued"]
    assert queued == ["segment_index"]  # its text is searchable again


@pytest.mark.req(961)
async def test_the_trash_is_the_owners_and_takes_all_or_nothing(closed, finished, video_of, signed_in):
    own, unfinished = await finished(ANN, TEAM), await video_of(ANN)
    ann, mate = signed_in(ANN), signed_in(BEN, team_ids=[str(TEAM)])
    assert is_error(await closed.post("/api/trash", headers=mate, json={"video_ids": [str(own)]}), 403, "FORBIDDEN")
    both = {"video_ids": [str(own), str(unfinished)]}
    refused = await closed.post("/api/trash", headers=ann, json=both)
    assert is_error(refused, 409, "CONFLICT")
    assert refused.json()["error"]["details"] == {"videoIds": [str(unfinished)]}
    assert is_error(
        await closed.post("/api/trash", headers=ann, json={"video_ids": [str(uuid4())]}), 404, "VIDEO_NOT_FOUND"
    )
    assert is_error(await closed.post("/api/trash", headers=ann, json={"video_ids": []}), 400, "VALIDATION_ERROR")
    assert (await closed.get("/api/trash", headers=ann)).json()["videos"] == []
    await closed.post("/api/trash", headers=ann, json={"video_ids": [str(own)]})
    assert (await closed.get("/api/trash", headers=mate)).json()["videos"] == []
    for way in ("restore", "delete"):
        answer = await closed.post(f"/api/trash/{way}", headers=mate, json={"video_ids": [str(own)]})
        assert is_error(answer, 404, "VIDEO_NOT_FOUND")


@pytest.mark.req(1101)
async def test_the_audit_log_names_every_video_that_went_through_the_trash(closed_platform, finished, signed_in):
    closed, platform = closed_platform
    videos, ann = [await finished(ANN) for _ in range(2)], signed_in(ANN)
    body = {"video_ids": [str(video) for video in videos]}
    for way in ("", "/restore", "", "/delete"):
        assert (await closed.post(f"/api/trash{way}", headers=ann, json=body)).is_success
    assert is_error(await closed.post("/api/trash/restore", headers=ann, json=body), 404, "VIDEO_NOT_FOUND")
    async with platform.database.transaction() as tx:
        found = [entry.to_json() for entry in await find_entries(tx, limit=100)]
    for video in videos:
        own = [one["action"] for one in reversed(found) if one["target"] == f"video {video}"]
        assert own == ["video.trashed", "video.restored", "video.trashed", "video.deleted"]
    assert [(one["target"], one["outcome"]) for one in found if one["outcome"] != "done"] == [(None, "failed")]


@pytest.mark.req(961)
async def test_a_video_is_deleted_for_good_by_hand_or_when_its_time_in_the_trash_is_over(client, platform, finished):
    by_hand, by_time, kept = [await finished() for _ in range(3)]
    for video in (by_hand, by_time, kept):
        await platform.objects.put(sprite_sheet_key(video), b"picture")
    await client.post("/api/trash", json={"video_ids": [str(by_hand), str(by_time)]})
    assert (await client.post("/api/trash/delete", json={"video_ids": [str(by_hand)]})).status_code == 204
    assert await platform.objects.head(sprite_sheet_key(by_hand)) is None
    await platform.removals.sweep()
    assert await platform.objects.head(sprite_sheet_key(by_time)) is not None  # its days are not over
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE videos SET trashed_at = now() - interval '8 days' WHERE id = $1", by_time)
    assert RetentionSettings().trash_days == 7
    await platform.removals.sweep()
    assert await platform.objects.head(sprite_sheet_key(by_time)) is None
    assert (await client.get("/api/trash")).json()["videos"] == []
    assert await platform.objects.head(sprite_sheet_key(kept)) is not None


@pytest.mark.req(962)
async def test_a_collection_holds_videos_that_are_also_in_others(closed, finished, signed_in):
    ann = signed_in(ANN, team_ids=[str(TEAM)])
    own, team = await finished(ANN, name="own", s3_thumb_path="x"), await finished(BEN, TEAM, name="team")
    first, second = [
        (await closed.post("/api/collections", headers=ann, json={"name": name})).json()["collection_id"]
        for name in (" Talks ", "All")
    ]
    path = f"/api/collections/{first}"
    for _ in range(2):
        body = {"add": [str(own), str(team)]}
        held = (await closed.post(f"{path}/videos", headers=ann, json=body)).json()
    assert (held["name"], held["videos"], held["covers"]) == ("Talks", 2, [str(own)])
    await closed.post(f"/api/collections/{second}/videos", headers=ann, json={"add": [str(own)]})
    assert await _names(closed, ann, collection=first, sort="name") == ["own", "team"]
    assert await _names(closed, ann, collection=second) == ["own"]
    listed = (await closed.get("/api/collections", headers=ann, params={"video_id": str(own)})).json()["collections"]
    assert [one["name"] for one in listed] == ["All", "Talks"]
    await closed.post(f"{path}/videos", headers=ann, json={"remove": [str(team)]})
    assert await _names(closed, ann, collection=first) == ["own"]
    assert (await closed.delete(path, headers=ann)).status_code == 204
    assert set(await _names(closed, ann)) == {"own", "team"}  # its videos stay


@pytest.mark.req(962)
async def test_collections_are_the_owners_alone_with_names_of_their_own(closed, finished, signed_in):
    ann, ben = signed_in(ANN), signed_in(BEN)
    hidden = await finished(BEN)
    made = await closed.post("/api/collections", headers=ann, json={"name": "Talks"})
    path = f"/api/collections/{made.json()['collection_id']}"
    assert is_error(await closed.post("/api/collections", headers=ann, json={"name": "Talks"}), 409, "CONFLICT")
    assert is_error(await closed.post("/api/collections", headers=ann, json={"name": "  "}), 400, "VALIDATION_ERROR")
    assert (await closed.post("/api/collections", headers=ben, json={"name": "Talks"})).status_code == 201
    other = await closed.post("/api/collections", headers=ann, json={"name": "Films"})
    renamed = await closed.patch(
        f"/api/collections/{other.json()['collection_id']}", headers=ann, json={"name": "Talks"}
    )
    assert is_error(renamed, 409, "CONFLICT")
    assert (await closed.patch(path, headers=ann, json={"name": "Lectures"})).json()["name"] == "Lectures"
    assert is_error(
        await closed.post(f"{path}/videos", headers=ann, json={"add": [str(hidden)]}), 404, "VIDEO_NOT_FOUND"
    )
    for answer in (
        await closed.get(path, headers=ben),
        await closed.patch(path, headers=ben, json={"name": "mine"}),
        await closed.post(f"{path}/videos", headers=ben, json={"add": [str(hidden)]}),
        await closed.delete(path, headers=ben),
    ):
        assert is_error(answer, 404, "COLLECTION_NOT_FOUND")
    assert [one["name"] for one in (await closed.get("/api/collections", headers=ben)).json()["collections"]] == [
        "Talks"
    ]


@pytest.mark.req(963)
async def test_a_sprite_sheet_is_kept_by_browsers_and_shown_to_those_who_see_the_video(client, platform, finished):
    video, older = await finished(sprite_sheet='{"x": 1}'), await finished()
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE videos SET sprite_sheet = $2 WHERE id = $1", video, SHEET)
    await platform.objects.put(sprite_sheet_key(video), b"pictures")
    shown = (await client.get(f"/videos/{video}")).json()["spriteSheet"]
    assert (shown["intervalMs"], shown["tileWidth"], shown["version"]) == (1000, 160, "abc123")
    path = f"/videos/{video}/sprite.jpg"
    first = await client.get(path, params={"v": "abc123"})
    assert (first.content, first.headers["content-type"]) == (b"pictures", "image/jpeg")
    assert first.headers["cache-control"] == "private, max-age=2592000, immutable"
    assert (await client.get(path)).headers["cache-control"] == "private, no-cache"
    again = await client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (await client.get(f"/videos/{older}")).json()["spriteSheet"] is None
    assert is_error(await client.get(f"/videos/{older}/sprite.jpg"), 404, "SPRITE_SHEET_NOT_FOUND")
