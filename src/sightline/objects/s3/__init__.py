"""The S3 backend: any service that speaks S3. Imported only where S3 is chosen, so that others need no boto."""

from sightline.objects.s3.store import S3ObjectStore, open_s3_object_store

__all__ = ["S3ObjectStore", "open_s3_object_store"]
