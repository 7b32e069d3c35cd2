"""The PostgreSQL backend of the message store."""

from sightline.messages.postgres.store import PostgresMessageStore

__all__ = [
    "PostgresMessageStore",
]
