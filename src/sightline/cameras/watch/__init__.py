"""Watching cameras: the service, its leases, and what it reports."""

from sightline.cameras.watch.camera_watch import WatchParts
from sightline.cameras.watch.leases_store import WatchedCamera
from sightline.cameras.watch.metrics import WatchMetrics
from sightline.cameras.watch.service import CameraWatchService
from sightline.cameras.watch.sighting import CameraSighting, Report
from sightline.cameras.watch.state import CameraStates

__all__ = [
    "CameraSighting",
    "CameraStates",
    "CameraWatchService",
    "Report",
    "WatchMetrics",
    "WatchParts",
    "WatchedCamera",
]
