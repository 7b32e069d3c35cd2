"""Redis Streams as the transport of the live feed between processes."""
