"""Storage over HTTP: what is used, quotas, rules, removals to come, and clear answers for what was removed."""

from datetime import timedelta
from uuid import uuid4

import pytest

from sightline.api import create_app
from sightline.contracts import LOCAL_OWNER_ID
from sightline.messages import MessagesSettings
from sightline.objects import frame_key, original_key, playlist_key, poster_key
from sightline.retention import RetentionSettings
from sightline.timing import utc_now
from sightline.uploads import UploadsSettings
from sightline.videos import NewVideo, VideoPart, remove_part
from support.pipeline_rig import STATUSES_IN_ORDER
from support.screen_text import insert_video, one_after_another, read_and_index


async def add_video(platform, *, days_old=0.0, owner=LOCAL_OWNER_ID):
    video_id = uuid4()
    async with platform.database.transaction() as tx:
        await platform.videos.create(tx, NewVideo(video_id, owner, "talk.mp4", size_bytes=7))
        for status in STATUSES_IN_ORDER:
            await platform.videos.move(tx, video_id, status)
        created_at = utc_now() - timedelta(days=days_old)
        await tx.execute(
            "UPDATE videos SET created_at = $2, s3_proxy_path = 'x', duration_ms = 9000 WHERE id = $1",
            video_id,
            created_at,
        )
    return video_id


async def remove(platform, part, video_id):
    async with platform.database.transaction() as tx:
        assert await remove_part(tx, part, [video_id]) == [video_id]


@pytest.mark.req(398)
async def test_a_removed_original_is_reported_with_what_to_do_and_not_as_an_error_of_ours(client, platform):
    video_id = await add_video(platform)
    await remove(platform, VideoPart.ORIGINAL, video_id)
    shown = (await client.get(f"/videos/{video_id}")).json()
    assert shown["originalRemovedAt"] is not None
    assert shown["framesRemovedAt"] is None
    asked = {"video_id": str(video_id), "t_start": 0, "t_end": 1000}
    for answer in (await client.get(f"/videos/{video_id}/download"), await client.post("/clips", json=asked)):
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (410, "ORIGINAL_REMOVED")
        assert "upload the file again" in error["message"]
        assert error["details"]["removedAt"] == shown["originalRemovedAt"]
    assert (await client.get(f"/videos/{video_id}/frames")).status_code == 200


