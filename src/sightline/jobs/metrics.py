"""Metrics of the job queue."""

import time
from collections import deque
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

WINDOW_S = 600.0
MIN_ATTEMPTS = 5  # a rate over fewer attempts means nothing


class JobMetrics:
    def __init__(
        self,
        registry: CollectorRegistry | None,
        *,
        alert_rate: float = 0.2,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._alert_rate = alert_rate
        self._clock = clock
        self._windows: dict[str, _Window] = {}
        # Cached, because looking up a label costs more than counting.
        self._observers: dict[tuple[str, str], Callable[[float], None]] = {}
        buckets = (0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600)
        self.duration = Histogram(
            "sightline_job_duration_seconds",
            "Time an attempt took.",
            ["job_type", "outcome"],
            buckets=buckets,
            registry=registry,
        )
        self.failures = Counter(
            "sightline_job_failures_total", "Jobs failed for good.", ["job_type"], registry=registry
        )
        self.retries = Counter(
            "sightline_job_retries_total", "Attempts that will be repeated.", ["job_type"], registry=registry
        )
        self.depth = Gauge("sightline_job_depth", "Jobs that wait or run.", ["job_type", "status"], registry=registry)
        self.oldest_age = Gauge(
            "sightline_job_oldest_age_seconds",
            "How long the oldest waiting job has waited.",
            ["job_type"],
            registry=registry,
        )
        self.alert = Gauge(
            "sightline_job_failure_alert", "1 while too many attempts of a type fail.", ["job_type"], registry=registry
        )

    def attempt(self, job_type: str, *, seconds: float, outcome: str) -> None:
        """Counts one attempt: done, retry, failed or lost."""
        observe = self._observers.get((job_type, outcome))
        if observe is None:
            observe = self._observers[job_type, outcome] = self.duration.labels(job_type, outcome).observe
        observe(seconds)
        if outcome == "retry":
            self.retries.labels(job_type).inc()
        elif outcome == "failed":
            self.failures.labels(job_type).inc()
        self._watch_rate(job_type, is_failure=outcome in ("retry", "failed"))

    def _watch_rate(self, job_type: str, *, is_failure: bool) -> None:
        window = self._windows.get(job_type)
        if window is None:
            window = self._windows[job_type] = _Window()
            # Computed when it is read, so that the alert ends by itself when no jobs run.
            self.alert.labels(job_type).set_function(lambda: self._is_high(window))
        window.add(self._clock(), is_failure=is_failure)

    def _is_high(self, window: "_Window") -> bool:
        window.forget(self._clock())
        return window.attempts >= MIN_ATTEMPTS and window.failures >= self._alert_rate * window.attempts


class _Window:
    """Attempts of the last ten minutes in slots of ten seconds: counting costs the same at any rate."""

    SLOT_S = 10.0

    def __init__(self) -> None:
        self._slots: deque[list[float]] = deque()  # start, attempts, failures
        self.attempts = 0
        self.failures = 0

    def add(self, now: float, *, is_failure: bool) -> None:
        if not self._slots or now - self._slots[-1][0] >= self.SLOT_S:
            self.forget(now)
            self._slots.append([now, 0, 0])
        self._slots[-1][1] += 1
        self._slots[-1][2] += is_failure
        self.attempts += 1
        self.failures += is_failure

    def forget(self, now: float) -> None:
        while self._slots and now - self._slots[0][0] > WINDOW_S:
            _, attempts, failures = self._slots.popleft()
            self.attempts -= int(attempts)
            self.failures -= int(failures)
