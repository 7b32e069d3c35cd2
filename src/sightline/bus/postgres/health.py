"""Health check of the PostgreSQL backend: a notification sent in a transaction reaches this process."""

import asyncio
import secrets

from sightline.db import Database, Listener
from sightline.errors import BackendUnavailable
from sightline.timing import is_set_within

CHANNEL = "sightline_bus_health"


async def check_round_trip(database: Database, listener: Listener) -> None:
    """Sends a random token and waits until it arrives; the caller sets the timeout."""
    if not listener.is_connected:
        raise BackendUnavailable("bus", "not listening for database notifications")
    token = secrets.token_hex(8)
    arrived = asyncio.Event()

    def on_notify(payload: str) -> None:
        if payload == token:
            arrived.set()

    with listener.subscribe(CHANNEL, on_notify):
        while True:
            async with database.transaction() as tx:
                await tx.execute("SELECT pg_notify($1, $2)", CHANNEL, token)
            # Sent again if lost: the first token may be sent before the server has registered the listener.
            if await is_set_within(arrived, 0.5):
                return
