"""Queue depth metrics: how many jobs of each type wait and run, and how long the oldest has waited."""

from sightline.db import Database
from sightline.jobs.admin import JOB_TYPES, count_open_jobs
from sightline.jobs.metrics import JobMetrics
from sightline.jobs.record import JobStatus
from sightline.supervisor import Every

MEASURE_EVERY_S = 15.0
OPEN_STATUSES: tuple[JobStatus, ...] = ("queued", "processing")


class JobDepthMonitor:
    """Updates depth and age metrics. One process per installation is enough."""

    def __init__(self, database: Database, metrics: JobMetrics) -> None:
        self._database = database
        self._metrics = metrics
        # The query returns no row for an empty type, which still has to be reported as 0.
        self._types = set(JOB_TYPES)

    def service(self) -> Every:
        return Every("job-watch", MEASURE_EVERY_S, self.measure)

    async def measure(self) -> None:
        async with self._database.transaction() as tx:
            counts = {(count.job_type, count.status): count for count in await count_open_jobs(tx)}
        self._types |= {job_type for job_type, _ in counts}
        for job_type in self._types:
            for status in OPEN_STATUSES:
                found = counts.get((job_type, status))
                self._metrics.depth.labels(job_type, status).set(found.jobs if found else 0)
                if status == "queued":
                    age = found.oldest_age_s if found else None
                    self._metrics.oldest_age.labels(job_type).set(age or 0.0)
