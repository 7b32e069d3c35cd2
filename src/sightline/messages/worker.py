"""The message worker: opens the notification channels and consumes one message queue."""

import asyncio
import os
import socket
from collections.abc import Callable
from datetime import timedelta

from sightline.bus import Bus, BusMetrics, Consumer, ConsumerOptions
from sightline.db import Database
from sightline.messages.metrics import MessageMetrics
from sightline.messages.processor import LoadPicture, Processor
from sightline.messages.settings import MessagesSettings
from sightline.messages.store import MessageStore
from sightline.notifications import (
    AddressBook,
    Devices,
    NotificationSender,
    NotificationsSettings,
    PushSettings,
    VapidKey,
    open_notification_channels,
)
from sightline.timing import Backoff, Clock, utc_now

MAX_WAIT_S = 900.0
_BREAKER_STATES = {"closed": 0, "half_open": 1, "open": 2}


class MessageWorker:
    def __init__(
        self,
        queue: str,
        *,
        settings: MessagesSettings,
        push: PushSettings,
        mail: NotificationsSettings,
        webhook_secret: bytes,
        store: MessageStore,
        bus: Bus,
        database: Database,
        load_picture: LoadPicture | None = None,
        addresses: AddressBook | None = None,
        devices: Devices | None = None,
        vapid: VapidKey | None = None,
        bus_metrics: BusMetrics | None = None,
        metrics: MessageMetrics | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self.queue = queue
        self.name = f"consumer:{queue}"
        self._settings = settings
        self._push = push
        self._mail = mail
        self._webhook_secret = webhook_secret
        self._store = store
        self._bus = bus
        self._database = database
        self._load_picture = load_picture
        self._addresses = addresses
        self._devices = devices
        self._vapid = vapid
        self._bus_metrics = bus_metrics
        self._metrics = metrics or MessageMetrics(None)
        self._clock = clock

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        async with open_notification_channels(
            self._push, self._mail, webhook_secret=self._webhook_secret, devices=self._devices, vapid=self._vapid
        ) as channels:
            sender = NotificationSender(channels, self._push, observer=_MetricsObserver(self._metrics))
            await self.consumer(sender).run(stop, ready)

    def consumer(self, sender: NotificationSender) -> Consumer:
        processor = Processor(
            store=self._store,
            sender=sender,
            bus=self._bus,
            database=self._database,
            name=f"processor {socket.gethostname()}:{os.getpid()}",
            give_up_after=timedelta(hours=self._settings.give_up_after_h),
            load_picture=self._load_picture,
            addresses=self._addresses,
            metrics=self._metrics,
            clock=self._clock,
        )
        options = ConsumerOptions(
            concurrency=self._settings.concurrency,
            max_per_lane=self._settings.max_per_owner,
            backoff=Backoff(first_s=self._settings.retry_after_s, max_s=MAX_WAIT_S),
            # The extra time is for the store; sending has its own limits.
            handler_timeout=timedelta(seconds=sender.max_duration_s + 60),
        )
        return Consumer(
            self.queue,
            queues=self._bus,
            database=self._database,
            handler=processor.handle,
            options=options,
            metrics=self._bus_metrics,
        )


class _MetricsObserver:
    def __init__(self, metrics: MessageMetrics) -> None:
        self._metrics = metrics

    def tried(self, channel: str, outcome: str, seconds: float) -> None:
        self._metrics.sent.labels(channel, outcome).inc()
        if outcome != "refused":
            self._metrics.sending_seconds.labels(channel).observe(seconds)

    def breaker(self, channel: str, state: str) -> None:
        self._metrics.breaker.labels(channel).set(_BREAKER_STATES[state])
