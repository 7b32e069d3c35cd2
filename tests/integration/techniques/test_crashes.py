"""Killed half-way, again and again: publisher and consumer lose nothing, double nothing, and finalize once."""

import json
from functools import partial

import psutil
import pytest

from sightline.contracts.jobs import Analyze
from sightline.jobs import JobQueue
from sightline.objects import annotation_keys
from support import technique_process
from support.forks import forks_of
from support.technique_rig import techniques_on
from support.waiting import until

CLIPS, JOBS = 40, 2
WHOLE = JOBS * (CLIPS + 1)
KILLED_AT = (3, 4, 3)
"""The step at which each process is gone, of about a dozen that there are to do. Two are under way at once."""


def marks():
    row = {"category": "GUARD_PLAY", "technique": "Sweep", "role": "a"}
    return json.dumps([row | {"start": number, "end": number + 1} for number in range(CLIPS)])


def is_gone(pid):
    return not psutil.pid_exists(pid)


async def kill_and_finish(forks, role, rig, directory, progress):
    """Some processes are killed half-way, each one further than the one before; the last one finishes."""
    reached = 0
    for step in KILLED_AT:
        pid = await forks.start(role, rig.url, str(directory), str(step))
        await until(partial(is_gone, pid))
        assert reached < await progress() < WHOLE
        reached = await progress()
        await free_what_was_held(rig)
    (started,) = await rig.rows("SELECT now() AS at")
    pid = await forks.start(role, rig.url, str(directory), "0")

    async def is_whole():
        await free_what_was_held(rig, started["at"])
        return await progress() == WHOLE

    await until(is_whole)
    await forks.kill(pid)


async def free_what_was_held(rig, before=None):
    """As if the leases and the visibility had ended of all that was claimed before. What they are for is shown elsewhere."""
    await rig.rows(
        "UPDATE jobs SET locked_until = now() - interval '1 s'"
        " WHERE status = 'processing' AND started_at < coalesce($1, now()) RETURNING 1",
        before,
    )
    await rig.rows(
        "UPDATE sightline.bus_messages SET visible_at = now()"
        " WHERE receive_count > 0 AND visible_at > now() AND claimed_at < coalesce($1, now()) RETURNING 1",
        before,
    )


@pytest.mark.req(1, 2, 17, 18, 37, 43, 55)
async def test_killed_publishers_and_consumers_lose_and_double_nothing(fresh_database, database, tmp_path):
    async with techniques_on(fresh_database.url, database, technique_process.TOPOLOGY) as rig:
        videos = [await rig.video() for _ in range(JOBS)]
        for video in videos:
            async with technique_process.objects_in(tmp_path) as stored:
                await stored.store.put(annotation_keys(video)[0], marks().encode())
        async with database.transaction() as tx:
            queue = JobQueue(database)
            jobs = [
                str((await queue.enqueue(tx, Analyze(video_id=video, analyzer="annotations"))).id) for video in videos
            ]

        async def said():
            found = await rig.rows("SELECT coalesce(sum(published), 0) AS n FROM technique_publications")
            done = await rig.rows("SELECT count(*) AS n FROM jobs WHERE status = 'done'")
            return found[0]["n"] + done[0]["n"]

        async def taken_in():
            found = await rig.rows(
                "SELECT coalesce(sum(received_count), 0) + count(*) FILTER (WHERE finalized) AS n FROM video_analysis_status"
            )
            return found[0]["n"]

        with forks_of(technique_process.__name__) as forks:
            await kill_and_finish(forks, "work", rig, tmp_path, said)
            await kill_and_finish(forks, "consume", rig, tmp_path, taken_in)
        witness = []
        while batch := await rig.bus.receive(technique_process.WITNESS, limit=10, wait_s=0):
            witness += batch
        bodies = [json.loads(rig.delivery(one.body, one.attributes).notification.body) for one in witness]
        assert len(bodies) == WHOLE  # exactly N+1 each, whatever was killed
        assert sorted(body["job_id"] for body in bodies if "job_id" in body) == sorted(jobs)
        assert len({body["id"] for body in bodies if "id" in body}) == JOBS * CLIPS
        for video, job in zip(videos, jobs, strict=True):
            assert (await rig.status(video, job))["received_count"] == CLIPS
        assert sorted(message["job_id"] for message in await rig.live_messages()) == sorted(jobs)
