"""Security events: cameras, detections, batches, risk assessment, the lifecycle of an event, alert rules, retention."""

from sightline.security.assessment.enrich_event import EnrichEventJob
from sightline.security.build import OpenSecurity, open_security
from sightline.security.camera import Camera, CameraZone, normalize_camera_id
from sightline.security.camera_shapes import (
    DEFAULT_LOITER_S,
    LOITERED_KINDS,
    ZoneKind,
    ZoneShape,
    shape_error,
    without_repeats,
)
from sightline.security.cameras_store import (
    camera_by_key,
    change_zone,
    check_cameras,
    create_camera,
    create_zone,
    delete_camera,
    delete_zone,
    list_cameras,
    need_camera,
    update_camera,
    zones_of,
)
from sightline.security.events import BroadcastMarks
from sightline.security.home_assistant_settings import HomeAssistantSettings
from sightline.security.retention import Cleaned, Cleaner, RetentionJob
from sightline.security.settings import SecuritySettings

__all__ = [
    "DEFAULT_LOITER_S",
    "LOITERED_KINDS",
    "BroadcastMarks",
    "Camera",
    "CameraZone",
    "Cleaned",
    "Cleaner",
    "EnrichEventJob",
    "HomeAssistantSettings",
    "OpenSecurity",
    "RetentionJob",
    "SecuritySettings",
    "ZoneKind",
    "ZoneShape",
    "camera_by_key",
    "change_zone",
    "check_cameras",
    "create_camera",
    "create_zone",
    "delete_camera",
    "delete_zone",
    "list_cameras",
    "need_camera",
    "normalize_camera_id",
    "open_security",
    "shape_error",
    "update_camera",
    "without_repeats",
    "zones_of",
]
