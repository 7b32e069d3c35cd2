"""Owns the way of a video's bytes into the store: parts, progress, completion, reconciliation, abandoned uploads."""

from sightline.uploads.abandoned import AbandonedSweep
from sightline.uploads.completion import Arrivals
from sightline.uploads.consumers import split_consumer, storage_consumer
from sightline.uploads.multipart import Uploads
from sightline.uploads.plan import Plan, plan_parts
from sightline.uploads.progress import UploadProgress
from sightline.uploads.scanner import Scanner
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.upload import IssuedUrl, Part, Upload

__all__ = [
    "AbandonedSweep",
    "Arrivals",
    "IssuedUrl",
    "Part",
    "Plan",
    "Scanner",
    "Upload",
    "UploadProgress",
    "Uploads",
    "UploadsSettings",
    "plan_parts",
    "split_consumer",
    "storage_consumer",
]
