"""Videos from before the model: their vectors are made by and by, of all owners in turn."""

from uuid import uuid4

import pytest

from sightline.roles import services_of
from sightline.text.meaning import MeaningBackfill

ANN, BEN = uuid4(), uuid4()


@pytest.fixture
def backfill(use):
    settings = use.platform.settings
    return MeaningBackfill(use.platform.database, use.platform.jobs, settings.meaning, state_dir=settings.state_dir)


async def waiting(use):
    rows = await use.sql(
        "SELECT v.name, j.id, j.priority FROM jobs AS j JOIN videos AS v ON v.id = j.video_id "
        "WHERE j.job_type = 'embed' AND j.status = 'queued' ORDER BY j.id"
    )
    return {row["name"]: row for row in rows}


@pytest.mark.req(745)
async def test_older_videos_get_their_vectors_a_few_at_a_time_and_owners_in_turn(use, shown, backfill, look_for):
    for number in range(4):
        await shown("The train leaves from platform four", owner=ANN, name=f"ann {number}")
    await shown("Dinner is served in the dining car", owner=BEN, name="ben 0")
    use.platform.settings.meaning.backfill_jobs = 3
    assert await backfill.run_once() == 3
    queued = await waiting(use)
    assert sorted(name.split()[0] for name in queued) == ["ann", "ann", "ben"]
    assert "ann 3" in queued  # newest first
    assert all(row["priority"] < -1 for row in queued.values())
    assert await backfill.run_once() == 0
    async with use.working(use.handler("embed")):
        for row in queued.values():
            assert (await use.settled(row["id"])).status == "done"
    assert [hit.text for hit in (await look_for("eating on a railway journey", mode="only", caller=BEN)).hits]
    assert await backfill.run_once() == 2
    assert sorted(await waiting(use)) == ["ann 0", "ann 1"]


@pytest.mark.req(745)
async def test_a_video_whose_job_failed_waits_a_day_and_one_of_another_model_is_done_again(use, shown, backfill):
    video_id = await shown("The train leaves from platform four")
    await use.sql(
        "INSERT INTO jobs (video_id, job_type, payload) VALUES ($1, 'embed', jsonb_build_object('video_id', $1::uuid))",
        video_id,
    )
    await use.sql("UPDATE jobs SET status = 'processing', locked_by = 'x', locked_until = now() + interval '1 hour'")
    await use.sql("UPDATE jobs SET status = 'failed'")
    assert await backfill.run_once() == 0
    await use.sql("DELETE FROM jobs")
    await use.sql("INSERT INTO embedded_videos (video_id, model, passages) VALUES ($1, 'another', 1)", video_id)
    assert await backfill.run_once() == 1


@pytest.mark.req(745)
async def test_without_a_model_nothing_is_enqueued(use, shown, backfill):
    await shown("The train leaves from platform four")
    use.platform.settings.meaning.model = "no-such-model"
    assert await backfill.run_once() == 0
    assert "meaning-backfill" in [service.name for service in services_of("schedule", use.platform)]
