"""Metrics of recording."""

from prometheus_client import CollectorRegistry, Counter, Gauge


class RecordingMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self.segments = Counter(
            "sightline_recording_segments_total",
            "Segments of cameras, by what became of them: stored or dropped.",
            ["result"],
            registry=registry,
        )
        self.bytes = Counter("sightline_recording_bytes_total", "Bytes of stored segments.", registry=registry)
        self.paused = Gauge(
            "sightline_recording_paused_cameras", "Cameras whose recording is paused.", registry=registry
        )
