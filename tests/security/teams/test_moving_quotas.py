"""A video that moves counts towards the quotas of its new owner, and its bytes are the new owner's."""

import asyncio
from uuid import UUID

import pytest

from sightline.uploads import usage_of_owner
from sightline.usage import OwnQuotas, set_quotas, stored_now
from support.team_rig import EDDA, OLGA, fill, rows_seen, upload_to, wait_for_lock


@pytest.fixture
def move(ask):
    async def send(video_ids: list[str], team: str | None, person: UUID = EDDA) -> list[str | None]:
        answer = await ask(person, "POST", "/api/videos/move", {"video_ids": video_ids, "team_id": team})
        assert answer.status_code == 200, answer.text
        return [one["code"] for one in answer.json()["results"]]

    return send


async def give(platform, owner, **quotas) -> None:
    async with platform.database.transaction() as tx:
        await set_quotas(tx, UUID(str(owner)), OwnQuotas(**quotas))


async def finish_upload(platform, video_id: str) -> None:
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE uploads SET state = 'completed', ended_at = now() WHERE video_id = $1", UUID(video_id))


@pytest.mark.req(1175)
@pytest.mark.parametrize("quota", ["storage_bytes", "videos", "open_uploads", "minutes_per_month"])
async def test_a_video_that_exceeds_a_quota_of_its_next_owner_stays_where_it_is(platform, ask, team, move, quota):
    present, more = await upload_to(ask, team, OLGA), await upload_to(ask, None)
    await fill(platform, more)
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE videos SET duration_ms = 60000 WHERE id = $1", UUID(present))
    limit = {"storage_bytes": 1999, "videos": 1, "open_uploads": 1, "minutes_per_month": 1}[quota]
    await give(platform, team, **{quota: limit})
    before = await rows_seen(platform, None, more)
    assert await move([more], team) == ["QUOTA_EXCEEDED"]
    async with platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT owner_id FROM videos WHERE id = $1", UUID(more)) == EDDA
        assert await tx.fetchval("SELECT owner_id FROM segments WHERE video_id = $1", UUID(more)) == EDDA
        assert not await tx.fetchval("SELECT count(*) FROM live_messages WHERE type = 'video.owner_changed'")
    assert await rows_seen(platform, None, more) == before
    # What leaves the team makes room for it, and an owner without a limit takes it.
    await give(platform, team, **{quota: 0 if quota == "minutes_per_month" else limit})
    assert await move([present], None, OLGA) == [None]
    assert await move([more], team) == [None]


@pytest.mark.req(1175)
async def test_only_a_video_whose_upload_goes_on_counts_as_an_unfinished_upload(platform, ask, team, move):
    await upload_to(ask, team, OLGA)
    finished = await upload_to(ask, None)
    await finish_upload(platform, finished)
    await give(platform, team, open_uploads=1)
    assert await move([finished], team) == [None]


@pytest.mark.req(1175)
async def test_leaving_a_team_counts_for_the_person(platform, ask, team, move):
    video_id = await upload_to(ask, team)
    await give(platform, EDDA, storage_bytes=999)
    assert await move([video_id], None) == ["QUOTA_EXCEEDED"]
    await give(platform, EDDA, storage_bytes=1000)
    assert await move([video_id], None) == [None]


@pytest.mark.req(1175)
async def test_moves_and_uploads_at_the_same_moment_do_not_exceed_a_quota_together(platform, ask, team, move):
    videos = [await upload_to(ask, None) for _ in range(4)]
    await give(platform, team, videos=3)
    body = {"totalSize": 1000, "filename": "night.mp4", "teamId": team}
    async with platform.database.transaction() as tx:  # all of them wait at the same lock
        await tx.execute("SELECT pg_advisory_xact_lock(hashtextextended('sightline.upload_admission', 0))")
        moving = [asyncio.create_task(move([one], team)) for one in videos]
        uploading = [asyncio.create_task(ask(OLGA, "POST", "/videos", body)) for _ in range(4)]
        await wait_for_lock(platform)
    moved = [code for codes in await asyncio.gather(*moving) for code in codes]
    statuses = [answer.status_code for answer in await asyncio.gather(*uploading)]
    assert moved.count(None) + statuses.count(201) == 3
    assert set(moved) <= {None, "QUOTA_EXCEEDED"}
    assert set(statuses) <= {201, 403}
    async with platform.database.transaction() as tx:
        assert (await usage_of_owner(tx, UUID(team))).videos == 3


@pytest.mark.req(1176)
async def test_stored_bytes_are_the_new_owners_at_once(platform, ask, team, move, tmp_path):
    videos = [await upload_to(ask, None) for _ in range(2)]
    file = tmp_path / "frame.jpg"
    file.write_bytes(b"x" * 300)
    for video_id in videos:
        await platform.objects.put_file(f"frames/{video_id}/0.jpg", file, content_type="image/jpeg")

    async def derived() -> dict[str, int]:
        async with platform.database.transaction() as tx:
            found = {name: await stored_now(tx, UUID(str(one))) for name, one in (("edda", EDDA), ("team", team))}
        return {name: amounts["derived_bytes"] for name, amounts in found.items() if "derived_bytes" in amounts}

    assert await move(videos[:1], team) == [None]
    assert await derived() == {}  # nothing was measured yet
    assert await move(videos[:1], None) == [None]
    await platform.storage_meter.measure()
    assert await derived() == {"edda": 600}
    assert await move(videos[:1], team) == [None]
    assert await derived() == {"edda": 300, "team": 300}
    async with platform.database.transaction() as tx:  # measured yesterday, moved today
        await tx.execute("UPDATE owner_usage SET day = day - 1 WHERE measure LIKE 'stored%'")
    assert await move(videos[1:], team) == [None]
    assert await derived() == {"edda": 0, "team": 600}
    await platform.storage_meter.measure()
    assert await derived() == {"edda": 0, "team": 600}
