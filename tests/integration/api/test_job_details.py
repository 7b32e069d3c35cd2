"""Everything that is kept of a job, for operators."""

from uuid import UUID

from asking import is_error
from dead_jobs import ERROR, NOBODY, WORKER, dead, queued, transcode

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
