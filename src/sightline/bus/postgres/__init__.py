"""The PostgreSQL backend of the bus."""
