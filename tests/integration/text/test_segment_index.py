"""The job segment_index: segments, entities, search and the move to COMPLETED in one transaction, the same each time."""

from uuid import uuid4

import pytest

from sightline.contracts.jobs import SegmentIndex
from sightline.text import SegmentIndexJob, TextSettings, replace_readings
from sightline.videos import MoveRefused, get_video, list_moves
from support.screen_text import index, insert_video, one_after_another, read_and_index, reading


async def rows(database, statement, *arguments):
    async with database.transaction() as tx:
        return [tuple(row) for row in await tx.fetch(statement, *arguments)]


SEGMENTS = """SELECT id, text, t_start, t_end, confidence, frame_ms, readings, is_merged
    FROM segments WHERE video_id = $1 ORDER BY t_start, id"""
ENTITIES = """SELECT e.segment_id, e.entity_type::text, e.value, e.normalized_value, e.start_offset
    FROM entities AS e JOIN segments AS s ON s.id = e.segment_id WHERE s.video_id = $1 ORDER BY 1, 2, 3"""
SEARCH_ROWS = "SELECT * FROM search_rows WHERE video_id = $1 ORDER BY segment_id"


@pytest.fixture
def job(moves):
    return SegmentIndexJob(moves, TextSettings())


@pytest.mark.req(112, 113, 121)
async def test_readings_become_segments_and_the_video_is_found_at_once(database, moves, new_video, look_for):
    video_id = await new_video()
    readings = [
        one for at in (0, 100, 200) for one in (reading("Intro", at, at + 100), reading("Invoice", at, at + 100))
    ]
    await read_and_index(database, moves, video_id, readings)
    assert {row[1:4] for row in await rows(database, SEGMENTS, video_id)} == {("Intro", 0, 300), ("Invoice", 0, 300)}
    async with database.transaction() as tx:
        video = await get_video(tx, video_id)
    assert video is not None
    assert (video.status, video.index_status) == ("COMPLETED", "ready")
    assert [hit.row.video_id for hit in (await look_for("invoice")).hits] == [video_id]


@pytest.mark.req(119)
async def test_entities_are_taken_from_the_raw_text(database, moves, new_video):
    video_id = await new_video()
    await read_and_index(
        database, moves, video_id, one_after_another("Ask @Ada about #AI: https://Ex.com/Path", "🎉 $1,299.99")
    )
    assert [row[1:4] for row in sorted(await rows(database, ENTITIES, video_id), key=lambda row: row[2])] == [
        ("hashtag", "#AI", "#ai"),
        ("number", "$1,299.99", "1299.99 usd"),
        ("mention", "@Ada", "@ada"),
        ("url", "https://Ex.com/Path", "https://ex.com/path"),
        ("emoji", "🎉", "🎉"),
    ]


@pytest.mark.parametrize(
    ("text", "entity_type", "values"),
    [
        pytest.param("Follow @Ada_L now", "mention", {"@Ada_L"}, marks=pytest.mark.req(114)),
        pytest.param("Join #AI2026 and #go", "hashtag", {"#AI2026", "#go"}, marks=pytest.mark.req(115)),
        pytest.param(
            "See https://Example.com/Path/To or http://a.org/B",
            "url",
            {"https://Example.com/Path/To", "http://a.org/B"},
            marks=pytest.mark.req(116),
        ),
        pytest.param("Family 👩‍👩‍👧 in 🇧🇷", "emoji", {"👩‍👩‍👧", "🇧🇷"}, marks=pytest.mark.req(117)),
        pytest.param("$1,299.99 for 12 kg", "number", {"$1,299.99", "12 kg"}, marks=pytest.mark.req(118)),
    ],
    ids=["mention", "hashtag", "url", "emoji", "number"],
)
async def test_each_kind_of_entity_is_stored_with_its_type_and_raw_value(
    database, moves, new_video, text, entity_type, values
):
    video_id = await new_video()
    await read_and_index(database, moves, video_id, one_after_another(text))
    stored = [row[1:3] for row in await rows(database, ENTITIES, video_id)]
    assert sorted(stored) == sorted((entity_type, value) for value in values)


