"""Metrics of jobs in CloudWatch's embedded format."""

import json
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry

from sightline.jobs import DEPTH_GAUGES, CloudWatchMetrics
from sightline.jobs.metrics import JobMetrics

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


async def test_each_job_type_is_a_line_with_its_depth_and_the_age_of_its_oldest_job():
    registry = CollectorRegistry()
    metrics = JobMetrics(registry)
    metrics.depth.labels("ocr", "queued").set(3)
    metrics.depth.labels("ocr", "processing").set(2)
    metrics.oldest_age.labels("ocr").set(81.5)
    lines: list[str] = []
    written = CloudWatchMetrics(
        registry, "sightline-prod", DEPTH_GAUGES, job_types=["ocr", "embed"], write=lines.append, clock=lambda: NOW
    )
    await written.write()
    ocr, embed = (json.loads(line) for line in lines)
    assert (ocr["JobType"], ocr["JobDepth"], ocr["JobOldestAge"]) == ("ocr", 5, 81.5)
    # An alarm never sees that a queue is empty unless a zero is written.
    assert (embed["JobType"], embed["JobDepth"], embed["JobOldestAge"]) == ("embed", 0, 0)
    directive = ocr["_aws"]["CloudWatchMetrics"][0]
    assert directive["Namespace"] == "sightline-prod"
    assert directive["Dimensions"] == [["JobType"]]
    assert {one["Name"] for one in directive["Metrics"]} == {"JobDepth", "JobOldestAge"}
    assert ocr["_aws"]["Timestamp"] == int(NOW.timestamp() * 1000)
