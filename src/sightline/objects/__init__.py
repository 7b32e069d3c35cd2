"""Owns stored bytes: multipart, signed addresses, ranges, key patterns."""

from sightline.objects.build import OpenObjects, open_objects
from sightline.objects.content_types import content_type_of
from sightline.objects.disk.announcements import Announce
from sightline.objects.disk.store import DiskObjects
from sightline.objects.etags import bare as bare_etag
from sightline.objects.etags import of_parts as etag_of_parts
from sightline.objects.keys import (
    DETECTION_IMAGES_PREFIX,
    LOGS_PREFIX,
    ORIGINALS_PREFIX,
    annotation_keys,
    clip_key,
    detection_image_key,
    frame_key,
    frame_ms,
    frames_prefix,
    is_upload_key,
    job_log_key,
    original_key,
    playlist_key,
    poster_key,
    proxy_prefix,
    result_key,
    result_prefix,
    video_id_of_original,
    video_prefixes,
)
from sightline.objects.refusals import NO_SUCH_KEY, NO_SUCH_UPLOAD, StorageFull
from sightline.objects.settings import ObjectsSettings
from sightline.objects.store import (
    LARGEST_OBJECT,
    LARGEST_PART,
    MOST_PARTS,
    SMALLEST_PART,
    Objects,
    OpenUpload,
    PartTag,
    StoredObject,
    StoredPart,
)

__all__ = [
    "DETECTION_IMAGES_PREFIX",
    "LARGEST_OBJECT",
    "LARGEST_PART",
    "LOGS_PREFIX",
    "MOST_PARTS",
    "NO_SUCH_KEY",
    "NO_SUCH_UPLOAD",
    "ORIGINALS_PREFIX",
    "SMALLEST_PART",
    "Announce",
    "DiskObjects",
    "Objects",
    "ObjectsSettings",
    "OpenObjects",
    "OpenUpload",
    "PartTag",
    "StorageFull",
    "StoredObject",
    "StoredPart",
    "annotation_keys",
    "bare_etag",
    "clip_key",
    "content_type_of",
    "detection_image_key",
    "etag_of_parts",
    "frame_key",
    "frame_ms",
    "frames_prefix",
    "is_upload_key",
    "job_log_key",
    "open_objects",
    "original_key",
    "playlist_key",
    "poster_key",
    "proxy_prefix",
    "result_key",
    "result_prefix",
    "video_id_of_original",
    "video_prefixes",
]