@pytest.mark.req(803)
async def test_rows_of_a_video_have_ids_that_begin_like_its_own(database, moves, new_video):
    video_id = await new_video()
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, one_after_another("Hello @ada", "Room 101"), from_ms=0, until_ms=None)
    read = await rows(database, "SELECT id FROM segments WHERE video_id = $1 AND NOT is_merged", video_id)
    await index(database, moves, video_id)
    merged = await rows(database, SEGMENTS, video_id)
    found = await rows(
        database,
        "SELECT e.id FROM entities AS e JOIN segments AS s ON s.id = segment_id WHERE s.video_id = $1",
        video_id,
    )
    ids = [row[0] for row in (*read, *merged, *found)]
    assert len(ids) == len(set(ids)) == 2 + 2 + 2, "readings, segments, a mention and a number"
    assert {one.bytes[:6] for one in ids} == {video_id.bytes[:6]}


@pytest.mark.req(120)
async def test_indexing_again_leaves_everything_as_it_was(database, moves, new_video):
    video_id = await new_video()
    readings = [
        *one_after_another("Hello @ada", "Room 101", "Room 102"),
        reading("Room 10l", 2000, 2100, confidence=0.7),
    ]
    await read_and_index(database, moves, video_id, readings)
    first = [await rows(database, one, video_id) for one in (SEGMENTS, ENTITIES, SEARCH_ROWS)]
    await index(database, moves, video_id)
    assert [await rows(database, one, video_id) for one in (SEGMENTS, ENTITIES, SEARCH_ROWS)] == first
    await read_and_index(database, moves, video_id, readings)
    assert [await rows(database, one, video_id) for one in (SEGMENTS, ENTITIES, SEARCH_ROWS)] == first
    async with database.transaction() as tx:
        assert [move.status for move in await list_moves(tx, video_id)] == ["PRINTING", "COMPLETED"]


@pytest.mark.req(120)
async def test_a_second_reading_replaces_what_the_first_found(database, moves, new_video, look_for):
    video_id = await new_video()
    await read_and_index(database, moves, video_id, one_after_another("old words @old"))
    await read_and_index(database, moves, video_id, one_after_another("new words"))
    assert [row[1] for row in await rows(database, SEGMENTS, video_id)] == ["new words"]
    assert await rows(database, ENTITIES, video_id) == []
    assert (await look_for("old", is_fuzzy=False)).total == 0
    assert (await look_for("new", is_fuzzy=False)).total == 1


@pytest.mark.req(110, 121)
async def test_a_video_without_text_is_completed_too(database, moves, new_video):
    video_id = await new_video()
    assert await index(database, moves, video_id) == 0
    async with database.transaction() as tx:
        video = await get_video(tx, video_id)
    assert video is not None
    assert (video.status, video.index_status) == ("COMPLETED", "ready")


@pytest.mark.req(121, 135)
async def test_a_run_that_ends_halfway_shows_nothing_and_loses_nothing(database, moves, new_video, job, look_for):
    video_id = await new_video()
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, one_after_another("Invoice"), from_ms=0, until_ms=None)
    with pytest.raises(RuntimeError):
        async with database.transaction() as tx:
            await job.index(tx, video_id)
            raise RuntimeError("killed")
    assert (await look_for("invoice")).total == 0
    assert [row[-1] for row in await rows(database, SEGMENTS, video_id)] == [False]
    await index(database, moves, video_id)
    assert (await look_for("invoice")).total == 1


async def test_readings_stored_during_a_run_are_left_for_the_next(database, moves, new_video):
    """ocr may run again while the index of its last run is written."""
    video_id = await new_video()
    await read_and_index(database, moves, video_id, one_after_another("first"))
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, one_after_another("second"), from_ms=0, until_ms=None)
    assert {(row[1], row[-1]) for row in await rows(database, SEGMENTS, video_id)} == {
        ("first", True),
        ("second", False),
    }
    await index(database, moves, video_id)
    assert [(row[1], row[-1]) for row in await rows(database, SEGMENTS, video_id)] == [("second", True)]


