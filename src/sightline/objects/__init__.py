"""Owns stored bytes: multipart, signed addresses, ranges, key patterns."""

from sightline.objects.disk_health import check_disk
from sightline.objects.settings import ObjectsSettings

__all__ = ["ObjectsSettings", "check_disk"]
