"""Metrics of jobs for CloudWatch, in its embedded format: a line of JSON on standard output, which CloudWatch Logs turns into
metrics. It needs neither an agent nor a permission."""

import json
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry

from sightline.supervisor import Every, Service
from sightline.timing import Clock, utc_now

PERIOD_S = 60.0

GaugeNames = dict[str, tuple[str, str]]
"""Gauges, with their names and units in CloudWatch."""
DEPTH_GAUGES: GaugeNames = {
    "sightline_job_depth": ("JobDepth", "Count"),
    "sightline_job_oldest_age_seconds": ("JobOldestAge", "Seconds"),
}
"""Of the whole installation; one process measures them."""
FAILURE_GAUGES: GaugeNames = {"sightline_job_failure_alert": ("JobFailureAlert", "None")}
"""Of the attempts of one process; each worker writes its own."""


def _print(line: str) -> None:
    print(line, flush=True)


class CloudWatchMetrics:
    def __init__(
        self,
        registry: CollectorRegistry,
        namespace: str,
        gauges: GaugeNames,
        *,
        job_types: Iterable[str],
        write: Callable[[str], object] = _print,
        clock: Clock = utc_now,
    ) -> None:
        self._registry = registry
        self._namespace = namespace
        self._gauges = gauges
        self._job_types = tuple(job_types)
        self._write = write
        self._clock = clock

    def service(self) -> Service:
        return Every("cloudwatch-metrics", PERIOD_S, self.write)

    async def write(self) -> None:
        at_ms = int(self._clock().timestamp() * 1000)
        for job_type, values in self._values().items():
            self._write(metric_line(self._namespace, self._gauges, job_type, values, at_ms))

    def _values(self) -> dict[str, dict[str, float]]:
        """Zero for a type without jobs: without a value, no alarm would ever see that a queue is empty."""
        found = {job_type: {name: 0.0 for name, _ in self._gauges.values()} for job_type in self._job_types}
        for metric in self._registry.collect():
            if metric.name not in self._gauges:
                continue
            name, _ = self._gauges[metric.name]
            for sample in metric.samples:
                if (values := found.get(sample.labels["job_type"])) is not None:
                    values[name] += sample.value  # queued and running jobs count together
        return found


def metric_line(namespace: str, gauges: GaugeNames, job_type: str, values: dict[str, float], at_ms: int) -> str:
    """Pure."""
    metrics = [{"Name": name, "Unit": unit} for name, unit in gauges.values()]
    directive = {"Namespace": namespace, "Dimensions": [["JobType"]], "Metrics": metrics}
    return json.dumps({"_aws": {"Timestamp": at_ms, "CloudWatchMetrics": [directive]}, "JobType": job_type, **values})
