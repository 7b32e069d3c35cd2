"""The object endpoint: the S3 protocol over the disk backend, below `/objects` and in places of its own (docs/objects.md)."""

from sightline.api.s3.cors import ObjectsCors, is_object_path
from sightline.api.s3.routes import OwnEndpoint, create_endpoint, create_objects_router
from sightline.objects.disk import OBJECTS_PATH

__all__ = ["OBJECTS_PATH", "ObjectsCors", "OwnEndpoint", "create_endpoint", "create_objects_router", "is_object_path"]
