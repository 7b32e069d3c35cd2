"""A notification worker as a process of its own, to be killed: mail_process.py DATABASE_URL SMTP_PORT."""

import asyncio
import sys

from sightline.bus import Names, PostgresBus, default_topology
from sightline.db import DatabaseSettings, Listener, open_database
from sightline.notifications import NotificationsSettings, NotificationWorker


async def main(url: str, port: str) -> None:
    settings = NotificationsSettings(
        channel="smtp",
        smtp_host="127.0.0.1",
        smtp_port=int(port),
        smtp_tls="none",
        from_address="Sightline <videos@example.com>",
    )
    database = await open_database(DatabaseSettings(pool_min=1, connect_timeout_s=600), url)
    listener = Listener(url)
    bus = PostgresBus(database, listener, default_topology(stage="dev", bucket="videos"), Names())
    await bus.create()
    worker = NotificationWorker(settings, queues=bus, database=database)
    never = asyncio.Event()
    await asyncio.gather(listener.run(never, lambda: None), worker.run(never, lambda: None))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
