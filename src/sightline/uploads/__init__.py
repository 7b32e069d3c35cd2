"""Uploads: how the bytes of a video reach the object store, part by part, until the original is complete."""

from sightline.uploads.abandoned import AbandonedUploads
from sightline.uploads.admission import UploadAdmission
from sightline.uploads.completion import UploadCompletion
from sightline.uploads.consumers import split_consumer, storage_consumer
from sightline.uploads.multipart import MAX_URLS_AT_ONCE, IssuedUrls, StartedUpload, Uploads
from sightline.uploads.plan import USUAL_PART_BYTES, PartsRefused, UploadPlan, percentage, plan_parts
from sightline.uploads.progress import UploadProgress
from sightline.uploads.scanner import BucketScanner
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.store import (
    OwnerUsage,
    ResumableUpload,
    announced_bytes,
    get_upload,
    list_parts,
    list_resumable,
    report_parts,
    upload_by_store_id,
    usage_of_owner,
)
from sightline.uploads.tus import TusUploads
from sightline.uploads.upload import PartUrl, Upload, UploadPart, UploadState

__all__ = [
    "MAX_URLS_AT_ONCE",
    "USUAL_PART_BYTES",
    "AbandonedUploads",
    "BucketScanner",
    "IssuedUrls",
    "OwnerUsage",
    "PartUrl",
    "PartsRefused",
    "ResumableUpload",
    "StartedUpload",
    "TusUploads",
    "Upload",
    "UploadAdmission",
    "UploadCompletion",
    "UploadPart",
    "UploadPlan",
    "UploadProgress",
    "UploadState",
    "Uploads",
    "UploadsSettings",
    "announced_bytes",
    "get_upload",
    "list_parts",
    "list_resumable",
    "percentage",
    "plan_parts",
    "report_parts",
    "split_consumer",
    "storage_consumer",
    "upload_by_store_id",
    "usage_of_owner",
]
