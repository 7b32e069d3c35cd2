"""Queues of clients on PostgreSQL: their control, their messages and their move tasks."""

from datetime import timedelta

from sightline.bus.postgres.bus import PostgresBus
from sightline.bus.postgres.client_messages import ClientMessages
from sightline.bus.postgres.move_tasks import MoveTasks
from sightline.bus.postgres.quota_meter import QuotaMeter
from sightline.bus.settings import BusSettings
from sightline.bus.sqs import QueueControl
from sightline.db import Database


class ClientQueues:
    """What the SQS interface calls."""

    def __init__(self, bus: PostgresBus, database: Database, settings: BusSettings) -> None:
        self.names = bus.registry.names
        self.control = QueueControl(bus.registry, recreate_after=timedelta(seconds=settings.queue_recreate_after_s))
        self.quota = QuotaMeter(database, max_messages=settings.max_messages, max_bytes=settings.max_message_bytes)
        self.messages = ClientMessages(bus, database, self.quota)
        self.moves = MoveTasks(bus, database)
