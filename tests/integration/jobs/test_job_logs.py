"""The log of a job, kept as an object."""

import json

import pytest
import structlog

from sightline.errors import BackendUnavailable, TransientFailure
from sightline.objects import job_log_key
from support.job_gate import raising, until_retried, until_status

log = structlog.get_logger("work")


class Kept:
    """Stands in for the store: what is kept where."""

    def __init__(self, error=None):
        self.objects = {}
        self._error = error

    async def __call__(self, job_id, content):
        if self._error is not None:
            raise self._error
        self.objects[job_log_key(job_id)] = json.loads(content)


@pytest.mark.req(84, 85)
async def test_the_lines_of_a_job_are_kept_under_its_id(use, log_lines):
    async def work(_payload, _context):
        log.info("work.looked", frames=3)

    kept = Kept()
    payload = use.payload("transcode")
    async with use.working(use.recording("transcode", work), store_log=kept):
        job_id = await use.enqueue(payload)
        await until_status(use, job_id, "done")
    (lines,) = kept.objects.values()
    assert list(kept.objects) == [f"logs/pipeline/{job_id}.json"]
    assert [line["event"] for line in lines] == ["job.started", "work.looked", "job.finished"]
    for line in lines:
        assert (line["job_id"], line["video_id"]) == (str(job_id), str(payload.video_id))
        assert line["job_type"] == "transcode"
    assert [line.get("status") for line in lines] == ["processing", None, "done"]


@pytest.mark.req(85)
async def test_a_failed_attempt_keeps_its_log_too(use, log_lines):
    kept = Kept()
    async with use.working(use.recording(work=raising(TransientFailure("the wire was cut"))), store_log=kept):
        job_id = await use.enqueue()
        await until_retried(use, job_id, 1)
    lines = kept.objects[f"logs/pipeline/{job_id}.json"]
    assert [line["event"] for line in lines] == ["job.started", "job.failed"]
    assert lines[-1]["error"] == "the wire was cut"


@pytest.mark.req(85)
async def test_a_log_that_cannot_be_kept_fails_no_job(use, log_lines):
    kept = Kept(BackendUnavailable("objects", "the disk is full"))
    async with use.working(use.recording(), store_log=kept):
        job_id = await use.enqueue()
        await until_status(use, job_id, "done")
    assert "job.log_not_stored" in [line["event"] for line in log_lines()]
