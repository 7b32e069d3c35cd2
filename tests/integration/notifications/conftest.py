"""The notification worker on the platform's own topology, on a database of the test's own."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from sightline.bus import NOTIFICATION_QUEUE, BusEvent, Names, PostgresBus, default_topology
from sightline.bus.postgres.waiting import CHANNEL
from sightline.contracts.video_events import STATUS_CHANGED, VIDEO_SOURCE, VideoStatusChanged
from sightline.db import Database
from sightline.messages import PreferredLanguage
from sightline.notifications import Mail, MailMetrics, NotificationsSettings, NotificationWorker, list_mails
from support.log_capture import captured_log_lines, plain_tracebacks
from support.mailing import MailServer, mail_server
from support.postgres import DatabaseAddresses
from support.services import listening, running


@dataclass
class Mailing:
    """Everything around the worker."""

    bus: PostgresBus
    database: Database
    url: str
    registry: CollectorRegistry
    metrics: MailMetrics

    async def put(self, *events: VideoStatusChanged) -> None:
        """On the event bus, as a video's move does."""
        async with self.database.transaction() as tx:
            await self.bus.put_events(tx, *(BusEvent(VIDEO_SOURCE, STATUS_CHANGED, one.to_detail()) for one in events))

    def worker(self, **settings: Any) -> NotificationWorker:
        """Writes Portuguese by default, the language of the document; people may have chosen another."""
        usual: dict[str, Any] = {"retry_after_s": 0.01, "send_timeout_s": 600, "language": "pt"}
        return NotificationWorker(
            NotificationsSettings(**(usual | settings)),
            queues=self.bus,
            database=self.database,
            languages=PreferredLanguage((usual | settings)["language"]),
            metrics=self.metrics,
        )

    def smtp_worker(self, server: MailServer, **settings: Any) -> NotificationWorker:
        usual: dict[str, Any] = {
            "channel": "smtp",
            "smtp_host": "127.0.0.1",
            "smtp_port": server.port,
            "smtp_tls": "none",
        }
        return self.worker(**(usual | {"from_address": "Sightline <videos@example.com>"} | settings))

    def working(self, *workers: NotificationWorker) -> AbstractAsyncContextManager[None]:
        """Runs the workers while the block runs."""
        return running(*workers)

    async def mails(self) -> list[Mail]:
        """Oldest first."""
        async with self.database.transaction() as tx:
            return (await list_mails(tx, limit=1000))[::-1]

    async def statuses(self) -> list[str]:
        return [one.status for one in await self.mails()]

    async def are(self, *statuses: str) -> bool:
        """Whether the mails stand so and the queue is empty."""
        return await self.statuses() == list(statuses) and await self.waiting() == 0

    async def waiting(self, queue: str = NOTIFICATION_QUEUE) -> int:
        for counts in await self.bus.counts():
            if counts.queue == queue:
                return counts.visible + counts.in_flight + counts.delayed
        raise LookupError(queue)

    async def is_put_off(self) -> bool:
        """Whether a message was given back, to be received again later."""
        async with self.database.transaction() as tx:
            return bool(await tx.fetchval("SELECT count(*) FROM sightline.bus_messages WHERE parked_until > now()"))

    async def dead(self) -> list[str | None]:
        """Why messages of the queue died."""
        return [letter.dead_reason for letter in await self.bus.peek(NOTIFICATION_QUEUE, limit=10)]

    async def redrive(self) -> None:
        letters = await self.bus.peek(NOTIFICATION_QUEUE, limit=10)
        await self.bus.redrive(NOTIFICATION_QUEUE, [letter.message_id for letter in letters])

    async def let_time_pass(self) -> None:
        """As if every lease and every visibility had ended; workers look at once."""
        async with self.database.transaction() as tx:
            await tx.execute("UPDATE mails SET lease_until = now() - interval '1 s' WHERE status = 'sending'")
            await tx.execute("UPDATE sightline.bus_messages SET visible_at = now(), parked_until = NULL")
            await tx.execute("SELECT pg_notify($1, $2)", CHANNEL, NOTIFICATION_QUEUE)

    def counted(self, outcome: str, *, template: str = "VideoConcluido", channel: str = "smtp") -> float:
        labels = {"template": template, "channel": channel, "outcome": outcome}
        return self.registry.get_sample_value("sightline_mails_total", labels) or 0.0


@pytest.fixture
async def mailing(fresh_database: DatabaseAddresses, database: Database) -> AsyncIterator[Mailing]:
    async with listening(fresh_database.url) as listener:
        bus = PostgresBus(database, listener, default_topology(stage="dev", bucket="videos"), Names())
        await bus.create()
        registry = CollectorRegistry()
        yield Mailing(bus, database, fresh_database.url, registry, MailMetrics(registry))


@pytest.fixture
async def server() -> AsyncIterator[MailServer]:
    async with mail_server() as opened:
        yield opened


@pytest.fixture
def log_lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    with captured_log_lines() as lines:
        yield lines


@pytest.fixture(autouse=True)
def _plain_tracebacks() -> Iterator[None]:
    with plain_tracebacks():
        yield
