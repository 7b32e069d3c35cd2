"""Metrics of watched cameras."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class WatchMetrics:
    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.watched = Gauge("sightline_cameras_watched", "Cameras that this process watches.", registry=registry)
        self.live = Gauge("sightline_cameras_live", "Watched cameras that send pictures.", registry=registry)
        self.looks = Counter(
            "sightline_camera_looks_total",
            "Pictures given to the detector, or reported as motion.",
            ["camera_id"],
            registry=registry,
        )
        self.look_seconds = Histogram(
            "sightline_camera_look_seconds",
            "From a picture's arrival to what was seen in it.",
            buckets=(0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
            registry=registry,
        )
        self.connections = Counter(
            "sightline_camera_connections_total",
            "Attempts to connect to a camera, by how they ended.",
            ["result"],
            registry=registry,
        )
        self.sightings = Counter("sightline_camera_sightings_total", "Sightings that were reported.", registry=registry)
        self.dropped = Counter(
            "sightline_camera_sightings_dropped_total",
            "Sightings that could not be reported for too long.",
            registry=registry,
        )
        self.files = Counter(
            "sightline_camera_files_total",
            "Files of watched folders that were looked at, or set aside as unreadable.",
            ["outcome"],
            registry=registry,
        )
