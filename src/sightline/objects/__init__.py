"""Owns stored bytes: multipart, signed addresses, ranges, key patterns."""

from sightline.objects.build import OpenObjects, open_objects
from sightline.objects.content_types import content_type_of
from sightline.objects.disk.announcements import Announce
from sightline.objects.disk.store import DiskObjects
from sightline.objects.etags import bare as bare_etag
from sightline.objects.etags import of_parts as etag_of_parts
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
    "LARGEST_OBJECT",
    "LARGEST_PART",
    "MOST_PARTS",
    "NO_SUCH_KEY",
    "NO_SUCH_UPLOAD",
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
    "bare_etag",
    "content_type_of",
    "etag_of_parts",
    "open_objects",
]
