"""A word that stands almost everywhere is found in another way than a rare one, with the same result."""

import asyncio
from uuid import uuid4

import asyncpg
import pytest

from sightline.db import open_database
from sightline.text import SearchFilter, SearchRequest, search_segments
from sightline.text.search.search_row import MIN_SEGMENTS_OF_COMMON_WORD
from support.postgres import patient_settings
from support.screen_text import OWNER, PLACE, insert_video, moves_on, one_after_another, read_and_index, reading
from support.waiting import until

EVERYWHERE = 5000
"""Hits from which on the migration counts by video."""


@pytest.fixture(scope="module")
def large_library(databases):
    """A database to copy, since indexing so many lines takes long."""
    made = databases.migrated()
    asyncio.run(_fill(made))
    yield made
    databases.drop(made)


async def _fill(addresses):
    """One video in which `the` is everywhere, one in which it is rare, one of a stranger."""
    lines = [
        reading(f"the {'long ' * (at % 4)}line {at}", at * 100, at * 100 + 100, box=PLACE)
        for at in range(EVERYWHERE + 100)
    ]
    strange = one_after_another("the stranger", "the strange", "the three", "the four")
    database = await open_database(patient_settings(), addresses.url)
    moves = await moves_on(database, addresses.url)
    await read_and_index(database, moves, await insert_video(database), lines)
    few = one_after_another("the end", "beginning of the end", "other")
    await read_and_index(database, moves, await insert_video(database), few)
    await read_and_index(database, moves, await insert_video(database, owner=uuid4()), strange)
    await database.close()
    admin = await asyncpg.connect(addresses.admin_url)
    await admin.execute("ANALYZE search_rows")  # from now on it is known that the owner owns most
    await admin.close()


@pytest.fixture
def fresh_database(databases, large_library):
    made = databases.copy_of(large_library)
    yield made
    databases.drop(made)


@pytest.fixture
async def library(fresh_database):
    admin = await asyncpg.connect(fresh_database.admin_url)
    assert await admin.fetchval("SELECT sightline.owns_most_search_rows($1)", OWNER)
    yield admin
    await admin.close()


@pytest.mark.req(134, 136)
async def test_it_is_counted_by_video_and_found_best_first_as_any_other(library, look_for):
    another_way = SearchFilter(from_ms=0)  # narrows nothing, but such questions are answered from the search rows
    for page in (1, 2, 40, 60, 259):
        counted = await look_for("the", page=page)
        looked_up = await look_for("the", page=page, filters=another_way)
        assert counted.total == looked_up.total == EVERYWHERE + 102
        assert [hit.row.id for hit in counted.hits] == [hit.row.id for hit in looked_up.hits]
        assert all(hit.spans for hit in counted.hits)
    assert "stranger" not in " ".join(hit.text for hit in (await look_for("the", page_size=100)).hits)


async def test_going_through_the_best_rows_is_what_the_first_pages_do(library, database):
    async with database.as_caller({"sub": str(OWNER)}) as tx:
        await search_segments(tx, SearchRequest("the"))
        await tx.execute("SELECT pg_stat_force_next_flush()")

    async def is_counted():
        scans = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'search_rows_best_first'"
        return await library.fetchval(scans) == 1

    await until(is_counted)


async def test_common_words_are_kept_by_video_and_go_with_it(library, database, look_for):
    async with database.transaction() as tx:
        kept = await tx.fetch("SELECT word, hits FROM search_common_words ORDER BY hits DESC, word LIMIT 3")
        assert [tuple(row) for row in kept] == [
            ("line", EVERYWHERE + 100),
            ("the", EVERYWHERE + 100),
            ("long", (EVERYWHERE + 100) * 3 // 4),
        ]
        assert await tx.fetchval("SELECT min(hits) FROM search_common_words") >= MIN_SEGMENTS_OF_COMMON_WORD
        await tx.execute("DELETE FROM videos WHERE id = (SELECT video_id FROM search_common_words WHERE word = 'line')")
        assert await tx.fetchval("SELECT count(*) FROM search_common_words WHERE word = 'line'") == 0
    assert (await look_for("the")).total == 2


async def test_users_cannot_read_the_counts(library, database):
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.as_caller({"sub": str(OWNER)}) as tx:
            await tx.execute("SELECT * FROM search_common_words")
