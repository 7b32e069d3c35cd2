"""What operators see of jobs: everything that is kept of one, and those that wait or run."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from support.asking import is_error
from support.dead_jobs import ERROR, NOBODY, WORKER, clip, dead, done, queued, running, transcode

ANN = UUID(int=11)


async def test_a_dead_job_shows_what_it_was_told_and_who_had_it(client, platform):
    payload = transcode()
    answer = (await client.get(f"/jobs/{await dead(platform.database, payload)}/details")).json()
    assert answer["payload"] == {"error": ERROR, "original_payload": payload.model_dump(mode="json")}
    assert (answer["locked_by"], answer["depends_on"], answer["locked_until"]) == (WORKER, None, None)
    assert [move["status"] for move in answer["history"]] == ["queued", "processing", "failed"]


async def test_an_unknown_job_is_not_found(client):
    for job_id in (NOBODY, "abc"):
        is_error(await client.get(f"/jobs/{job_id}/details"), 404, "JOB_NOT_FOUND")


async def test_details_are_for_operators(client_with, auth_on, signed_in, platform):
    client = await client_with(auth=auth_on)
    job_id = await queued(platform.database, transcode())
    is_error(await client.get(f"/jobs/{job_id}/details", headers=signed_in(ANN)), 403, "FORBIDDEN")


async def test_jobs_that_wait_or_run_are_listed_by_state_page_by_page(client, platform):
    database = platform.database
    at_work = await running(database, clip(0))
    await done(database, transcode())
    waiting = [await queued(database, clip(number)) for number in (1, 2)]
    async with database.transaction() as tx:
        delayed = (await platform.jobs.enqueue(tx, clip(3), run_after=datetime.now(UTC) + timedelta(hours=1))).id

    async def ids(**query: str | int) -> list[UUID]:
        answer = (await client.get("/jobs", params=query)).json()
        return [UUID(job["job_id"]) for job in answer["jobs"]]

    assert await ids(status="processing") == [at_work]
    assert await ids(status="queued") == [delayed, *reversed(waiting)]
    assert await ids(status="queued", job_type="transcode") == []
    first = (await client.get("/jobs", params={"status": "queued", "limit": 1})).json()
    assert [job["job_id"] for job in first["jobs"]] == [str(delayed)]
    assert await ids(status="queued", cursor=first["next_cursor"]) == waiting[::-1]
