"""The steps of videos: who may see a video sees them, and whose it is tries a failed one again."""

from uuid import UUID, uuid4

import pytest

from sightline.bootstrap import Platform
from sightline.contracts.identity import LOCAL_OWNER
from sightline.contracts.jobs import Sample
from sightline.db import Database
from sightline.jobs import JobQueue
from support.asking import is_error
from support.dead_jobs import WORKER, dead, done, running, transcode

ANN, BEN, TEAM = (UUID(int=number) for number in (11, 12, 77))


@pytest.fixture
def database(platform: Platform) -> Database:
    return platform.database


async def _steps(client, video_id, headers=None):
    answer = await client.get("/api/pipelines", params={"video_ids": str(video_id)}, headers=headers)
    assert answer.status_code == 200, answer.text
    (pipeline,) = answer.json()["pipelines"]
    assert pipeline["video_id"] == str(video_id)
    return {step["name"]: step for step in pipeline["steps"]}


async def test_each_step_tells_where_it_is(client, database, video_of):
    video_id = await video_of(LOCAL_OWNER.user_id)
    await done(database, transcode(video_id), {})
    job_id = await running(database, Sample(video_id=video_id, s3_original_path="videos/original/v/master.mp4"))
    async with database.transaction() as tx:
        await JobQueue(database).report_progress(tx, job_id, 0.25, "a quarter", worker=WORKER)
    steps = await _steps(client, video_id)
    assert list(steps) == ["transcode", "sample", "ocr", "segment_index"]
    assert (steps["transcode"]["status"], steps["transcode"]["progress"]) == ("done", 1)
    assert (steps["sample"]["status"], steps["sample"]["progress"], steps["sample"]["message"]) == (
        "processing",
        0.25,
        "a quarter",
    )
    assert steps["sample"]["job_id"] == str(job_id)
    assert (steps["ocr"]["status"], steps["ocr"]["job_id"]) == ("waiting", None)


async def test_the_newest_job_of_a_step_counts(client, database, video_of):
    video_id = await video_of(LOCAL_OWNER.user_id)
    await dead(database, transcode(video_id))
    await done(database, transcode(video_id), {})
    assert (await _steps(client, video_id))["transcode"]["status"] == "done"


async def test_strangers_see_nothing_of_it_and_may_try_nothing(client_with, auth_on, signed_in, database, video_of):
    closed = await client_with(auth=auth_on)
    video_id = await video_of(ANN, TEAM)
    await dead(database, transcode(video_id))
    of_team = signed_in(BEN, team_ids=[str(TEAM)])
    assert (await _steps(closed, video_id, signed_in(ANN)))["transcode"]["status"] == "failed"
    assert (await _steps(closed, video_id, of_team))["transcode"]["status"] == "failed"
    assert (await _steps(closed, video_id, signed_in(BEN)))["transcode"]["status"] == "waiting"
    assert (await closed.post(f"/api/pipelines/{video_id}/retry", headers=of_team)).status_code == 403
    assert (await closed.post(f"/api/pipelines/{video_id}/retry", headers=signed_in(BEN))).status_code == 404
    answer = await closed.post(f"/api/pipelines/{video_id}/retry", headers=signed_in(ANN))
    assert answer.status_code == 202
    assert answer.json()["steps"][0]["status"] == "queued"


async def test_only_what_has_failed_is_tried_again(client, database, video_of):
    video_id = await video_of(LOCAL_OWNER.user_id)
    await done(database, transcode(video_id), {})
    error = is_error(await client.post(f"/api/pipelines/{video_id}/retry"), 409, "CONFLICT")
    assert "no stage" in error["message"]


@pytest.mark.parametrize("ids", ["x", "", ",".join(str(uuid4()) for _ in range(101))])
async def test_ids_that_are_none_or_too_many_are_refused(client, ids):
    error = is_error(await client.get("/api/pipelines", params={"video_ids": ids}), 400, "VALIDATION_ERROR")
    assert "video_ids" in error["message"]
