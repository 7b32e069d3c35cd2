"""The message flow on the platform's own topology, for tests: create messages, run workers, look what became of them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from prometheus_client import CollectorRegistry

from sightline.bus import Bus, Names, PostgresBus, alert_queue, default_topology, message_queue
from sightline.db import Database
from sightline.messages import (
    Channel,
    Message,
    MessageMetrics,
    Messages,
    MessagesSettings,
    MessageStore,
    MessageWorker,
    NewMessage,
    NotificationRequest,
)
from sightline.messages.postgres import PostgresMessageStore
from sightline.notifications import NotificationsSettings, PushSettings
from sightline.timing import Clock, utc_now
from support.ntfy_server import NtfyServer
from support.postgres import DatabaseAddresses
from support.services import listening, running

QUEUE = message_queue("dev")
ALERTS = alert_queue("dev")
OWNER = UUID(int=11)


@dataclass
class Messaging:
    bus: Bus
    database: Database
    url: str
    store: MessageStore
    registry: CollectorRegistry
    metrics: MessageMetrics
    messages: Messages

    async def create(
        self,
        *,
        channel: Channel = "ntfy",
        target: str | None = "topic",
        message_type: str = "manual_notification",
        payload: Mapping[str, Any] | None = None,
        **notification: Any,
    ) -> NewMessage:
        async with self.database.transaction() as tx:
            new, _ = await self.messages.create(
                tx,
                message_type=message_type,
                payload=payload or {"secret": "never in the event"},
                notification=NotificationRequest(
                    channel=channel, target=target, **({"title": "Title", "body": "Body"} | notification)
                ),
                source="web-api",
                created_by="user:ana@example.com",
                owner_id=OWNER,
            )
        await self.store.ensure_stored(new.message_id)
        return new

    def worker(
        self, *, queue: str = QUEUE, server: NtfyServer | None = None, clock: Clock = utc_now, **push: Any
    ) -> MessageWorker:
        usual: dict[str, Any] = {"retry_first_s": 0.01, "send_timeout_s": 120, "ntfy_per_minute": 0}
        if server is not None:
            usual["ntfy_server"] = server.url
        return MessageWorker(
            queue,
            settings=MessagesSettings(retry_after_s=0.01),
            push=PushSettings(**(usual | push)),
            mail=NotificationsSettings(),
            webhook_secret=b"secret",
            store=self.store,
            bus=self.bus,
            database=self.database,
            metrics=self.metrics,
            clock=clock,
        )

    def working(self, *workers: MessageWorker) -> AbstractAsyncContextManager[None]:
        """Runs the workers while the block runs."""
        return running(*workers)

    async def get(self, message_id: str) -> Message:
        found = await self.store.get(message_id)
        assert found is not None
        return found

    async def is_now(self, message_id: str, status: str, queue: str = QUEUE) -> bool:
        """Whether the message stands so and nothing waits in the queue."""
        return (await self.get(message_id)).status == status and await self.waiting(queue) == 0

    async def waiting(self, queue: str = QUEUE) -> int:
        for counts in await self.bus.counts():
            if counts.queue == queue:
                return counts.visible + counts.in_flight + counts.delayed
        raise LookupError(queue)

    async def dead(self, queue: str = QUEUE) -> list[str]:
        return [letter.dead_reason or "" for letter in await self.bus.peek(queue, limit=10)]

    async def let_time_pass(self) -> None:
        """As if every lease, delay and visibility had ended."""
        async with self.database.transaction() as tx:
            await tx.execute("UPDATE messages SET lease_until = now() - interval '1 s' WHERE status = 'processing'")
            await tx.execute("UPDATE sightline.bus_messages SET visible_at = now(), parked_until = NULL")

    def counted(self, metric: str, **labels: str) -> float:
        return self.registry.get_sample_value(metric, labels) or 0.0


@asynccontextmanager
async def open_messaging(addresses: DatabaseAddresses, database: Database) -> AsyncIterator[Messaging]:
    async with listening(addresses.url) as listener:
        bus = PostgresBus(database, listener, default_topology(stage="dev", bucket="videos"), Names())
        await bus.create()
        registry = CollectorRegistry()
        metrics = MessageMetrics(registry)
        store = PostgresMessageStore(database, bus, region="us-east-1")
        messages = Messages(store, stage="dev", metrics=metrics)
        yield Messaging(bus, database, addresses.url, store, registry, metrics, messages)
