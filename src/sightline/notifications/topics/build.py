"""Adding the senders of topics to the bus, with what they need open."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.bus import EndpointSenders, NotificationWriter, Sealing
from sightline.db import Database
from sightline.http import HttpClient
from sightline.notifications.push.email_channel import open_email
from sightline.notifications.settings import NotificationsSettings
from sightline.notifications.topics.destination_sender import ApiDestinationSender
from sightline.notifications.topics.email_sender import TopicEmailSender
from sightline.notifications.topics.web_sender import TopicWebSender

TIMEOUT_S = 15.0


@asynccontextmanager
async def open_topic_senders(
    settings: NotificationsSettings,
    senders: EndpointSenders,
    writer: NotificationWriter,
    *,
    database: Database,
    sealing: Sealing,
    trusted_account: str | None,
) -> AsyncIterator[None]:
    http = HttpClient("endpoint", timeout_s=TIMEOUT_S)
    try:
        async with open_email(settings) as channel:
            web = TopicWebSender(http, writer, trusted_account=trusted_account)
            email = TopicEmailSender(channel, writer)
            destinations = ApiDestinationSender(http, database, sealing, trusted_account=trusted_account)
            for service in ("events", "scheduler"):
                senders.add(f"{service}:api-destination", destinations.send)
            for kind in ("http", "https"):
                senders.add(kind, web.send)
            for kind in ("email", "email-json"):
                senders.add(kind, email.send)
            yield
    finally:
        http.close()
