"""Operators retry and cancel jobs over HTTP."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.bootstrap import Platform
from sightline.db import Database
from support.asking import is_error
from support.dead_jobs import NOBODY, clip, dead, queued, transcode


@pytest.fixture
def database(platform: Platform) -> Database:
    return platform.database


async def _failed(client: httpx.AsyncClient) -> list[UUID]:
    answer = await client.get("/jobs", params={"status": "failed"})
    return [UUID(job["job_id"]) for job in answer.json()["jobs"]]


@pytest.mark.req(88)
async def test_one_failed_job_is_retried(client, database):
    job_id = await dead(database, transcode())
    answer = await client.post(f"/jobs/{job_id}/retry")
    assert answer.status_code == 200, answer.text
    assert (answer.json()["status"], answer.json()["retry_count"], answer.json()["error"]) == ("queued", 0, None)
    assert [move["status"] for move in answer.json()["history"]] == ["queued", "processing", "failed", "queued"]
    error = is_error(await client.post(f"/jobs/{job_id}/retry"), 409, "CONFLICT")
    assert (error["details"], "it is queued, not failed" in error["message"]) == ({"status": "queued"}, True)
    is_error(await client.post(f"/jobs/{NOBODY}/retry"), 404, "JOB_NOT_FOUND")
    is_error(await client.post("/jobs/abc123/retry"), 404, "JOB_NOT_FOUND")


@pytest.mark.req(88)
async def test_several_are_retried_and_what_is_left_is_told(client, database):
    one, blocked = await dead(database, clip()), await dead(database, transcode(UUID(int=5)))
    active = await queued(database, transcode(UUID(int=5)))
    answer = await client.post("/jobs/retry", json={"ids": [str(id_) for id_ in (one, blocked, NOBODY)]})
    assert answer.json() == {
        "dry_run": False,
        "retried": 1,
        "by_type": {"clip_generate": 1},
        "ids": [str(one)],
        "skipped": [
            {
                "job_id": str(blocked),
                "job_type": "transcode",
                "status": "failed",
                "active_job_id": str(active),
                "reason": f"transcode job {active} of the same video is active",
            }
        ],
        "not_found": [str(NOBODY)],
        "has_more": False,
    }
    error = is_error(await client.post(f"/jobs/{blocked}/retry"), 409, "CONFLICT")
    assert error["details"]["active_job_id"] == str(active)


@pytest.mark.req(88)
async def test_all_dead_jobs_of_a_type_are_retried_after_a_dry_run(client, database):
    first, second = await dead(database, clip(1)), await dead(database, clip(2))
    other = await dead(database, transcode())
    planned = await client.post("/jobs/retry", json={"all": True, "job_type": "clip_generate", "dry_run": True})
    assert (planned.json()["dry_run"], planned.json()["by_type"]) == (True, {"clip_generate": 2})
    assert len(await _failed(client)) == 3
    answer = await client.post("/jobs/retry", json={"all": True, "job_type": "clip_generate", "limit": 1})
    assert (answer.json()["ids"], answer.json()["has_more"]) == ([str(second)], True)
    answer = await client.post("/jobs/retry", json={"all": True})
    assert set(answer.json()["ids"]) == {str(first), str(other)}


async def test_a_queued_job_is_cancelled_and_no_other(client, database):
    job_id = await queued(database, transcode())
    answer = (await client.post(f"/jobs/{job_id}/cancel")).json()
    assert (answer["status"], answer["error_details"]["type"]) == ("failed", "Cancelled")
    assert answer["history"][-1]["by"] == "operator 00000000-0000-0000-0000-000000000001"
    error = is_error(await client.post(f"/jobs/{job_id}/cancel"), 409, "CONFLICT")
    assert (error["details"], "is failed" in error["message"]) == ({"status": "failed"}, True)
    is_error(await client.post(f"/jobs/{NOBODY}/cancel"), 404, "JOB_NOT_FOUND")


async def test_what_is_not_clearly_said_retries_nothing(client, database):
    job_id = await dead(database, transcode())
    bodies: tuple[dict[str, Any], ...] = (
        {},
        {"all": False},
        {"ids": []},
        {"ids": ["x"]},
        {"ids": [str(NOBODY)], "all": True},
        {"ids": [str(NOBODY)], "job_type": "ocr"},
        {"all": True, "job_type": "ocrr"},
        {"all": True, "limit": 0},
        {"all": True, "dryRun": True},  # unheard, it would do what was only asked about
    )
    for body in bodies:
        is_error(await client.post("/jobs/retry", json=body), 422, "VALIDATION_ERROR")
        assert await _failed(client) == [job_id], body


async def test_who_retried_and_cancelled_is_logged(client, database, log_lines):
    job_id = await queued(database, transcode())
    await client.post(f"/jobs/{job_id}/cancel")
    await client.post("/jobs/retry", json={"all": True, "dry_run": True})
    await client.post(f"/jobs/{job_id}/retry")
    await client.post("/jobs/retry", json={"all": True})
    told = [line for line in log_lines() if line["event"].startswith("jobs.")]
    assert [(line["event"], line.get("retried")) for line in told] == [
        ("jobs.cancelled", None),
        ("jobs.retried", 1),
        ("jobs.retried", 0),
    ]
    assert told[0]["job_id"] == told[1]["job_id"] == str(job_id)
    assert all(line["by"].startswith("operator ") and line["correlation_id"] for line in told)
