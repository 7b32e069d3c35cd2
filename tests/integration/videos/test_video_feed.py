"""Moves of videos on the live feed."""

from uuid import UUID

import pytest

from sightline.videos import NewVideo, VideoStatus

OWNER, TEAM, VIDEO = UUID(int=7), UUID(int=77), UUID(int=5)


@pytest.mark.req(283)
async def test_each_move_is_told_to_those_who_may_see_the_video(platform, client):
    async with platform.database.transaction() as tx:
        new = NewVideo(VIDEO, OWNER, "talk.mp4", owner_email="ann@example.com", team_id=TEAM)
        await platform.videos.create(tx, new)
        await platform.videos.move(tx, VIDEO, VideoStatus.UPLOADING)
        await platform.videos.move(tx, VIDEO, VideoStatus.FAILED, reason="the disk was full")
    async with platform.database.transaction() as tx:
        rows = await tx.fetch("SELECT sequence, type, data, owner_id, team_id FROM live_messages ORDER BY sequence")
    assert [row["sequence"] for row in rows] == [1, 2, 3]
    assert {(row["type"], row["owner_id"], row["team_id"]) for row in rows} == {("video.status", OWNER, TEAM)}
    told = rows[-1]["data"]
    assert (told["videoId"], told["status"], told["errorReason"]) == (str(VIDEO), "FAILED", "the disk was full")
    assert (told["indexStatus"], told["previousStatus"]) == ("failed", "UPLOADING")
    assert "ann@example.com" not in str(rows)


@pytest.mark.req(302)
async def test_a_move_that_is_rolled_back_is_not_told(platform):
    with pytest.raises(RuntimeError, match="crash"):
        async with platform.database.transaction() as tx:
            await platform.videos.create(tx, NewVideo(VIDEO, OWNER, "talk.mp4"))
            raise RuntimeError("crash")
    async with platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM live_messages") == 0