@pytest.mark.req(399)
async def test_removed_frames_are_reported_and_hits_show_the_poster(client, platform):
    video_id = await insert_video(platform.database, owner=LOCAL_OWNER_ID)
    await read_and_index(platform.database, platform.videos, video_id, one_after_another("Agenda"))
    before = (await client.get("/search", params={"q": "agenda"})).json()["hits"]
    await remove(platform, VideoPart.FRAMES, video_id)
    for path in ("frames", "frames.zip"):
        answer = await client.get(f"/videos/{video_id}/{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (410, "FRAMES_REMOVED")
    after = (await client.get("/search", params={"q": "agenda"})).json()["hits"]
    assert frame_key(video_id, 0) in before[0]["thumbnail_url"]
    assert poster_key(video_id) in after[0]["thumbnail_url"]


@pytest.mark.req(400)
async def test_the_pipeline_of_a_completed_video_is_done_also_without_its_jobs(client, platform):
    video_id = await add_video(platform)
    answer = (await client.get("/api/pipelines", params={"video_ids": f"{video_id},{uuid4()}"})).json()["pipelines"]
    assert [{step["status"] for step in one["steps"]} for one in answer] == [{"done"}, {"waiting"}]


@pytest.mark.req(404)
async def test_what_a_rule_will_reach_within_the_notice_is_announced(platform_with, client_for):
    rules = RetentionSettings(videos_days=100, originals_days=30, frames_days=200, notice_days=7)
    platform = await platform_with(retention=rules)
    client = client_for(create_app(platform))
    ids = {days: str(await add_video(platform, days_old=days)) for days in (1, 25, 95)}
    listed = {one["videoId"]: one for one in (await client.get("/videos")).json()["videos"]}
    parts = {days: [one["part"] for one in listed[video_id]["removals"]] for days, video_id in ids.items()}
    # What would come after the deletion of the whole video is not announced.
    assert parts == {1: [], 25: ["original"], 95: ["original", "video"]}
    assert (await client.get(f"/videos/{ids[25]}")).json()["removals"] == listed[ids[25]]["removals"]


@pytest.mark.req(404)
async def test_operators_see_what_is_stored_what_is_free_and_the_rules(platform_with, client_for):
    platform = await platform_with(retention=RetentionSettings(originals_max_bytes=10**9, done_jobs_days=30))
    client = client_for(create_app(platform))
    video_id = uuid4()
    for key, size in ((original_key(video_id), 300), (playlist_key(video_id), 20), (frame_key(video_id, 0), 5)):
        await platform.objects.put(key, b"x" * size)
    assert (await client.get("/api/storage")).json()["measured_at"] is None
    platform.open_objects.disk._free_space = lambda _: 1000
    answer = (await client.post("/api/storage/measure")).json()
    assert (await client.get("/api/storage")).json() == answer
    used = {one["kind"]: one["bytes"] for one in answer["kinds"]}
    assert {kind: size for kind, size in used.items() if size and kind != "database"} == {
        "originals": 300,
        "streams": 20,
        "frames": 5,
    }
    assert used["database"] > 1_000_000
    assert (answer["usable_bytes"], answer["announced_bytes"]) == (1000, 0)
    assert (await client.post("/videos", json={"totalSize": 400, "filename": "a.mp4"})).status_code == 201
    answer = (await client.get("/api/storage")).json()
    assert (answer["usable_bytes"], answer["announced_bytes"]) == (600, 400)
    assert answer["rules"] == [
        {"rule": "originals", "days": None, "max_bytes": 10**9},
        {"rule": "clips", "days": 30.0, "max_bytes": None},
        {"rule": "recordings", "days": 14.0, "max_bytes": None},
        {"rule": "done_jobs", "days": 30.0, "max_bytes": None},
    ]


@pytest.mark.req(404)
async def test_people_see_what_concerns_them_and_nothing_of_the_machine(platform_with, client_for, auth_on, signed_in):
    quotas = UploadsSettings(quota_bytes=50, quota_open_uploads=2)
    platform = await platform_with(auth=auth_on, uploads=quotas, retention=RetentionSettings(done_jobs_days=30))
    client = client_for(create_app(platform))
    ana = signed_in("ana")
    assert (await client.get("/api/storage", headers=ana)).status_code == 403
    assert (await client.post("/api/storage/measure", headers=ana)).status_code == 403
    body = {"totalSize": 20, "filename": "a.mp4"}
    assert (await client.post("/videos", json=body, headers=signed_in("ben"))).status_code == 201
    assert (await client.post("/videos", json=body, headers=ana)).status_code == 201
    assert (await client.get("/api/storage/mine", headers=ana)).json() == {
        "storage_bytes": {"used": 20, "limit": 50},
        "videos": {"used": 1, "limit": None},
        "open_uploads": {"used": 1, "limit": 2},
        "rules": [
            {"rule": "clips", "days": 30.0, "max_bytes": None},
            {"rule": "recordings", "days": 14.0, "max_bytes": None},
        ],
    }


@pytest.mark.req(397)
async def test_messages_are_kept_as_long_as_the_setting_says(platform_with, client_for):
    platform = await platform_with(messages=MessagesSettings(retention_days=10))
    client = client_for(create_app(platform))
    body = {"message_type": "manual_notification", "stage": "dev", "payload": {"message": "hello"}}
    assert (await client.post("/api/messages", json=body)).status_code == 202
    async with platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT ttl - extract(epoch FROM created_date)::bigint FROM messages") in range(
            10 * 86400 - 1, 10 * 86400 + 2
        )
