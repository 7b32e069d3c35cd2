"""Owns stored bytes: multipart, signed addresses, ranges, key patterns."""

from sightline.objects.disk_health import check_disk
from sightline.objects.disk_put import path_of, put_object
from sightline.objects.settings import ObjectsSettings

__all__ = ["ObjectsSettings", "check_disk", "path_of", "put_object"]
