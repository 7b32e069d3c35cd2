"""The object endpoint: the S3 protocol for objects on disk."""
