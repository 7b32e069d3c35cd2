"""What the bus's integration tests share."""

from datetime import timedelta

import asyncpg

from sightline.bus import Consumer, ConsumerOptions, Handler, QueueMessage
from sightline.timing import Backoff


def consumer_for(
    use,
    handler: Handler,
    *,
    queue: str = "work",
    concurrency: int = 4,
    first_s: float = 0.01,
    grace_s: float = 300.0,
    handler_timeout: timedelta = timedelta(minutes=10),
    heartbeat_s: float | None = None,
) -> Consumer:
    options = ConsumerOptions(
        concurrency=concurrency,
        wait_s=20.0,
        backoff=Backoff(first_s=first_s, max_s=max(first_s, 0.05)),
        grace_s=grace_s,
        handler_timeout=handler_timeout,
        heartbeat_s=heartbeat_s,
    )
    return Consumer(queue, queues=use.bus, database=use.database, handler=handler, options=options)


async def send(use, queue: str, *bodies: str) -> None:
    async with use.database.transaction() as tx:
        await use.bus.send(tx, queue, *(QueueMessage(body) for body in bodies))


async def table_of_effects(use) -> None:
    """A table for what handlers do, in the test's own database."""
    admin = await asyncpg.connect(use.admin_url)
    await admin.execute("CREATE TABLE effects (what text); GRANT ALL ON effects TO sightline_worker")
    await admin.close()


async def effects(use) -> list[str]:
    async with use.database.transaction() as tx:
        return [row["what"] for row in await tx.fetch("SELECT what FROM effects ORDER BY what")]
