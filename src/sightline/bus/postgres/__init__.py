"""The PostgreSQL backend of the bus: topics, event rules and queues as rows of the database."""

from sightline.bus.postgres.bus import PostgresBus
from sightline.bus.postgres.health import check_round_trip

__all__ = ["PostgresBus", "check_round_trip"]
