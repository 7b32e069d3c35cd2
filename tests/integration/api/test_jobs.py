"""Jobs over HTTP: one for whoever may see its video, all of them for operators."""

import re
import uuid
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.bootstrap import Platform
from sightline.contracts.jobs import SegmentIndex
from sightline.db import Database
from sightline.jobs import JOB_TYPES, JobQueue
from support.asking import is_error
from support.dead_jobs import ERROR, NOBODY, WORKER, clip, dead, done, queued, running, transcode

ANN, BEN, CID, TEAM = (UUID(int=number) for number in (11, 12, 13, 77))
ROW_49 = ("job_id", "status", "progress", "message", "result_s3_uri", "error", "created_at", "updated_at")


@pytest.fixture
def database(platform: Platform) -> Database:
    return platform.database


def _ids(answer: httpx.Response) -> list[UUID]:
    assert answer.status_code == 200, answer.text
    return [UUID(job["job_id"]) for job in answer.json()["jobs"]]


@pytest.mark.req(49)
async def test_a_job_tells_how_far_it_is(client, database):
    video_id = uuid.uuid4()
    job_id = await running(database, transcode(video_id))
    async with database.transaction() as tx:
        await JobQueue(database).report_progress(tx, job_id, 0.4, "42 of 105 frames", worker=WORKER)
    answer = (await client.get(f"/jobs/{job_id}")).json()
    times = [answer.pop(name) for name in ("created_at", "started_at", "updated_at")]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time) for time in times)
    assert [(move["status"], move["by"]) for move in answer.pop("history")] == [
        ("queued", None),
        ("processing", WORKER),
    ]
    assert answer == {
        "job_id": str(job_id),
        "job_type": "transcode",
        "video_id": str(video_id),
        "status": "processing",
        "progress": 0.4,
        "message": "42 of 105 frames",
        "retry_count": 0,
        "priority": 0,
        "finished_at": None,
        "run_after": None,
        "error": None,
        "error_details": None,
        "result": None,
        "result_s3_uri": None,
    }


@pytest.mark.req(49)
async def test_a_done_job_tells_its_result_and_a_failed_one_its_error(client, database):
    result = {"result_s3_uri": "s3://bucket/key.json", "frames": 3}
    answer = (await client.get(f"/jobs/{await done(database, transcode(), result)}")).json()
    assert set(ROW_49) <= set(answer)
    assert (answer["status"], answer["progress"], answer["result"]) == ("done", 1.0, result)
    assert (answer["result_s3_uri"], answer["error"]) == ("s3://bucket/key.json", None)
    answer = (await client.get(f"/jobs/{await dead(database, transcode())}")).json()
    assert (answer["status"], answer["error"], answer["error_details"]) == ("failed", "it broke", ERROR)
    assert answer["history"][-1]["note"] == "Boom: it broke"


@pytest.mark.req(49)
async def test_an_unknown_job_is_not_found(client):
    for job_id in (str(NOBODY), "abc123"):
        is_error(await client.get(f"/jobs/{job_id}"), 404, "JOB_NOT_FOUND")
    is_error(await client.get("/jobs/%00"), 404, "NOT_FOUND")


@pytest.mark.req(136)
async def test_people_see_jobs_of_their_own_and_their_teams_videos_only(
    client_with, auth_on, signed_in, database, video_of
):
    client = await client_with(auth=auth_on)
    own, teams, bens = [
        await queued(database, SegmentIndex(video_id=await video_of(*whose))) for whose in ((ANN,), (BEN, TEAM), (BEN,))
    ]
    ann = signed_in(ANN, team_ids=[str(TEAM)])
    statuses = [(await client.get(f"/jobs/{one}", headers=ann)).status_code for one in (own, teams, bens)]
    assert statuses == [200, 200, 404]
    foreign, nobodys = [await client.get(f"/jobs/{one}", headers=ann) for one in (bens, NOBODY)]
    is_error(foreign, 404, "JOB_NOT_FOUND")
    assert foreign.text.replace(str(bens), "?") == nobodys.text.replace(str(NOBODY), "?")
    assert (await client.get(f"/jobs/{own}", headers=signed_in(CID))).status_code == 404
    assert (await client.get(f"/jobs/{own}")).status_code == 401
    operator = signed_in(CID, sightline_role="operator")
    assert (await client.get(f"/jobs/{bens}", headers=operator)).status_code == 200


@pytest.mark.req(137)
async def test_everything_else_is_for_operators(client_with, auth_on, signed_in, database, video_of):
    client = await client_with(auth=auth_on)
    own = await queued(database, transcode(await video_of(ANN)))
    for method, path, body in (
        ("GET", "/jobs", None),
        ("GET", "/jobs/counts", None),
        ("POST", "/jobs/retry", {"all": True}),
        ("POST", f"/jobs/{own}/cancel", None),
        ("POST", f"/jobs/{own}/retry", None),
    ):
        is_error(await client.request(method, path, json=body), 401, "UNAUTHORIZED")
        is_error(await client.request(method, path, json=body, headers=signed_in(ANN)), 403, "FORBIDDEN")
        operator = signed_in(BEN, sightline_role="operator")
        assert (await client.request(method, path, json=body, headers=operator)).status_code == 200


@pytest.mark.req(87)
async def test_failed_jobs_are_listed_and_counted_by_type(client, database):
    dead_clip, dead_transcode = await dead(database, clip()), await dead(database, transcode())
    started = datetime.now(UTC)
    waiting = await queued(database, transcode(UUID(int=9)))
    assert _ids(await client.get("/jobs")) == [waiting, dead_transcode, dead_clip]
    for params, meant in (
        ({"status": "failed"}, [dead_transcode, dead_clip]),
        ({"status": "failed", "job_type": "transcode"}, [dead_transcode]),
        ({"video_id": str(UUID(int=9))}, [waiting]),
        ({"job_type": "ocr"}, []),
    ):
        assert _ids(await client.get("/jobs", params=params)) == meant, params
    rows = {row["job_type"]: row for row in (await client.get("/jobs/counts")).json()["job_types"]}
    assert list(rows) == list(JOB_TYPES)  # also those without any job
    age = rows["transcode"].pop("oldest_age_s")
    assert 0 <= age <= (datetime.now(UTC) - started).total_seconds()
    assert rows["transcode"] == {"job_type": "transcode", "queued": 1, "processing": 0, "done": 0, "failed": 1}
    assert (rows["clip_generate"]["failed"], rows["clip_generate"]["oldest_age_s"]) == (1, None)


async def test_pages_continue_behind_the_last_job(client, database):
    ids = [await queued(database, clip(number)) for number in range(5)]
    seen: list[UUID] = []
    params: dict[str, Any] = {"limit": 2}
    for _ in range(3):
        page = await client.get("/jobs", params=params)
        seen += _ids(page)
        params["cursor"] = page.json()["next_cursor"]
        assert page.json()["next"] == params["cursor"]  # its name before, for one release more
    assert (seen, params["cursor"]) == (ids[::-1], None)


async def test_a_query_that_makes_no_sense_is_refused(client):
    for query in ("limit=0", "limit=501", "cursor=x", "job_type=x%00", "status=dead", "video_id=x", "typ=x"):
        is_error(await client.get(f"/jobs?{query}"), 422, "VALIDATION_ERROR")