async def test_a_removed_video_stays_removed(database, moves, new_video):
    video_id = uuid4()
    assert await index(database, moves, video_id) == 0
    assert await rows(database, "SELECT 1 FROM search_rows") == []


@pytest.mark.req(295)
async def test_a_job_that_fails_for_good_fails_the_video_with_a_reason_and_a_retry_resumes_it(
    database, moves, new_video, job, look_for
):
    video_id = await new_video()
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, one_after_another("Invoice"), from_ms=0, until_ms=None)
        await job.on_failed(tx, SegmentIndex(video_id=video_id), {"type": "X", "message": "the disk was full"})
        video = await get_video(tx, video_id)
    assert video is not None
    assert (video.status, video.error_reason) == (
        "FAILED",
        "the text of the video could not be indexed: the disk was full",
    )
    await index(database, moves, video_id)
    async with database.transaction() as tx:
        assert [move.status for move in await list_moves(tx, video_id)] == [
            "PRINTING",
            "FAILED",
            "PRINTING",
            "COMPLETED",
        ]
    assert (await look_for("invoice")).total == 1


@pytest.mark.req(295)
async def test_a_failure_of_a_completed_or_removed_video_changes_nothing(database, moves, new_video, job):
    done = await new_video(status="COMPLETED")
    for video_id in (done, uuid4()):
        async with database.transaction() as tx:
            await job.on_failed(tx, SegmentIndex(video_id=video_id), {"type": "X"})
    async with database.transaction() as tx:
        video = await get_video(tx, done)
    assert video is not None
    assert video.status == "COMPLETED"


async def test_a_video_that_is_not_uploaded_yet_is_refused(database, moves, new_video):
    video_id = await new_video(status="UPLOADING")
    with pytest.raises(MoveRefused):
        await index(database, moves, video_id)


async def test_a_video_whose_earlier_stages_moved_nothing_is_completed(database, moves, new_video):
    video_id = await new_video(status="SPLITTING")
    await index(database, moves, video_id)
    async with database.transaction() as tx:
        history = [move.status for move in await list_moves(tx, video_id)]
    assert history[-3:] == ["SPLITTING", "PRINTING", "COMPLETED"]


@pytest.mark.req(122)
async def test_indexing_one_video_touches_no_row_of_another(database, moves, new_video):
    other = await new_video()
    await read_and_index(database, moves, other, one_after_another("Invoice one", "Invoice two"))
    everything = "SELECT ctid::text, xmin::text, xmax::text FROM {} WHERE video_id = $1 ORDER BY 1"
    before = [await rows(database, everything.format(table), other) for table in ("segments", "search_rows")]
    await read_and_index(database, moves, await new_video(), one_after_another("Invoice one", "Invoice three"))
    assert [await rows(database, everything.format(table), other) for table in ("segments", "search_rows")] == before


@pytest.mark.req(123)
async def test_segments_entities_and_search_rows_are_deleted_with_their_video(database, video_with, look_for):
    video_id = await video_with("Invoice @ada")
    kept = await video_with("Invoice @bob")
    async with database.transaction() as tx:
        await tx.execute("DELETE FROM videos WHERE id = $1", video_id)
    for table in ("segments", "search_rows"):
        assert await rows(database, f"SELECT DISTINCT video_id FROM {table}") == [(kept,)]
    assert await rows(database, "SELECT value FROM entities") == [("@bob",)]
    assert [hit.row.video_id for hit in (await look_for("invoice")).hits] == [kept]


@pytest.mark.req(107)
async def test_segments_are_owned_as_their_video(database, moves):
    owner, team = uuid4(), uuid4()
    video_id = await insert_video(database, owner=owner, team=team)
    await read_and_index(database, moves, video_id, one_after_another("Invoice"))
    for table in ("segments", "search_rows"):
        assert await rows(database, f"SELECT owner_id, team_id FROM {table}") == [(owner, team)]
