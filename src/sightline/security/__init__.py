"""Security events: cameras, detections, batches, risk assessment, the lifecycle of an event, alert rules, retention."""

from sightline.security.build import OpenSecurity, open_security
from sightline.security.camera import Camera, CameraZone, ZoneKind, normalize_camera_id
from sightline.security.cameras_store import (
    check_cameras,
    create_camera,
    create_zone,
    delete_zone,
    list_cameras,
    need_camera,
    zones_of,
)
from sightline.security.events import BroadcastMarks
from sightline.security.retention import Cleaned, Cleaner, RetentionJob
from sightline.security.settings import SecuritySettings

__all__ = [
    "BroadcastMarks",
    "Camera",
    "CameraZone",
    "Cleaned",
    "Cleaner",
    "OpenSecurity",
    "RetentionJob",
    "SecuritySettings",
    "ZoneKind",
    "check_cameras",
    "create_camera",
    "create_zone",
    "delete_zone",
    "list_cameras",
    "need_camera",
    "normalize_camera_id",
    "open_security",
    "zones_of",
]
