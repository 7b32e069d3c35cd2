"""Videos of an earlier version: found as before after the upgrade, and indexed again in the background."""

import asyncpg
import pytest

from sightline.db import open_database
from sightline.db.migrate import migrate, read_migrations
from sightline.text import SearchRequest, search_segments
from sightline.text.segments import fold
from support.postgres import patient_settings
from support.screen_text import OWNER, index, moves_on

BEFORE = 59
"""The migration that brought blocks."""


@pytest.mark.req(733)
async def test_a_video_of_an_earlier_version_is_found_as_before_and_then_across_its_lines(empty_database):
    url = empty_database.admin_url
    await migrate(url, [one for one in read_migrations() if one.number < BEFORE])
    admin = await asyncpg.connect(url)
    video_id = await admin.fetchval(
        "INSERT INTO videos (owner_id, name, status) VALUES ($1, 'old.mp4', 'COMPLETED') RETURNING id", OWNER
    )
    for at, text in enumerate(("Doctor: $1,249.50", "Who")):
        segment_id = await admin.fetchval(
            """INSERT INTO segments (video_id, owner_id, text, normalized_text, text_hash, t_start, t_end, confidence,
                                     bounding_box, is_merged)
               VALUES ($1, $2, $3, lower($3), $3, 0, 4000, 0.9, $4::text::jsonb, true) RETURNING id""",
            video_id,
            OWNER,
            text,
            f'{{"x": 100, "y": {100 + 40 * at}, "width": 90, "height": 30}}',
        )
        await admin.execute(
            """INSERT INTO search_rows (segment_id, video_id, owner_id, weight, t_start, t_end, language, folded)
               VALUES ($1, $2, $3, 1, 0, 4000, 'eng', $4)""",
            segment_id,
            video_id,
            OWNER,
            fold(text),
        )
    await migrate(url)
    jobs = await admin.fetch("SELECT video_id, job_type::text, priority FROM jobs")
    assert [tuple(row) for row in jobs] == [(video_id, "segment_index", -10)]
    await admin.close()

    database = await open_database(patient_settings(), empty_database.url)

    async def total(q: str) -> int:
        async with database.as_caller({"sub": str(OWNER)}) as tx:
            return (await search_segments(tx, SearchRequest(q))).total

    assert (await total("doctor"), await total("doctor who"), await total("1249.5")) == (1, 0, 0)
    assert await index(database, await moves_on(database, empty_database.url), video_id) == 2
    assert (await total("doctor"), await total("doctor who"), await total("1249.5")) == (1, 1, 1)
    await database.close()
