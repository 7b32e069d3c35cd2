"""The PostgreSQL backend of the message store."""
