"""Metrics of the security flow; names that begin with hsi_ are document 003's."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from sightline.contracts.security_events import RiskLevel
from sightline.security.assessment.risk import RISK_LEVELS

_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)


class _UnderBothNames(Collector):
    """A counter by one label, shown as the document names it and as Prometheus wants counters named, with `_total`."""

    def __init__(self, name: str, help_text: str, label: str) -> None:
        self._name = name
        self._help = help_text
        self._label = label
        self._values: dict[str, int] = {}

    def inc(self, value: str, by: int = 1) -> None:
        self._values[value] = self._values.get(value, 0) + by

    def collect(self) -> Iterator[Metric]:
        plain = GaugeMetricFamily(self._name, self._help, labels=[self._label])
        total = CounterMetricFamily(self._name, self._help, labels=[self._label])
        for value, count in self._values.items():
            plain.add_metric([value], count)
            total.add_metric([value], count)
        yield plain
        yield total


class SecurityMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self._events = Counter("hsi_events_total", "Security events created.", registry=registry)
        self._by_level = _UnderBothNames("hsi_events_by_risk_level", "Security events by risk level.", "risk_level")
        self._by_camera = _UnderBothNames("hsi_events_by_camera", "Security events by camera.", "camera_id")
        for level in RISK_LEVELS:
            self._by_level.inc(level, 0)
        if registry is not None:
            registry.register(self._by_level)
            registry.register(self._by_camera)
        self.assessed = Counter(
            "sightline_security_assessed_total",
            "Assessments of security events, by assessor.",
            ["assessor"],
            registry=registry,
        )
        self.revised = Counter(
            "sightline_security_revised_total",
            "New versions of security events by further sightings.",
            registry=registry,
        )
        self.model_seconds = Histogram(
            "sightline_security_model_seconds",
            "Time that a question to the model took.",
            ["outcome"],
            buckets=_SECONDS,
            registry=registry,
        )
        self.slot_seconds = Histogram(
            "sightline_security_slot_wait_seconds",
            "Time that a question waited for its turn.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._detections = Counter("sightline_security_detections_total", "Detections taken in.", registry=registry)
        self.alerts = Counter(
            "sightline_security_alerts_total",
            "Alerts: raised, cooled_down, quiet, delivered, escalated.",
            ["outcome"],
            registry=registry,
        )
        self.cleaned = Counter(
            "sightline_security_cleaned_total",
            "What the clean-up archived or removed.",
            ["kind"],
            registry=registry,
        )

    def created(self, level: RiskLevel, camera_id: str) -> None:
        self._events.inc()
        self._by_level.inc(level)
        self._by_camera.inc(camera_id)

    def received(self, count: int) -> None:
        self._detections.inc(count)
