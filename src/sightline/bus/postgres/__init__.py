"""The PostgreSQL backend of the bus: topics, event rules and queues as rows of the database."""

from sightline.bus.postgres.bus import PostgresBus
from sightline.bus.postgres.client_messages import QueueSizes, SentMessage
from sightline.bus.postgres.client_queues import ClientQueues
from sightline.bus.postgres.client_topics import ClientTopics
from sightline.bus.postgres.health import check_round_trip
from sightline.bus.postgres.message import StoredMessage

__all__ = [
    "ClientQueues",
    "ClientTopics",
    "PostgresBus",
    "QueueSizes",
    "SentMessage",
    "StoredMessage",
    "check_round_trip",
]
