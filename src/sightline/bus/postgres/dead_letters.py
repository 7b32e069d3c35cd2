"""Dead letters of the PostgreSQL backend."""

import uuid
from collections.abc import Sequence
from pathlib import Path

from sightline.bus.limits import BusRefusal
from sightline.bus.message import Received
from sightline.bus.postgres.message import StoredMessage
from sightline.bus.postgres.queues import PostgresQueues
from sightline.db import load_queries
from sightline.errors import InvalidInput

_sql = load_queries(Path(__file__).with_name("queries.sql"))


class PostgresDeadLetters(PostgresQueues):
    async def peek(self, queue: str, *, limit: int, after: str | None = None) -> list[Received]:
        name = self._dead_letter_queue(queue)
        queue_id = self._id(name)
        names = self.registry.snapshot.queue_names
        async with self._database.transaction() as tx:
            rows = await _sql["peek"].rows(tx, queue_id=queue_id, limit=limit, after=_as_uuid(after) if after else None)
        return [StoredMessage(name, row, self._arns, names) for row in rows]

    async def redrive(self, queue: str, message_ids: Sequence[str]) -> int:
        name = self._dead_letter_queue(queue)
        async with self._database.transaction() as tx:
            row = await _sql["redrive"].row(
                tx, queue_id=self._id(name), message_ids=[_as_uuid(one) for one in message_ids]
            )
        assert row is not None
        return int(row["moved"])

    async def discard(self, queue: str, message_ids: Sequence[str]) -> int:
        name = self._dead_letter_queue(queue)
        async with self._database.transaction() as tx:
            return await _sql["discard"].run(
                tx, queue_id=self._id(name), message_ids=[_as_uuid(one) for one in message_ids]
            )

    def _dead_letter_queue(self, name: str) -> str:
        """The dead-letter queue, given by its own name or by its source."""
        queue = self.settings_of(name)
        if queue.is_dead_letter or (not queue.is_declared and queue.dead_letter_queue is None):
            return name  # any queue of a client may be the dead-letter queue of another
        if queue.dead_letter_queue is None:
            raise BusRefusal(f"{name} has no dead-letter queue")
        return queue.dead_letter_queue


def _as_uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise InvalidInput(f"{text!r} is not a message id") from None
