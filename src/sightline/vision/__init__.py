"""Vision: turns a picture into labelled boxes. Knows nothing of cameras and events."""

from sightline.vision.build import detector_status, open_detector
from sightline.vision.detector import Box, DetectedObject, Detector, DetectorStatus, ModelCard, Picture
from sightline.vision.labels import GROUPS, group_of
from sightline.vision.models.catalogue import POSE_MODEL
from sightline.vision.models.errors import BadModel
from sightline.vision.models.install import (
    InstalledModel,
    ModelStore,
    added_directory,
    installed_pose_model,
    packaged_directory,
)
from sightline.vision.settings import VisionSettings
from sightline.vision.tracking import PathPoint, SeenObject, Track, Tracker, TrackingSettings

__all__ = [
    "GROUPS",
    "POSE_MODEL",
    "BadModel",
    "Box",
    "DetectedObject",
    "Detector",
    "DetectorStatus",
    "InstalledModel",
    "ModelCard",
    "ModelStore",
    "PathPoint",
    "Picture",
    "SeenObject",
    "Track",
    "Tracker",
    "TrackingSettings",
    "VisionSettings",
    "added_directory",
    "detector_status",
    "group_of",
    "installed_pose_model",
    "open_detector",
    "packaged_directory",
]
