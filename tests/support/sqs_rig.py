"""Queues of a client on a database of the test's own."""

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from sightline.bus import (
    Account,
    BusRefusal,
    BusSettings,
    ClientQueues,
    NewQueueMessage,
    PostgresBus,
    RegisteredQueue,
    SentMessage,
    StoredMessage,
)
from sightline.db import Database


@dataclass
class SqsRig:
    bus: PostgresBus
    database: Database
    queues: ClientQueues
    account: Account = field(default_factory=lambda: Account("111111111111", uuid4()))

    @classmethod
    def of(cls, bus: PostgresBus, database: Database, **settings) -> "SqsRig":
        return cls(bus, database, ClientQueues(bus, database, BusSettings(**settings)))

    async def queue(self, name: str, **attributes: str) -> RegisteredQueue:
        return await self.queues.control.create(self.account, name, attributes, {})

    async def fifo(self, name: str = "jobs.fifo", **attributes: str) -> RegisteredQueue:
        return await self.queue(name, FifoQueue="true", **attributes)

    async def send(self, queue: RegisteredQueue, *messages: NewQueueMessage | str) -> list[SentMessage]:
        given = [NewQueueMessage(one) if isinstance(one, str) else one for one in messages]
        outcomes = await self.queues.messages.send(queue, given)
        for one in outcomes:
            if isinstance(one, BusRefusal):
                raise one
        return [one for one in outcomes if isinstance(one, SentMessage)]

    async def in_groups(self, queue: RegisteredQueue, *bodies: str) -> list[SentMessage]:
        """Sends each body to the group that its first letter names."""
        messages = [NewQueueMessage(one, group_id=one[0], deduplication_id=str(uuid4())) for one in bodies]
        return await self.send(queue, *messages)

    async def receive(self, queue: RegisteredQueue, limit: int = 10, **options) -> list[StoredMessage]:
        options.setdefault("wait_s", 0)
        found = await self.queues.messages.receive(queue, limit=limit, **options)
        return [one for one in found if isinstance(one, StoredMessage)]

    async def bodies(self, queue: RegisteredQueue, limit: int = 10, **options) -> list[str]:
        return [one.body for one in await self.receive(queue, limit, **options)]

    async def delete(self, queue: RegisteredQueue, *received: StoredMessage) -> list[str | None]:
        """What the queue says about each; None means that it is deleted."""
        outcomes = await self.queues.messages.delete(queue, [one.receipt for one in received])
        return [None if one is None else one.message for one in outcomes]

    async def hide(self, queue: RegisteredQueue, *received: StoredMessage, for_s: float) -> list[str | None]:
        outcomes = await self.queues.messages.change_visibility(queue, [(one.receipt, for_s) for one in received])
        return [None if one is None else one.message for one in outcomes]

    async def sizes(self, queue: RegisteredQueue) -> tuple[int, int, int]:
        visible, in_flight, delayed = await self.queues.messages.sizes(queue)
        return visible, in_flight, delayed

    async def let_visibility_end(self, queue: RegisteredQueue) -> None:
        """As if the time of all that was received had passed."""
        async with self.database.transaction() as tx:
            await tx.execute("UPDATE sightline.bus_messages SET visible_at = now() WHERE queue_id = $1", queue.id)


OTHER = Account("222222222222", UUID(int=2))
