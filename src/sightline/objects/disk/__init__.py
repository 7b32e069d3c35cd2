"""The disk backend: objects as plain files below one directory, served by this application under signed URLs."""

from sightline.objects.disk.announcements import Announce
from sightline.objects.disk.reader import ObjectReader
from sightline.objects.disk.signed_urls import OBJECTS_PATH, REGION
from sightline.objects.disk.signing_key import load_signing_key
from sightline.objects.disk.store import DiskObjectStore
from sightline.objects.disk.url_generations import PARAMETER as GENERATION_PARAMETER

__all__ = [
    "GENERATION_PARAMETER",
    "OBJECTS_PATH",
    "REGION",
    "Announce",
    "DiskObjectStore",
    "ObjectReader",
    "load_signing_key",
]
