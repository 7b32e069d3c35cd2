"""Metrics of the AWS endpoint."""

from weakref import WeakKeyDictionary

from prometheus_client import CollectorRegistry, Counter, Histogram

from sightline.api.aws.services import SERVICES


class AwsMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._calls = Counter(
            "sightline_aws_calls_total",
            "Calls of the AWS endpoint.",
            ["service", "action", "status"],
            registry=registry,
        )
        self._seconds = Histogram(
            "sightline_aws_call_duration_seconds",
            "Time to answer a call of the AWS endpoint, long polls included.",
            ["service", "action"],
            registry=registry,
        )

        # Finding a child by its labels costs more than counting.
        self._children: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def observe(self, service: str, action: str, status: int, seconds: float) -> None:
        # A label for each word that a client sends would grow without end.
        known = SERVICES.get(service)
        service = service if known is not None else "other"
        action = action if known is not None and action in known.actions else "other"
        key = service, action, status
        found = self._children.get(key)
        if found is None:
            found = self._children[key] = (
                self._calls.labels(service, action, str(status)),
                self._seconds.labels(service, action),
            )
        calls, duration = found
        calls.inc()
        duration.observe(seconds)


# A registry has each metric once, however many applications of a process are counted in it.
_metrics: WeakKeyDictionary[CollectorRegistry, AwsMetrics] = WeakKeyDictionary()


def metrics_in(registry: CollectorRegistry) -> AwsMetrics:
    found = _metrics.get(registry)
    if found is None:
        found = _metrics[registry] = AwsMetrics(registry)
    return found
