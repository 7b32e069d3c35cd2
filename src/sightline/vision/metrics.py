"""Metrics of detection."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram


class VisionMetrics:
    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self._duration = Histogram(
            "sightline_vision_detection_seconds",
            "Time from a request to its objects, waiting included.",
            buckets=(0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15, 60),
            registry=registry,
        )
        self._failures = Counter(
            "sightline_vision_failures_total", "Pictures that could not be looked at.", registry=registry
        )

    @contextmanager
    def detection(self) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        except Exception:
            self._failures.inc()
            raise
        self._duration.observe(time.monotonic() - started)
