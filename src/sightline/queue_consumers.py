"""The consumers of queues: one service for each queue of the platform. A feature adds its consumer here, a line."""

from collections.abc import Callable

from sightline.bootstrap import Platform
from sightline.bus import EndpointWorker, alert_queue, message_queue
from sightline.messages import MessageWorker, PreferredLanguage, due_consumer, event_notification_consumer
from sightline.notification_parts import read_webhook_secret
from sightline.notifications import MailMetrics, NotificationWorker, Picture
from sightline.stored_settings import RestartedOnChange
from sightline.supervisor import Service
from sightline.techniques import technique_consumer
from sightline.uploads import BucketScanner, split_consumer, storage_consumer

LARGEST_PICTURE_BYTES = 2_000_000  # a server of ntfy takes 2 MB from anybody


def notification_worker(platform: Platform, metrics: MailMetrics) -> NotificationWorker:
    return NotificationWorker(
        platform.settings.notifications,
        queues=platform.bus,
        database=platform.database,
        languages=PreferredLanguage(platform.settings.notifications.language),
        addresses=platform.addresses,
        bus_metrics=platform.open_bus.metrics,
        metrics=metrics,
    )


def message_worker(platform: Platform, queue: str) -> MessageWorker:
    settings = platform.settings

    async def load_picture(key: str) -> Picture | None:
        stored = await platform.objects.head(key)
        if stored is None or stored.size > LARGEST_PICTURE_BYTES:
            return None
        return Picture(key.rpartition("/")[2], await platform.objects.get(key))

    return MessageWorker(
        queue,
        settings=settings.messages,
        push=settings.push,
        mail=settings.notifications,
        webhook_secret=read_webhook_secret(settings),
        store=platform.open_messages.store,
        bus=platform.bus,
        database=platform.database,
        load_picture=load_picture,
        addresses=platform.addresses,
        devices=platform.devices,
        vapid=platform.vapid,
        bus_metrics=platform.open_bus.metrics,
        metrics=platform.open_messages.metrics,
    )


def message_processor(platform: Platform) -> Service:
    return _rebuilt(platform, lambda: message_worker(platform, message_queue(platform.settings.bus.stage)))


def alert_processor(platform: Platform) -> Service:
    return _rebuilt(platform, lambda: message_worker(platform, alert_queue(platform.settings.bus.stage)))


def event_notifications(platform: Platform) -> Service:
    return event_notification_consumer(
        platform.bus,
        platform.database,
        platform.open_messages.event_notifications,
        platform.open_messages.store,
        page_url=platform.public_url,
        metrics=platform.open_bus.metrics,
    )


def due_schedules(platform: Platform) -> Service:
    return due_consumer(
        platform.bus, platform.database, platform.open_messages.messages, metrics=platform.open_bus.metrics
    )


def scanner(platform: Platform) -> BucketScanner:
    return BucketScanner(platform.database, platform.objects, platform.completion, platform.settings.uploads)


def storage_events(platform: Platform) -> Service:
    return storage_consumer(
        platform.bus,
        platform.database,
        platform.objects,
        platform.completion,
        scanner(platform),
        platform.open_bus.metrics,
    )


def split_messages(platform: Platform) -> Service:
    return split_consumer(platform.bus, platform.database, platform.jobs, platform.videos, platform.open_bus.metrics)


def technique_events(platform: Platform) -> Service:
    return technique_consumer(platform.bus, platform.database, platform.live, platform.open_bus.metrics)


def endpoint_deliveries(platform: Platform) -> list[Service]:
    """Deliveries to the endpoints of clients; AWS does that itself."""
    opened = platform.open_bus
    if opened.registry is None:
        return []
    worker = EndpointWorker(
        opened.senders,
        bus=platform.bus,
        database=platform.database,
        names=opened.registry.names,
        metrics=opened.metrics,
        envelope=None if platform.notification_writer is None else platform.notification_writer.write_text,
    )
    return [worker.consumer()]


def mails(platform: Platform) -> Service:
    metrics = MailMetrics(platform.registry)
    return _rebuilt(platform, lambda: notification_worker(platform, metrics))


def _rebuilt(platform: Platform, build: Callable[[], Service]) -> Service:
    """A sender that is built anew when the mail server or the channels change."""
    return RestartedOnChange(platform.settings_watch, ("notifications", "push"), build)


CONSUMERS: tuple[Callable[[Platform], Service], ...] = (
    storage_events,
    split_messages,
    mails,
    message_processor,
    alert_processor,
    event_notifications,
    due_schedules,
    technique_events,
)
