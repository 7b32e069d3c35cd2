"""Depth and age of the queue as metrics."""

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from sightline.jobs import JobDepthMonitor, JobMetrics, JobQueue, cancel_queued_job, list_jobs
from sightline.supervisor import Every
from support.dead_jobs import WORKER, clip, queued, running
from support.waiting import soon, until


class Measured:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def depth(self, status: str, job_type: str = "clip_generate") -> float | None:
        labels = {"job_type": job_type, "status": status}
        return self._registry.get_sample_value("sightline_job_depth", labels)

    def age(self, job_type: str = "clip_generate") -> float | None:
        return self._registry.get_sample_value("sightline_job_oldest_age_seconds", {"job_type": job_type})


@pytest.mark.req(86)
async def test_depth_and_age_are_measured_also_of_types_that_became_empty(database):
    registry = CollectorRegistry()
    watch, measured = JobDepthMonitor(database, JobMetrics(registry)), Measured(registry)
    first = await running(database, clip(1))
    for number in (2, 3):
        await queued(database, clip(number))
    async with database.transaction() as tx:
        await tx.execute("UPDATE jobs SET created_at = now() - interval '1 hour'")
    await watch.measure()
    assert (measured.depth("queued"), measured.depth("processing")) == (2, 1)
    assert 3600 <= (measured.age() or 0) < 7200
    assert (measured.depth("queued", "ocr"), measured.age("ocr")) == (0, 0)

    async with database.transaction() as tx:
        await JobQueue(database).finish(tx, [first], worker=WORKER)
        for job in await list_jobs(tx, status="queued"):
            await cancel_queued_job(tx, job.id, by="operator ann")
    await watch.measure()
    assert (measured.depth("queued"), measured.depth("processing"), measured.age()) == (0, 0, 0)


async def test_the_watch_looks_again_and_again_until_it_is_stopped(database):
    registry = CollectorRegistry()
    watch, measured = JobDepthMonitor(database, JobMetrics(registry)), Measured(registry)
    stop, ready = asyncio.Event(), asyncio.Event()
    watching = asyncio.create_task(Every("job-watch", 0.01, watch.measure).run(stop, ready.set))
    await soon(ready.wait())
    await queued(database, clip())
    await until(lambda: measured.depth("queued") == 1)
    stop.set()
    await soon(watching)
