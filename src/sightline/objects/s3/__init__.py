"""The S3 backend of the object store."""
