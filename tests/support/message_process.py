"""A message worker as a process of its own, for tests that kill it: database address, ntfy's address."""

import asyncio
import sys

from sightline.bus import Names, PostgresBus, default_topology, message_queue
from sightline.db import DatabaseSettings, Listener, open_database
from sightline.messages import MessagesSettings, MessageWorker
from sightline.messages.postgres import PostgresMessageStore
from sightline.notifications import NotificationsSettings, PushSettings


async def main(url: str, server: str) -> None:
    database = await open_database(DatabaseSettings(connect_timeout_s=600), url)
    listener = Listener(url)
    stop = asyncio.Event()
    bus = PostgresBus(database, listener, default_topology(stage="dev", bucket="videos"), Names())
    await bus.create()
    worker = MessageWorker(
        message_queue("dev"),
        settings=MessagesSettings(),
        push=PushSettings(ntfy_server=server, ntfy_per_minute=0, send_timeout_s=120),
        mail=NotificationsSettings(),
        webhook_secret=b"secret",
        store=PostgresMessageStore(database, bus, region="us-east-1"),
        bus=bus,
        database=database,
    )
    await asyncio.gather(listener.run(stop, lambda: None), worker.run(stop, lambda: None))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
