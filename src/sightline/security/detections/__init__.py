"""Detections and the batches that they are grouped into."""

from sightline.security.detections.batches_store import Batch, detections_of, get_batch, recent_detections
from sightline.security.detections.detection import Detection, NewDetection
from sightline.security.detections.images import DetectionImage, read_image
from sightline.security.detections.incoming import ReceivedDetection
from sightline.security.detections.seen import SeenBefore, seen_between

__all__ = [
    "Batch",
    "Detection",
    "DetectionImage",
    "NewDetection",
    "ReceivedDetection",
    "SeenBefore",
    "detections_of",
    "get_batch",
    "read_image",
    "recent_detections",
    "seen_between",
]
