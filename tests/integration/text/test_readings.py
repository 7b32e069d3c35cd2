"""Readings of ocr in the table `segments`: owned as their video, replaced chunk by chunk, gone with it."""

from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.text import replace_readings
from sightline.text.segments import read_readings
from support.screen_text import OWNER, reading

TEAM = UUID("00000000-0000-0000-0000-0000000000bb")


async def count(database, video_id):
    async with database.transaction() as tx:
        return await tx.fetchval("SELECT count(*) FROM segments WHERE video_id = $1", video_id)


@pytest.mark.req(104, 107)
async def test_each_region_of_each_frame_is_a_row_with_the_columns_of_the_document(database, new_video):
    video_id = await new_video(team=TEAM)
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, [reading("Hello  World", 1500, 1600)], from_ms=0, until_ms=None)
        (row,) = await tx.fetch("SELECT * FROM segments WHERE video_id = $1", video_id)
    assert row["text"] == "Hello  World"
    assert row["normalized_text"] == "hello world"
    assert row["text_hash"]
    assert (row["t_start"], row["t_end"]) == (1500, 1600)
    assert row["confidence"] == pytest.approx(0.9)
    assert row["bounding_box"] == {"x": 10, "y": 20, "width": 200, "height": 30}
    assert row["language"] == "eng"
    assert (row["owner_id"], row["team_id"]) == (OWNER, TEAM)
    assert not row["is_merged"]


@pytest.mark.req(108)
async def test_reading_chunks_again_leaves_the_same_rows(database, new_video):
    video_id = await new_video()
    chunks = [(0, 1000, [reading("a", 0, 500), reading("b", 500, 1000)]), (1000, None, [reading("c", 1000, 1500)])]
    for _ in range(2):
        for from_ms, until_ms, readings in chunks:
            async with database.transaction() as tx:
                await replace_readings(tx, video_id, readings, from_ms=from_ms, until_ms=until_ms)
    async with database.transaction() as tx:
        assert [one.text for one in (await read_readings(tx, video_id)).values()] == ["a", "b", "c"]


@pytest.mark.req(108)
async def test_a_run_with_other_frames_leaves_nothing_of_the_earlier_one(database, new_video):
    video_id = await new_video()
    async with database.transaction() as tx:
        await replace_readings(
            tx, video_id, [reading(str(at), at, at + 100) for at in range(0, 3000, 100)], from_ms=0, until_ms=None
        )
        await replace_readings(tx, video_id, [reading("x", 50, 1000)], from_ms=0, until_ms=1000)
        await replace_readings(tx, video_id, [], from_ms=1000, until_ms=None)
        assert [one.text for one in (await read_readings(tx, video_id)).values()] == ["x"]


async def test_nothing_is_kept_of_a_video_that_was_removed(database, new_video):
    video_id = uuid4()
    async with database.transaction() as tx:
        assert await replace_readings(tx, video_id, [reading("a", 0, 500)], from_ms=0, until_ms=None) == 0
    assert await count(database, video_id) == 0


@pytest.mark.req(123)
async def test_readings_are_deleted_with_their_video(database, new_video):
    video_id = await new_video()
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, [reading("a", 0, 500)], from_ms=0, until_ms=None)
        await tx.execute("DELETE FROM videos WHERE id = $1", video_id)
    assert await count(database, video_id) == 0


async def test_empty_text_is_not_stored_and_odd_characters_are_harmless(database, new_video):
    video_id = await new_video()
    async with database.transaction() as tx:
        kept = await replace_readings(
            tx,
            video_id,
            [reading(" \0 ", 0, 100), reading("a\0b\ud800", 0, 100, confidence=1.0000001)],
            from_ms=0,
            until_ms=None,
        )
        assert kept == 1
        assert [one.text for one in (await read_readings(tx, video_id)).values()] == ["ab"]


@pytest.mark.req(136, 137)
async def test_users_see_their_own_segments_and_cannot_write(database, new_video):
    mine, theirs = await new_video(), await new_video(owner=uuid4())
    ours = await new_video(owner=uuid4(), team=TEAM)
    async with database.transaction() as tx:
        for video_id in (mine, theirs, ours):
            await replace_readings(tx, video_id, [reading("a", 0, 500)], from_ms=0, until_ms=None)
    claims = {"sub": str(OWNER), "team_ids": [str(TEAM)]}
    async with database.as_caller(claims) as tx:
        seen = await tx.fetch("SELECT video_id FROM segments")
    assert {row["video_id"] for row in seen} == {mine, ours}
    for statement in (
        "DELETE FROM segments",
        "UPDATE segments SET text = 'x'",
        "INSERT INTO segments SELECT * FROM segments",
        "DELETE FROM entities",
        "INSERT INTO entities SELECT * FROM entities",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.as_caller(claims) as tx:
                await tx.execute(statement)
