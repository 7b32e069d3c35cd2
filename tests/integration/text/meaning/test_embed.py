"""The job `embed` with the real model: every passage once, again after changes, and after interruptions."""

import signal

import psutil
import pytest

from sightline.contracts.jobs import Embed, SegmentIndex
from sightline.text import Box, SpeechSegment, replace_readings, replace_speech
from sightline.text.meaning import embed
from sightline.text.meaning.vectors_store import store_passages
from sightline.videos import remove_video
from support.model_processes import model_processes
from support.screen_text import reading
from support.waiting import until

FIRST, SECOND, THIRD = (
    "The train leaves from platform four",
    "Please mind the gap",
    "Dinner is served in the dining car",
)


def many(count):
    """Texts that are each a passage of their own."""
    words = ("train", "river", "invoice", "garden", "concert", "storm", "bakery", "ticket", "museum", "engine")
    return [f"Notice number {n} is about the {words[n % 10]} beside the {words[n // 10 % 10]}" for n in range(count)]


@pytest.mark.req(740)
async def test_a_second_run_of_an_unchanged_video_makes_nothing_and_changes_nothing(use, shown, vectors_of):
    video_id = await shown(FIRST, SECOND, THIRD, "12:30")
    done = await use.run(Embed(video_id=video_id))
    assert (done.status, done.result["passages"], done.result["made"]) == ("done", 3, 3)
    before = await vectors_of(video_id)
    again = await use.run(Embed(video_id=video_id))
    assert (again.status, again.result["passages"], again.result["made"]) == ("done", 3, 0)
    assert await vectors_of(video_id) == before
    (marked,) = await use.sql("SELECT model, passages FROM embedded_videos WHERE video_id = $1", video_id)
    assert (marked["model"], marked["passages"]) == (use.platform.meaning.status().model_key, 3)


@pytest.mark.req(740)
async def test_texts_that_are_indexed_again_get_new_vectors_and_lose_the_old_ones(use, embedded, look_for):
    video_id = await embedded(FIRST, SECOND)
    async with use.platform.database.transaction() as tx:
        readings = [reading(THIRD, 0, 2000, box=Box(10, 20, 400, 30))]
        await replace_readings(tx, video_id, readings, from_ms=0, until_ms=None)
    assert (await use.run(SegmentIndex(video_id=video_id))).status == "done"
    assert await use.sql("SELECT FROM embedded_videos WHERE video_id = $1", video_id) == []
    (job,) = [one for one in await use.jobs_of(video_id, "embed") if one["status"] == "queued"]
    assert job["priority"] < 0
    async with use.working(use.handler("embed")):
        assert (await use.settled(job["id"])).result["made"] == 1
    found = await look_for("meal on a railway journey", mode="only")
    assert [hit.text for hit in found.hits] == [THIRD]
    (count,) = await use.sql("SELECT count(*) FROM passage_vectors WHERE video_id = $1", video_id)
    assert count["count"] == 1


@pytest.mark.req(740)
async def test_what_is_said_has_vectors_too(use, shown, look_for):
    video_id = await shown(FIRST)
    said = [
        SpeechSegment("We have to talk about the budget.", 10_000, 12_000, 0.9, "eng", ()),
        SpeechSegment("There is not enough money left for this year.", 12_300, 15_000, 0.9, "eng", ()),
    ]
    async with use.platform.database.transaction() as tx:
        await replace_speech(tx, video_id, said, from_ms=0, until_ms=60_000)
    assert (await use.run(Embed(video_id=video_id))).status == "done"
    (hit,) = (await look_for("the finances are exhausted", mode="only")).hits
    assert (hit.row.kind, hit.row.t_start, hit.row.t_end) == ("speech", 10_000, 15_000)
    assert hit.text == "We have to talk about the budget.\nThere is not enough money left for this year."


@pytest.mark.req(741)
async def test_a_job_whose_process_is_killed_is_repeated_and_continues(use, shown, vectors_of, monkeypatch):
    texts = many(100)
    undisturbed, video_id = await shown(*texts), await shown(*texts)
    assert (await use.run(Embed(video_id=undisturbed))).status == "done"
    # The process of the undisturbed job may still be ending.
    before = model_processes()
    killed_processes: set[psutil.Process] = set()

    async def store_and_kill(*arguments):
        await store_passages(*arguments)
        if not killed_processes:
            await until(lambda: bool(model_processes() - before))
            killed_processes.update(model_processes() - before)
            for process in killed_processes:
                process.send_signal(signal.SIGKILL)

    monkeypatch.setattr(embed, "store_passages", store_and_kill)
    job_id = await use.enqueue(Embed(video_id=video_id))
    async with use.working(use.handler("embed")):
        killed = await use.settled(job_id)
        assert killed_processes
        assert (killed.status, killed.retry_count) == ("queued", 1)
        stored = len(await vectors_of(video_id))
        assert 32 <= stored < 100
        await use.make_due(job_id)
        done = await use.settled(job_id, retried=1)
    assert (done.status, done.result["made"]) == ("done", 100 - stored)
    assert sorted((await vectors_of(video_id)).values()) == sorted((await vectors_of(undisturbed)).values())


@pytest.mark.req(740)
async def test_vectors_go_with_their_video(use, embedded, vectors_of):
    video_id, other = await embedded(FIRST, SECOND), await embedded(THIRD)
    async with use.platform.database.transaction() as tx:
        await remove_video(tx, video_id, store_upload_id=None)
    assert await vectors_of(video_id) == {}
    assert len(await vectors_of(other)) == 1
    done = await use.run(Embed(video_id=other))
    assert done.status == "done"
    gone = await use.enqueue(Embed(video_id=other))
    await use.sql("DELETE FROM videos WHERE id = $1", other)
    assert await use.sql("SELECT FROM embedded_videos") == []
    assert await use.sql("SELECT FROM jobs WHERE id = $1 AND status = 'processing'", gone) == []
