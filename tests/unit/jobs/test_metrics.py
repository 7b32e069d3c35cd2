"""What is counted, and the alert on too many failures."""

import pytest
from prometheus_client import CollectorRegistry

from sightline.jobs import JobMetrics


class Counted:
    def __init__(self, *, alert_rate: float = 0.2) -> None:
        self.now = 1000.0
        self.registry = CollectorRegistry()
        self.metrics = JobMetrics(self.registry, alert_rate=alert_rate, clock=lambda: self.now)

    def attempts(self, outcome: str, number: int = 1, *, job_type: str = "ocr") -> None:
        for _ in range(number):
            self.metrics.attempt(job_type, seconds=0.5, outcome=outcome)

    def value(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(name, labels)

    def is_alert(self, job_type: str = "ocr") -> bool:
        return bool(self.value("sightline_job_failure_alert", job_type=job_type))


@pytest.fixture
def counted() -> Counted:
    return Counted()


@pytest.mark.req(86)
def test_durations_failures_and_retries_are_counted_by_type(counted):
    counted.attempts("done", 3)
    counted.attempts("retry", 2)
    counted.attempts("failed")
    counted.attempts("done", job_type="sample")
    assert counted.value("sightline_job_duration_seconds_count", job_type="ocr", outcome="done") == 3
    assert counted.value("sightline_job_duration_seconds_sum", job_type="ocr", outcome="done") == 1.5
    assert counted.value("sightline_job_duration_seconds_count", job_type="sample", outcome="done") == 1
    assert counted.value("sightline_job_retries_total", job_type="ocr") == 2
    assert counted.value("sightline_job_failures_total", job_type="ocr") == 1
    assert counted.value("sightline_job_failures_total", job_type="sample") is None


@pytest.mark.req(89)
def test_the_alert_rises_with_the_share_of_failures_and_falls_with_it(counted):
    counted.attempts("done", 10)
    assert not counted.is_alert()
    counted.attempts("retry", 2)
    assert not counted.is_alert(), "2 of 12 is below a fifth"
    counted.attempts("failed")
    assert counted.is_alert(), "3 of 13 is above it"
    counted.attempts("done", 10)
    assert not counted.is_alert(), "3 of 23 is below it again"


@pytest.mark.req(89)
def test_one_failure_out_of_one_is_no_rate(counted):
    counted.attempts("failed", 4)
    assert not counted.is_alert()
    counted.attempts("failed")
    assert counted.is_alert()


@pytest.mark.req(89)
def test_the_alert_of_one_type_is_not_that_of_another(counted):
    counted.attempts("failed", 10)
    counted.attempts("done", 100, job_type="sample")
    assert counted.is_alert("ocr")
    assert not counted.is_alert("sample")


@pytest.mark.req(89)
def test_failures_are_forgotten_after_ten_minutes(counted):
    counted.attempts("failed", 10)
    counted.now += 599
    counted.attempts("done", 5)
    assert counted.is_alert()
    counted.now += 30
    counted.attempts("done", 5)
    assert not counted.is_alert()


@pytest.mark.req(89)
def test_the_alert_falls_by_itself_when_nothing_runs_any_more(counted):
    counted.attempts("failed", 10)
    assert counted.is_alert()
    counted.now += 700
    assert not counted.is_alert()
    counted.attempts("failed", 4)
    assert not counted.is_alert(), "the old ones do not count any more"


@pytest.mark.req(89)
def test_the_rate_can_be_chosen():
    counted = Counted(alert_rate=0.9)
    counted.attempts("failed", 8)
    counted.attempts("done", 2)
    assert not counted.is_alert()
    counted.attempts("failed", 20)
    assert counted.is_alert()


def test_a_lost_job_is_no_failure_of_its_own(counted):
    counted.attempts("lost", 10)
    assert not counted.is_alert()
    assert counted.value("sightline_job_failures_total", job_type="ocr") is None


def test_without_a_registry_everything_still_works():
    metrics = JobMetrics(None)
    metrics.attempt("ocr", seconds=1, outcome="failed")
