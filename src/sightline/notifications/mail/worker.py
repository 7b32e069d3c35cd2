"""The notification worker: opens the mail channel and consumes the notification queue."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

from sightline.bus import NOTIFICATION_QUEUE, BusMetrics, Consumer, ConsumerOptions, Queues
from sightline.db import Database
from sightline.notifications.mail.channel import MailChannel, open_mail_channel
from sightline.notifications.mail.recipients import FixedLanguage, ReaderLanguage, RecipientCheck
from sightline.notifications.mail.sender import MailSender
from sightline.notifications.metrics import MailMetrics
from sightline.notifications.settings import NotificationsSettings
from sightline.timing import Backoff

MAX_WAIT_S = 3600.0


class NotificationWorker:
    name = f"consumer:{NOTIFICATION_QUEUE}"
    queue = NOTIFICATION_QUEUE

    def __init__(
        self,
        settings: NotificationsSettings,
        *,
        queues: Queues,
        database: Database,
        languages: ReaderLanguage | None = None,
        addresses: RecipientCheck | None = None,
        bus_metrics: BusMetrics | None = None,
        metrics: MailMetrics | None = None,
    ) -> None:
        self._settings = settings
        self._queues = queues
        self._database = database
        self._languages = languages or FixedLanguage(settings.language)
        self._addresses = addresses
        self._bus_metrics = bus_metrics
        self._metrics = metrics

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        async with open_mail_channel(self._settings) as channel:
            await self.consumer(channel).run(stop, ready)

    def consumer(self, channel: MailChannel) -> Consumer:
        settings = self._settings
        queue = next(one for one in self._queues.topology.queues if one.name == self.queue)
        sender = MailSender(
            database=self._database,
            channel=channel,
            languages=self._languages,
            send_timeout_s=settings.send_timeout_s,
            max_receives=queue.max_receives,
            addresses=self._addresses,
            metrics=self._metrics,
        )
        options = ConsumerOptions(
            concurrency=settings.concurrency,
            backoff=Backoff(first_s=settings.retry_after_s, max_s=MAX_WAIT_S),
            # The extra time is for the database; sending has its own limit.
            handler_timeout=timedelta(seconds=settings.send_timeout_s + 60),
        )
        return Consumer(
            self.queue,
            queues=self._queues,
            database=self._database,
            handler=sender.handle,
            options=options,
            metrics=self._bus_metrics,
        )
