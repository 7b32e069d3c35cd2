"""The message store that settings choose, and what is built on it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from prometheus_client import CollectorRegistry

from sightline.bus import Bus, BusSettings
from sightline.db import Database
from sightline.messages.create import Messages
from sightline.messages.event_notifications import EventNotifications
from sightline.messages.metrics import MessageMetrics
from sightline.messages.postgres import PostgresMessageStore
from sightline.messages.preferences_store import PreferencesReader
from sightline.messages.settings import MessagesSettings
from sightline.messages.store import MessageStore
from sightline.notifications import AddressBook, Devices, Language, PushSettings
from sightline.supervisor import Service


@dataclass(frozen=True, slots=True)
class OpenMessages:
    store: MessageStore
    messages: Messages
    event_notifications: EventNotifications
    preferences: PreferencesReader
    metrics: MessageMetrics
    services: tuple[Service, ...] = ()


@asynccontextmanager
async def open_messages(
    settings: MessagesSettings,
    push: PushSettings,
    bus_settings: BusSettings,
    *,
    bus: Bus,
    database: Database,
    registry: CollectorRegistry | None,
    language: Language = "en",
    addresses: AddressBook | None = None,
    devices: Devices | None = None,
) -> AsyncIterator[OpenMessages]:
    metrics = MessageMetrics(registry)
    async with AsyncExitStack() as stack:
        services: list[Service] = []
        match settings.backend:
            case "postgres":
                store: MessageStore = PostgresMessageStore(database, bus, region=bus_settings.region)
            case "dynamodb":
                # Imported here, so that an installation without AWS needs no boto.
                from sightline.messages.dynamodb import open_dynamodb_store

                opening = open_dynamodb_store(
                    settings, database=database, bus=bus, stage=bus_settings.stage, region=bus_settings.region
                )
                dynamodb = await stack.enter_async_context(opening)
                await dynamodb.create()
                services.append(dynamodb.relay().service())
                store = dynamodb
        if settings.clock == "eventbridge":
            from sightline.messages.schedules.eventbridge_clock import open_eventbridge_clock

            clock = await stack.enter_async_context(open_eventbridge_clock(settings, bus_settings, database))
            services.append(clock.service())
        messages = Messages(
            store,
            stage=bus_settings.stage,
            metrics=metrics,
            retention=timedelta(days=settings.retention_days),
        )
        event_notifications = EventNotifications(
            messages,
            has_ntfy_topic=push.ntfy_topic is not None,
            has_webhook=push.webhook_url is not None,
            language=language,
            addresses=addresses,
            devices=devices,
        )
        yield OpenMessages(store, messages, event_notifications, PreferencesReader(database), metrics, tuple(services))
