"""Killed half-way, again and again: publisher and consumer lose nothing, double nothing, and finalize once."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from sightline.contracts.jobs import Analyze
from sightline.jobs import JobQueue
from sightline.techniques.keys import annotation_keys
from support import technique_process
from support.technique_rig import techniques_on
from support.waiting import until

PROGRAM = Path(technique_process.__file__)
CLIPS, JOBS, KILLS = 150, 2, 3


async def start(role, url, directory):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(PROGRAM), role, url, str(directory)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    await asyncio.wait_for(process.stdout.readline(), 60)
    return process


def marks():
    row = {"category": "GUARD_PLAY", "technique": "Sweep", "role": "a"}
    return json.dumps([row | {"start": number, "end": number + 1} for number in range(CLIPS)])


async def kill_and_finish(role, use, directory, progress, whole):
    """Kills the role each time it has got somewhat further, and lets the last one finish."""
    kills, step = 0, whole // (KILLS + 1)
    while await progress() < whole:
        process = await start(role, use.url, directory)
        aim = whole if kills == KILLS else min(await progress() + step, whole)

        async def is_there(wanted=aim):
            return await progress() >= wanted

        await until(is_there, within_s=60)
        process.kill()
        await process.communicate()
        kills += 1
        # What a lease and a delay between tries are for is shown elsewhere; here nobody waits for them.
        await use.rows("UPDATE jobs SET locked_until = now() - interval '1 s' WHERE status = 'processing' RETURNING 1")
    return kills


@pytest.mark.req(1)
@pytest.mark.req(2)
@pytest.mark.req(17)
@pytest.mark.req(18)
@pytest.mark.req(37)
@pytest.mark.req(43)
@pytest.mark.req(55)
async def test_killed_publishers_and_consumers_lose_and_double_nothing(fresh_database, database, tmp_path):
    async with techniques_on(fresh_database.url, database, technique_process.TOPOLOGY) as use:
        videos = [await use.video() for _ in range(JOBS)]
        for video in videos:
            async with technique_process.objects_in(tmp_path) as stored:
                await stored.objects.put(annotation_keys(video)[0], marks().encode())
        async with database.transaction() as tx:
            queue = JobQueue(database)
            jobs = [
                str((await queue.enqueue(tx, Analyze(video_id=video, analyzer="annotations"))).id) for video in videos
            ]

        async def said():
            found = await use.rows("SELECT coalesce(sum(published), 0) AS n FROM technique_publications")
            done = await use.rows("SELECT count(*) AS n FROM jobs WHERE status = 'done'")
            return found[0]["n"] + done[0]["n"]

        async def taken_in():
            found = await use.rows(
                "SELECT coalesce(sum(received_count), 0) + count(*) FILTER (WHERE finalized) AS n FROM video_analysis_status"
            )
            return found[0]["n"]

        killed = await kill_and_finish("work", use, tmp_path, said, JOBS * (CLIPS + 1))
        assert killed > KILLS // 2
        witness = []
        while batch := await use.bus.receive(technique_process.WITNESS, most=10, wait_s=0):
            witness += batch
        bodies = [json.loads(use.delivery(one.body, one.attributes).notification.body) for one in witness]
        assert len(bodies) == JOBS * (CLIPS + 1)  # exactly N+1 each, whatever was killed
        assert sorted(body["job_id"] for body in bodies if "job_id" in body) == sorted(jobs)
        assert len({body["id"] for body in bodies if "id" in body}) == JOBS * CLIPS
        killed = await kill_and_finish("consume", use, tmp_path, taken_in, JOBS * (CLIPS + 1))
        assert killed > KILLS // 2
        for video, job in zip(videos, jobs, strict=True):
            assert (await use.status(video, job))["received_count"] == CLIPS
        assert sorted(told["job_id"] for told in await use.told()) == sorted(jobs)
