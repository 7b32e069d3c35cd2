"""The disk backend of the object store."""
