"""A worker killed in the middle of segment_index: nothing half done is seen, and the next worker does it whole."""

import asyncio
import sys

import asyncpg
import pytest

from sightline.contracts.jobs import SegmentIndex
from sightline.db import Listener
from sightline.jobs import JobQueue, Worker
from sightline.text import SegmentIndexJob, TextSettings, replace_readings
from support.screen_text import one_after_another
from support.waiting import until

WORKER = """
import asyncio, sys
from sightline.bus import Names, PostgresBus, default_topology
from sightline.db import DatabaseSettings, Listener, open_database
from sightline.jobs import Worker
from sightline.text import SegmentIndexJob, TextSettings
from sightline.videos import VideoMoves

async def main(url):
    database = await open_database(DatabaseSettings(connect_timeout_s=600), url)
    listener = Listener(url)
    bus = PostgresBus(database, listener, default_topology(stage="dev", bucket="b"), Names())
    job = SegmentIndexJob(VideoMoves(bus, page_url="http://localhost"), TextSettings())
    await Worker(job, database=database, listener=listener).run(asyncio.Event(), lambda: None)

asyncio.run(main(sys.argv[1]))
"""

SHOWN = ("Invoice @ada", "Total")


async def start_worker(url):
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", WORKER, url, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )


@pytest.mark.req(120, 121)
async def test_killed_halfway_it_is_done_whole_by_the_next(
    database, fresh_database, moves, new_video, video_with, look_for
):
    video_id = await new_video()
    async with database.transaction() as tx:
        await replace_readings(tx, video_id, one_after_another(*SHOWN), from_ms=0, until_ms=None)
        await JobQueue(database).enqueue(tx, SegmentIndex(video_id=video_id))
    holding = await asyncpg.connect(fresh_database.admin_url)
    in_the_way = holding.transaction()
    await in_the_way.start()
    await holding.execute("LOCK TABLE search_rows IN ACCESS EXCLUSIVE MODE")
    worker = await start_worker(fresh_database.url)

    async def waits_for_the_table():
        return await holding.fetchval(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'search_rows'::regclass AND NOT granted)"
        )

    await until(waits_for_the_table, within_s=60)  # its segments and entities are written by now
    worker.kill()
    await worker.wait()
    await in_the_way.rollback()
    await holding.close()

    async def states():
        async with database.transaction() as tx:
            merged = await tx.fetch("SELECT is_merged FROM segments WHERE video_id = $1", video_id)
            status = await tx.fetchval("SELECT status::text FROM videos WHERE id = $1", video_id)
            entities = await tx.fetchval("SELECT count(*) FROM entities")
        return status, [row["is_merged"] for row in merged], entities

    assert await states() == ("PRINTING", [False, False], 0)
    assert (await look_for("invoice")).total == 0

    async def is_completed():
        return (await states())[0] == "COMPLETED"

    async with database.transaction() as tx:  # as if the lease of the dead worker had run out
        await tx.execute("UPDATE jobs SET locked_until = now() - interval '1 second'")
    job = SegmentIndexJob(moves, TextSettings())
    stop = asyncio.Event()
    following = asyncio.create_task(
        Worker(job, database=database, listener=Listener(fresh_database.url)).run(stop, lambda: None)
    )
    await until(is_completed)
    stop.set()
    await following
    assert await states() == ("COMPLETED", [True, True], 1)
    assert (await look_for("invoice")).total == 1
    undisturbed = await video_with(*SHOWN)
    assert await what_is_kept(database, video_id) == await what_is_kept(database, undisturbed)


async def what_is_kept(database, video_id):
    """Segments, entities and search rows, without their ids."""
    async with database.transaction() as tx:
        found = [
            await tx.fetch(
                "SELECT text, t_start, t_end, confidence, bounding_box FROM segments WHERE video_id = $1 ORDER BY t_start",
                video_id,
            ),
            await tx.fetch(
                "SELECT entity_type, value, normalized_value FROM entities JOIN segments ON segments.id = segment_id"
                " WHERE segments.video_id = $1 ORDER BY value",
                video_id,
            ),
            await tx.fetch(
                "SELECT folded, tags, t_start, t_end FROM search_rows WHERE video_id = $1 ORDER BY t_start", video_id
            ),
        ]
    return [[tuple(row) for row in rows] for rows in found]
