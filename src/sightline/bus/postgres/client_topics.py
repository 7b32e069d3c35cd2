"""Topics of clients on PostgreSQL: what the SNS interface publishes through."""

from collections.abc import Sequence
from dataclasses import replace

from sightline.bus.message import TopicMessage
from sightline.bus.postgres.bus import PostgresBus
from sightline.bus.postgres.fifo_topics import number_messages
from sightline.bus.registry import RegisteredTopic
from sightline.db import Database


class ClientTopics:
    def __init__(self, bus: PostgresBus, database: Database) -> None:
        self._bus = bus
        self._database = database

    async def publish(self, topic: RegisteredTopic, messages: Sequence[TopicMessage]) -> list[TopicMessage]:
        """Publishes all or none; returns them with their ids and, of a FIFO topic, their sequence numbers."""
        async with self._database.transaction() as tx:
            if topic.is_fifo:
                published, new = await number_messages(tx, topic, messages)
                await self._bus.publish(tx, *new)
                return published
            ids = await self._bus.publish(tx, *messages)
        return [replace(message, message_id=one) for message, one in zip(messages, ids, strict=True)]
